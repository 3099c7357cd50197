// The rows of sliders, number fields and buttons, one for each number of the basis.
const rowHtml = (k, name) => `
  <div class="dimension" data-k="${k}" data-testid="dimension-${name}">
    <label for="slider-${name}">${name}</label>
    <button type="button" class="kit-button less" data-by="-1" tabindex="-1"
      data-testid="less-${name}">−</button>
    <span class="track"><i></i><input type="range" id="slider-${name}" step="any"
      data-testid="slider-${name}" /></span>
    <button type="button" class="kit-button more" data-by="1" tabindex="-1"
      data-testid="more-${name}">+</button>
    <input type="number" data-testid="value-${name}" />
    <button type="button" class="kit-button undo" data-undo="true"
      title="Back to the network’s value" data-testid="reset-${name}">↺</button>
  </div>`;

class Rows {
  constructor(box, sculptor) {
    this.box = box;
    this.sculptor = sculptor;
    this.parts = [];
    this.typing = -1; // the row whose number is being typed, which is left alone meanwhile
    const at = (event) => Number(event.target.closest(".dimension")?.dataset.k ?? -1);
    const slides = (event) => event.target.type === "range";
    const choose = (event) => at(event) >= 0 && sculptor.choose(at(event));
    const by = (k, step) => sculptor.move(k, sculptor.basis.value(k) + step);
    box.addEventListener("focusin", choose);
    box.addEventListener("pointerdown", (event) => {
      choose(event);
      if (slides(event)) this.before = { k: at(event), value: sculptor.basis.value(at(event)) };
    });
    // A touch that turns into scrolling takes back the jump that it began with.
    box.addEventListener("pointercancel", (event) => {
      if (slides(event) && this.before?.k === at(event)) sculptor.move(at(event), this.before.value);
    });
    box.addEventListener("input", (event) => {
      if (slides(event)) sculptor.move(at(event), event.target.valueAsNumber);
      else this.typing = at(event);
    });
    box.addEventListener("change", (event) => {
      this.typing = -1;
      if (!slides(event)) sculptor.move(at(event), event.target.valueAsNumber);
      this.paint(at(event));
    });
    box.addEventListener("focusout", () => (this.typing = -1));
    box.addEventListener("dblclick", (event) => slides(event) && sculptor.reset(at(event)));
    box.addEventListener("keydown", (event) => {
      const { fine, coarse } = sculptor.basis;
      const step = {
        ArrowRight: fine, ArrowUp: fine, ArrowLeft: -fine, ArrowDown: -fine,
        PageUp: coarse, PageDown: -coarse,
      }[event.key];
      const erased = ["Delete", "Backspace"].includes(event.key);
      if (!slides(event) || !(erased || step)) return;
      event.preventDefault();
      if (erased) sculptor.reset(at(event));
      else by(at(event), step);
    });
    box.addEventListener("click", (event) => {
      const { by: sign, undo } = event.target.closest("button")?.dataset ?? {};
      if (sign) by(at(event), sculptor.basis.coarse * Number(sign));
      else if (undo) {
        sculptor.reset(at(event));
        this.parts[at(event)].slider.focus();
      }
    });
  }

  build() {
    const { count } = this.sculptor.basis;
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
    const { basis, held } = this.sculptor;
    const [low, high] = basis.limits(k);
    const [now, home] = [basis.value(k), basis.home(k)];
    const place = (x) => Math.min(1, Math.max(0, (x - low) / (high - low)));
    if (Number(slider.min) !== low) slider.min = low;
    if (Number(slider.max) !== high) slider.max = high;
    if (slider.valueAsNumber !== now) slider.value = now;
    const moved = Math.abs(now - home) > 5e-5;
    const from = moved ? `${signed(now - home, 3)} from the network’s value` : "the network’s value";
    slider.setAttribute("aria-label", basis.label(k));
    slider.setAttribute("aria-valuetext", `${kit.number(now, basis.digits)}, ${from}`);
    if (this.typing !== k) value.value = (Math.abs(now) < 5e-4 ? 0 : now).toFixed(basis.digits);
    track.style.setProperty("--at", place(now));
    track.style.setProperty("--rest", place(home));
    row.title = from;
    row.classList.toggle("moved", moved);
    row.classList.toggle("chosen", held.dimension === k);
  }
}
