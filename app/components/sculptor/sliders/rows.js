// Rows of sliders, number fields and buttons, one for each number of a basis, with what real digits
// have there and what it was measured to do.
const rowHtml = (k, name) => `
  <div class="number" data-k="${k}" data-testid="dimension-${name}">
    <label for="slider-${name}"><b></b> <small></small></label>
    <button type="button" class="kit-button less" data-by="-1" tabindex="-1"
      data-testid="less-${name}">−</button>
    <span class="track">
      <svg viewBox="0 0 ${BINS} 1" preserveAspectRatio="none" aria-hidden="true"><path /></svg>
      <i></i><u data-testid="back-${name}"></u><em data-testid="beyond-${name}"></em>
      <input type="range" id="slider-${name}" step="any" data-testid="slider-${name}" />
    </span>
    <button type="button" class="kit-button more" data-by="1" tabindex="-1"
      data-testid="more-${name}">+</button>
    <input type="number" step="any" data-testid="value-${name}" />
    <button type="button" class="kit-button undo" data-undo="true"
      title="Back to the network’s value" data-testid="reset-${name}">↺</button>
    <span class="effect" data-testid="effect-${name}"></span>
    <span class="share" data-testid="share-${name}"></span>
    <p class="refused" role="alert" data-testid="refused-${name}"></p>
  </div>`;

const AT_END = 1 - 1e-5; // a dimension with no smaller size cannot go farther

class Rows {
  // `basis()` is the one in force; `names(k)` the end of a row's test ids; `typing` the row whose
  // number is being typed, left alone meanwhile.
  constructor(box, sculptor, basis, names = (k) => k + 1) {
    Object.assign(this, { box, sculptor, given: basis, names, parts: [], typing: -1 });
    this.refusal = null; // {k, words, pose}: what was typed there while this was held, and why not
    handle(this);
  }

  get basis() {
    return this.given();
  }

  // --- what the hand does ----------------------------------------------------------------------

  choose(k) {
    if (this.basis === this.sculptor.basis) this.sculptor.choose(k);
  }

  // Move a number; one that cannot go so far stops where a dimension has come to its end.
  move(k, value) {
    if (!Number.isFinite(value)) return;
    const { basis, sculptor } = this;
    this.choose(k);
    sculptor.put(basis.with(k, value));
    const short = Math.abs(basis.value(k) - value) > 1e-3;
    const ended = short ? sculptor.held.pose.findIndex((x) => Math.abs(x) > AT_END) : -1;
    this.stopped = ended < 0 ? null : { k, d: ended };
  }

  reset(k) {
    this.move(k, this.parts[k].home);
  }

  // Take a number that was typed, or say why not.
  take(k, value) {
    this.typing = -1;
    const { basis } = this;
    const why = basis.refusal(k, value);
    const words = `${why} It stays at ${spoken(basis.value(k), basis)}.`;
    this.refusal = why ? { k, words, pose: this.sculptor.held.pose.join() } : null;
    if (!why) this.move(k, value);
    this.repaint(k);
  }

  // A refusal stands beside its row until something moves.
  paintRefusal(pose) {
    if (this.refusal && this.refusal.pose !== pose.join()) this.refusal = null;
    this.parts.forEach(({ refused }, k) => {
      const words = this.refusal?.k === k ? this.refusal.words : "";
      if (refused.textContent !== words) refused.textContent = words;
    });
  }

  // --- the page --------------------------------------------------------------------------------

  // What stays while a slider moves.
  lay() {
    const { basis, sculptor, typing } = this;
    const name = sculptor.data.terms.each[basis.digit];
    this.build(basis.count);
    this.refusal = this.stopped = null;
    this.typing = -1;
    const shapes = this.parts.map((part, k) => {
      Object.assign(part, { limits: basis.limits(k), home: basis.home(k), painted: "" });
      const quantiles = basis.quantiles(k);
      return quantiles && sharesWithin(basis.population, quantiles, part.limits);
    });
    const full = Math.max(...shapes.flatMap((shares) => shares ?? []), 1e-9);
    this.parts.forEach((part, k) => {
      part.path.setAttribute("d", shapes[k] ? outline(shapes[k], full) : "");
      this.label(part, k, name);
    });
    if (typing >= 0) this.repaint(typing);
  }

  build(count) {
    if (this.parts.length !== count) {
      const names = Array.from({ length: count }, (_, k) => this.names(k));
      this.box.innerHTML = names.map((name, k) => rowHtml(k, name)).join("");
      this.parts = [...this.box.children].map((row) => {
        const find = (selector) => row.querySelector(selector);
        return {
          row, track: find(".track"), path: find("path"), slider: find("[type=range]"),
          value: find("[type=number]"), effect: find(".effect"), share: find(".share"),
          refused: find(".refused"), beyond: find("em"),
        };
      });
    }
    this.arrange(this.basis.order);
  }

