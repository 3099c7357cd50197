// The paper's figure 4: every number of the pose swept from end to end, the others held.
const GRID_WIDE = 1000; // CSS pixels of the component's width, as in the style sheet
const GRID_PREVIEW = { wide: 196, narrow: 84 }; // CSS pixels
const GRID_REST = matchMedia("(pointer: coarse)").matches
  ? ["The held picture", "A tap on another one holds its pose."]
  : ["The held picture", "Point at another one to see it here, with its numbers."];
const GRID_STEPS = {
  ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0],
  Home: [0, -SWEEP], End: [0, SWEEP], PageUp: [-4, 0], PageDown: [4, 0],
};

class GridPanel extends Panel {
  constructor(sculptor) {
    super(sculptor, "grid");
    this.box = this.test("grid");
    this.rows = new SweepRows(this.find(".sweep-rows"), sculptor);
    this.frames = new Frames(sculptor, {
      drawn: (k) => this.drawn(k),
      done: () => this.said(),
    });
    this.at = null; // the picture that is looked at: {k, s}
    this.changes = false; // whether the pictures show what differs from the held one
    this.verdicts = new GridVerdicts(this);
    this.listen();
    // For scripts and tests: the pixels of a picture, once it is drawn.
    this.box.picture = (k, s) => this.frames.fresh(k) && this.frames.pixels(k, s);
  }

  // --- the hand --------------------------------------------------------------------------------

  listen() {
    const { box } = this;
    box.onclick = (event) => this.go(this.rows.under(event));
    const mouse = (act) => (event) => event.pointerType === "mouse" && act(event);
    box.onpointermove = mouse((event) => this.look(this.rows.under(event)));
    box.onpointerleave = mouse(() => this.look(null));
    box.onblur = () => this.look(null);
    box.onkeydown = (event) => this.key(event);
    for (const button of this.root.querySelectorAll("[data-save]")) {
      button.onclick = () => saveGrid(button.dataset.save, this);
    }
    this.test("grid-change").onclick = () => this.show(!this.changes);
  }

  // Hold the pose of a picture.
  go(at) {
    if (!at) return;
    this.look(at);
    this.sculptor.move(at.k, this.sculptor.basis.stops(at.k)[at.s]);
  }

