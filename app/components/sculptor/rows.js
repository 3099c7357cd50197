// The rows of sliders, number fields and buttons, one for each dimension of a pose.
const STEP = 0.05; // of the buttons and Page keys, as in the paper's figure 4
const FINE = 0.01; // of the arrow keys
const KEYS = {
  ArrowRight: FINE, ArrowUp: FINE, ArrowLeft: -FINE, ArrowDown: -FINE, PageUp: STEP, PageDown: -STEP,
};

const signed = (value, digits = 2) => (value > 0 ? "+" : "") + kit.number(value, digits);

const rowHtml = (k, name) => `
  <div class="dimension" data-k="${k}" data-testid="dimension-${name}">
    <label for="slider-${name}"><span class="kit-unseen">Dimension&nbsp;</span>${name}</label>
    <button type="button" class="kit-button less" data-by="-1" tabindex="-1"
      aria-label="Dimension ${name}: 0.05 less" data-testid="less-${name}">−</button>
    <span class="track"><i></i><input type="range" id="slider-${name}" step="any"
      data-testid="slider-${name}" /></span>
    <button type="button" class="kit-button more" data-by="1" tabindex="-1"
      aria-label="Dimension ${name}: 0.05 more" data-testid="more-${name}">+</button>
    <input type="number" step="${FINE}" aria-label="Dimension ${name}, value"
      data-testid="value-${name}" />
    <button type="button" class="kit-button undo" data-undo="true"
      aria-label="Reset dimension ${name}" title="Back to the network’s value"
      data-testid="reset-${name}">↺</button>
  </div>`;

class Rows {
  // `held` is asked for reference(k), limits(k) and offsets, and told move(k, offset), choose(k).
  constructor(box, held) {
    this.box = box;
    this.held = held;
    this.parts = [];
    this.typing = -1; // the row whose number is being typed, which is left alone meanwhile
    const at = (event) => Number(event.target.closest(".dimension")?.dataset.k ?? -1);
    const slides = (event) => event.target.type === "range";
    const choose = (event) => at(event) >= 0 && held.choose(at(event));
    box.addEventListener("focusin", choose);
    box.addEventListener("pointerdown", (event) => {
      choose(event);
      if (slides(event)) this.before = { k: at(event), offset: held.offsets[at(event)] };
    });
    // A touch that turns into scrolling takes back the jump that it began with.
    box.addEventListener("pointercancel", (event) => {
      if (slides(event) && this.before?.k === at(event)) held.move(at(event), this.before.offset);
    });
    box.addEventListener("input", (event) => {
      if (slides(event)) held.move(at(event), event.target.valueAsNumber);
      else this.typing = at(event);
    });
    box.addEventListener("change", (event) => {
      const k = at(event);
      this.typing = -1;
      if (!slides(event)) held.move(k, event.target.valueAsNumber - held.reference(k));
      this.paint(k);
    });
    box.addEventListener("focusout", () => (this.typing = -1));
    box.addEventListener("dblclick", (event) => slides(event) && held.move(at(event), 0));
    box.addEventListener("keydown", (event) => {
      const erased = ["Delete", "Backspace"].includes(event.key);
      if (!slides(event) || !(erased || KEYS[event.key])) return;
      event.preventDefault();
      held.move(at(event), erased ? 0 : held.offsets[at(event)] + KEYS[event.key]);
    });
    box.addEventListener("click", (event) => {
      const { by, undo } = event.target.closest("button")?.dataset ?? {};
      if (by) held.move(at(event), held.offsets[at(event)] + STEP * Number(by));
      else if (undo) {
        held.move(at(event), 0);
        this.parts[at(event)].slider.focus();
      }
    });
  }

  build(count) {
    if (this.parts.length === count) return;
    this.box.style.setProperty("--half", Math.ceil(count / 2));
    this.box.innerHTML = Array.from({ length: count }, (_, k) => rowHtml(k, k + 1)).join("");
    this.parts = [...this.box.children].map((row) => ({
      row,
      track: row.querySelector(".track"),
      slider: row.querySelector("[type=range]"),
      value: row.querySelector("[type=number]"),
    }));
  }

  paint(k) {
    const { row, track, slider, value } = this.parts[k];
    const { held } = this;
    const [low, high] = held.limits(k);
    const offset = held.offsets[k];
    const now = held.reference(k) + offset;
    const place = (x) => Math.min(1, Math.max(0, (x - low) / (high - low)));
    if (Number(slider.min) !== low) slider.min = low;
    if (Number(slider.max) !== high) slider.max = high;
    if (slider.valueAsNumber !== offset) slider.value = offset;
    const from = offset ? `${signed(offset, 3)} from the network’s value` : "the network’s value";
    slider.setAttribute("aria-valuetext", `${kit.number(now, 3)}, ${from}`);
    if (this.typing !== k) value.value = now.toFixed(3);
    track.style.setProperty("--at", place(offset));
    track.style.setProperty("--rest", place(0));
    row.title = from;
    row.classList.toggle("moved", offset !== 0);
    row.classList.toggle("chosen", held.dimension === k);
  }
}