  // The rows in this order; what has the focus keeps it.
  arrange(order) {
    const wanted = order.map((k) => this.parts[k].row);
    if (wanted.every((row, place) => this.box.children[place] === row)) return;
    const focused = this.box.getRootNode().activeElement;
    this.box.append(...wanted);
    if (focused && this.box.contains(focused)) focused.focus({ preventScroll: true });
  }

  label({ row, slider, value, effect, limits: [low, high] }, k, name) {
    const { basis } = this;
    const [number, small] = row.querySelector("label").children;
    const label = basis.label(k);
    number.textContent = basis.kind === "length" ? label : k + 1;
    const axis = basis.kind === "axis";
    const part = axis ? 100 * basis.population.explained(basis.digit, k) : 0;
    const share = part < 0.1 ? "<0.1" : kit.number(part, part < 10 ? 1 : 0);
    small.textContent = axis ? `${share} %` : "";
    row.firstElementChild.title = axis
      ? `${share} % of the variance of real ${name}s’ poses; it moves all dimensions together`
      : label;
    slider.setAttribute("aria-label", label);
    value.setAttribute("aria-label", `${label}, number`);
    for (const [button, what] of [["less", "less"], ["more", "more"], ["undo", "reset"]]) {
      row.querySelector(`.${button}`).setAttribute("aria-label", `${label}: ${what}`);
    }
    [slider.min, slider.max] = [low, high];
    const words = basis.effect(k);
    effect.textContent = words || (words === "" ? "no single property" : "");
    effect.classList.toggle("none", words === "");
    effect.title = words === null ? "" : measuredWords(basis, k, name);
  }

  repaint(k) {
    this.typing = -1;
    this.parts[k].painted = "";
    this.sculptor.redrawSoon();
  }

  // What moves: the numbers of the held pose, and of the one that came `back`, if one did. Returns
  // the rows that are off.
  paint(pose, back) {
    const { basis } = this;
    const values = basis.values(pose);
    const returned = back && basis.values(back);
    const here = (k) => this.paintRow(k, values[k], returned && returned[k]);
    this.paintRefusal(pose);
    if (this.stopped && Math.abs(pose[this.stopped.d]) < AT_END) this.stopped = null;
    return this.parts.map((_, k) => k).filter(here);
  }

  // Only what is seen to change is written: that is what costs.
  paintRow(k, now, returned) {
    const { basis, sculptor, stopped } = this;
    const part = this.parts[k];
    const { row, track, slider, value, share, beyond, home, limits: [low, high] } = part;
    const place = (x) => Math.min(1, Math.max(0, (x - low) / (high - low)));
    const back = returned !== null;
    const chosen = basis === sculptor.basis && sculptor.held.dimension === k;
    const stop = stopped?.k === k ? stopped.d : -1;
    if (Math.abs(place(slider.valueAsNumber) - place(now)) > 1e-4) slider.value = now;
    const painted = [plain(now, basis.digits), returned, chosen, stop, this.typing === k].join();
    if (part.painted === painted) return part.off;
    part.painted = painted;
    const moved = Math.abs(now - home) > basis.still;
    const from = `${signed(now - home, basis.digits)} from the network’s value`;
    const name = sculptor.data.terms.each[basis.digit];
    const standing = standingWords(basis, k, now, name);
    const words = stop < 0 ? standing.words : `stops: dimension ${stop + 1} is at its end`;
    const told = [spoken(now, basis), moved ? from : "the network’s value", words];
    slider.setAttribute("aria-valuetext", told.filter(Boolean).join(", "));
    if (this.typing !== k) value.value = plain(now, basis.digits);
    track.style.setProperty("--at", place(now));
    track.style.setProperty("--rest", place(home));
    if (back) track.style.setProperty("--back", place(returned));
    track.classList.toggle("returned", back);
    const out = [now < low - END, now > high + END];
    beyond.textContent = out[0] ? "‹" : out[1] ? "›" : "";
    beyond.classList.toggle("low", out[0]);
    track.title = [
      moved ? from : "The network’s value",
      out[0] || out[1] ? "beyond this end of the slider" : "",
      back ? `${spoken(returned, basis)} came back` : "",
    ].filter(Boolean).join("; ");
    share.textContent = words;
    share.title = standing.more;
    part.off = standing.off;
    row.classList.toggle("off", standing.off || stop >= 0);
    row.classList.toggle("moved", moved);
    row.classList.toggle("chosen", chosen);
    return part.off;
  }
}

// A number without the sign of a zero: as a field wants it, and as text.
const plain = (value, digits) => (Math.abs(value) < 0.5 / 10 ** digits ? 0 : value).toFixed(digits);
const spoken = (value, { digits, unit }) =>
  `${plain(value, digits).replace("-", "−")} ${unit}`.trim();