  key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const step = GRID_STEPS[event.key];
    if (!step && event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    if (!step) return this.go(this.at);
    const [down, right] = this.at ? step : [0, 0]; // the first arrow shows where one is
    const { k, s } = this.at ?? this.here;
    const { order } = this.sculptor.basis;
    const within = (place, length) => Math.min(length - 1, Math.max(0, place));
    const row = within(order.indexOf(k) + down, order.length);
    this.look({ k: order[row], s: within(s + right, SWEEP) });
    this.rows.parts[order[row]].cells.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  // The picture next to the held value of the marked number.
  get here() {
    const k = this.held.dimension;
    const { basis } = this.sculptor;
    const [low, high] = basis.limits(k);
    const stop = Math.round(((basis.value(k) - low) / (high - low)) * (SWEEP - 1));
    return { k, s: Math.min(SWEEP - 1, Math.max(0, stop)) };
  }

  // Look at one picture closely; at the held one where it is null.
  look(at) {
    if (at?.k === this.at?.k && at?.s === this.at?.s) return;
    this.at = at;
    this.rows.point(at);
    this.preview();
  }

  preview() {
    const { at, frames, sculptor } = this;
    const seen = at && frames.fresh(at.k);
    const fit = GRID_PREVIEW[this.wide ? "wide" : "narrow"];
    const canvas = this.test("grid-preview");
    const pixels = seen ? frames.pixels(at.k, at.s) : sculptor.pixels;
    const apart = { scale: "signed", low: -1, high: 1, fit };
    if (this.changes) kit.drawGrid(canvas, pixels.map((x, i) => x - sculptor.pixels[i]), apart);
    else kit.drawGrid(canvas, pixels, { fit });
    const lines = at ? gridPlace(sculptor, frames, at) : [...GRID_REST];
    const read = at && this.verdicts.readings?.[at.k][at.s];
    if (read) lines.push(gridReading(read, this.data.names));
    canvas.setAttribute("aria-label", lines[0]);
    const box = this.test("grid-words");
    if (box.dataset.told === lines.join()) return;
    box.dataset.told = lines.join();
    box.replaceChildren(
      ...lines.map((text) => Object.assign(document.createElement("p"), { textContent: text })),
    );
  }

  // --- the pictures ----------------------------------------------------------------------------

  // Show the pictures, or what of them differs from the held one.
  show(changes) {
    this.changes = changes;
    this.scale();
    this.films();
    this.preview();
  }

  scale() {
    const { paper, ink } = kit.theme(this.sculptor.root);
    const box = this.test("grid-scale");
    const stops = this.changes ? kit.palette.scales.signed : [paper, ink];
    const words = this.changes ? ["−1", "change", "+1"] : ["0", "ink", "1"];
    box.style.setProperty("--stops", stops.join());
    box.querySelectorAll("span").forEach((span, n) => (span.textContent = words[n]));
    this.test("grid-change").setAttribute("aria-pressed", this.changes);
  }

  // All rows that are drawn, in the colours in force.
  films() {
    this.limits.forEach((_, k) => this.frames.fresh(k) && this.film(k));
  }

  film(k) {
    const from = this.changes ? this.sculptor.pixels : null;
    this.rows.film(k, this.frames.rows[k].pixels, from);
  }

  prepare() {
    const { sculptor, rows } = this;
    const { basis, section } = sculptor;
    const first = !rows.parts.length;
    this.wide = section.clientWidth >= GRID_WIDE;
    rows.build(basis.order);
    rows.fit(this.wide);
    this.limits = Array.from({ length: basis.count }, (_, k) => basis.limits(k));
    const { title, heads } = gridColumns(sculptor);
    this.test("grid-columns").textContent = title;
    this.find(".sweep-heads").innerHTML = heads
      .map((words, s) => `<span style="left: ${s * rows.pitch}px">${words}</span>`)
      .join("");
    for (let k = 0; k < basis.count; k++) {
      rows.name(k, gridEffect(basis, k), heads.length ? "" : gridEnds(basis, k));
    }
    this.test("grid-title").textContent = `Every ${gridKind(basis)}, from end to end`;
    this.test("grid-measured").textContent = gridMeasured(sculptor);
    this.frames.aim();
    this.scale();
    this.films();
    this.said();
    const box = this.find(".sweeps-box");
    if (first) box.scrollLeft = (box.scrollWidth - box.clientWidth) / 2;
  }

  paint() {
    const { frames, sculptor } = this;
    if (sculptor.resting) frames.stop();
    frames.aim();
    const moving = this.changes && Boolean(sculptor.resting); // then what changes is not known yet
    this.limits.forEach((limits, k) => this.rows.paint(k, limits, frames.fresh(k) && !moving));
    this.preview();
    this.verdicts.tell();
  }

  rested() {
    this.frames.aim();
    if (this.changes) this.films();
    this.limits.forEach((limits, k) => this.rows.paint(k, limits, this.frames.fresh(k)));
    this.frames.begin(this.sculptor.basis.order);
    if (this.verdicts.wanted) this.verdicts.ask();
    else this.verdicts.tell();
  }

  scrolled(seen) {
    if (!seen) this.frames.stop();
    super.scrolled(seen);
  }

  // Row k is drawn.
  drawn(k) {
    this.film(k);
    this.rows.paint(k, this.limits[k], true);
    if (this.at?.k === k) this.preview();
  }

  // What the rows show; more when all are drawn.
  said() {
    this.test("grid-note").textContent = gridNote(this.sculptor, this.frames);
  }

  // Have all pictures, whatever the time it takes.
  complete() {
    this.frames.finish(this.sculptor.basis.order);
  }

  stop() {
    super.stop();
    this.frames.stop();
  }

  answered() {
    this.verdicts.hear(this.sculptor.readings?.sweep ?? null);
    this.preview();
  }
}
