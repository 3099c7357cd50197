// What every number of the pose does to the picture, as the survey measured it.
class EffectsPanel extends Panel {
  constructor(sculptor) {
    super(sculptor, "effects");
    this.canvas = this.test("effects-matrix");
    this.stage = new Stage(this.canvas);
    this.cursor = null; // {row, column} that is looked at
    this.listen();
    for (const button of this.root.querySelectorAll("[data-save]")) {
      button.onclick = () => this.save(button.dataset.save);
    }
  }

  get basis() {
    return this.sculptor.basis;
  }

  get digit() {
    return this.data.names[this.held.digit];
  }

  // --- what is on the page -------------------------------------------------------------------

  prepare() {
    const measured = Measured.of(this.basis);
    this.measured = measured;
    this.order = this.basis.order;
    this.find(".effects-known").hidden = !measured;
    this.find(".effects-method").hidden = Boolean(this.data.effects_problem);
    this.test("effects-missing").hidden = Boolean(measured);
    this.test("effects-missing").textContent = measured ? "" : this.missing();
    for (const button of this.root.querySelectorAll("[data-save]")) button.disabled = !measured;
    if (!measured) return;
    this.describe();
    this.fit();
    this.cursor = null;
    this.drawn = null;
    this.tell();
  }

  describe() {
    const { measured, digit, basis } = this;
    const kind = basis.kind === "axis" ? "an axis" : "a dimension";
    const everywhere = effectsEverywhere(basis, Object.keys(this.data.names).map(Number));
    this.find("h3").textContent = `What ${kind} does, measured`;
    this.canvas.setAttribute("aria-label", `What ${kind} of capsule ${digit} does, measured`);
    this.test("effects-summary").textContent = effectSummary(measured, digit, everywhere);
    this.test("effects-whose").textContent = this.whose();
    this.test("effects-rules").textContent = effectRules(measured.rules, this.data.terms.images);
    this.test("effects-scales").textContent = effectScales(measured.properties);
  }

  fit() {
    const touch = matchMedia("(pointer: coarse)").matches;
    const { properties } = this.measured;
    const width = this.find(".effects-known").clientWidth;
    this.plan = new MatrixPlan(width, this.order.length, properties.length, touch);
    this.stage.fit(width, this.plan.height);
    this.find(".effects-known").classList.toggle("narrow", this.plan.narrow);
  }

  missing() {
    const { atlas_problem: problem, effects_problem: never } = this.data;
    if (never) return `What the dimensions do is not measured for this network. ${never}`;
    if (problem) return `What the dimensions do has not been measured. ${problem}`;
    return this.sculptor.network
      ? `No test ${this.data.terms.image} of class ${this.digit} was there to be measured.`
      : "The network is on its way to the browser.";
  }

  // What is measured belongs to test digits, not to the input.
  whose() {
    const { winner, names, blank, terms } = this.data;
    const { count } = this.measured;
    const those = `${terms.each[this.held.digit]}s`;
    const from = `Measured over ${count} test ${those} that the network reads right`;
    if (blank) return `${from}. Nothing is drawn: the pose that is held now is none of theirs.`;
    if (this.held.digit === winner) {
      return `${from}. A pose far from theirs, or one dimension moved far, may do something else.`;
    }
    return (
      `${from}. The capsule that is held lost to ${names[winner]}, so its pose is none of ` +
      "theirs: what a dimension does to the picture above may differ."
    );
  }

  // Nothing here follows the pose but which number is chosen.
  paint() {
    if (!this.measured) return;
    const { row, column } = this.cursor ?? {};
    const state = `${this.held.dimension} ${row} ${column}`;
    if (state === this.drawn) return;
    this.drawn = state;
    const shown = { order: this.order, chosen: this.held.dimension, cursor: this.cursor };
    this.stage.draw((sheet) => drawMatrix(sheet, this.plan, this.measured, shown));
    if (!this.cursor) this.tell();
  }

  // The sentence under the table: of the cell that is looked at, or of the chosen row.
  tell() {
    const { row, column } = this.cursor ?? { column: -1 };
    const k = this.cursor ? this.order[row] : this.held.dimension;
    const words = column < 0
      ? effectRow(this.measured, k)
      : effectCell(this.measured, k, column, this.data.terms.each[this.held.digit]);
    const line = this.test("effect-words");
    if (line.textContent !== words) line.textContent = words;
  }

  // --- pointer and keys ----------------------------------------------------------------------

  listen() {
    const { canvas } = this;
    canvas.onpointermove = (event) => {
      if (event.pointerType !== "touch") this.look(this.plan.at(...this.stage.at(event)));
    };
    canvas.onpointerleave = () => canvas.matches(":focus-visible") || this.look(null);
    canvas.onclick = (event) => {
      const at = this.plan.at(...this.stage.at(event));
      if (!at) return;
      this.look(at);
      this.sculptor.choose(this.order[at.row]);
    };
    canvas.onblur = () => this.look(null);
    canvas.onfocus = () => {
      if (!this.cursor && canvas.matches(":focus-visible")) this.look(this.start());
    };
    canvas.onkeydown = (event) => this.key(event);
  }

  start() {
    return { row: Math.max(0, this.order.indexOf(this.held.dimension)), column: -1 };
  }

  // Column −1 is the row as a whole.
  key(event) {
    const { row, column } = this.cursor ?? this.start();
    const { rows, columns } = this.plan;
    const to = {
      ArrowUp: [row - 1, column], ArrowDown: [row + 1, column],
      ArrowLeft: [row, column - 1], ArrowRight: [row, column + 1],
      Home: [row, -1], End: [row, columns - 1], PageUp: [0, column], PageDown: [rows - 1, column],
    }[event.key];
    const chosen = event.key === "Enter" || event.key === " ";
    if (!to && !chosen) return;
    event.preventDefault();
    if (chosen) return this.sculptor.choose(this.order[row]);
    const within = (value, low, high) => Math.min(high, Math.max(low, value));
    this.look({ row: within(to[0], 0, rows - 1), column: within(to[1], -1, columns - 1) });
  }

  look(at) {
    if (!this.measured) return;
    this.cursor = at;
    this.tell();
    this.paint();
  }

  // --- to take away --------------------------------------------------------------------------

  poster() {
    const { measured, order, digit, basis } = this;
    const plan = new MatrixPlan(1100, order.length, measured.properties.length);
    const reach = `±${basis.near} ${basis.unit}`.trim();
    return {
      title: `What the ${kindsOfBasis(basis)} of capsule ${digit} do`,
      lines: [
        this.test("effects-summary").textContent,
        `Each cell: how far a sweep of ${reach} moves a property, in usual differences between ` +
          `two ${this.data.terms.images} of a class. ${this.data.network_title}`,
      ],
      width: plan.width,
      height: plan.height,
      draw: (sheet) => drawMatrix(sheet, plan, measured, { order, chosen: -1 }),
    };
  }

  async save(kind) {
    const kinds = kindsOfBasis(this.basis);
    const { names, terms } = this.data;
    if (kind === "csv") {
      const file = `capsnet-effects-${kinds}-all-${terms.digits}.csv`;
      return kit.saveCsv(effectTable(this.basis, names), file);
    }
    const file = `capsnet-effects-${kinds}-capsule-${kit.fileName(this.digit)}.${kind}`;
    kit.saveBlob(await POSTERS[kind](this.sculptor.root, this.poster()), file);
  }
}
