// The sliders: a pose taken apart by its dimensions or by the axes of real digits, and its length.
const NEARBY = 0.5; // how far "Random nearby" goes, as a share of the real digits' spread …
const STEP = 0.08; // … and where that is not known, as the deviation of a dimension

class SlidersPanel extends Panel {
  constructor(sculptor) {
    super(sculptor, "sliders");
    this.span = new PoseLength(sculptor);
    this.rows = new Rows(this.test("dimensions"), sculptor, () => sculptor.basis);
    this.length = new Rows(this.test("length-row"), sculptor, () => this.span, () => "length");
    const acts = {
      basis: (basis) => sculptor.show({ basis }),
      reach: (reach) => sculptor.show({ reach }),
      order: () => sculptor.show({ order: sculptor.view.order === "change" ? "number" : "change" }),
      do: (what) => this[what](),
    };
    for (const [name, act] of Object.entries(acts)) {
      for (const button of this.buttons(name)) button.onclick = () => act(button.dataset[name]);
    }
  }

  buttons(name) {
    return this.root.querySelectorAll(`[data-${name}]`);
  }

  undo() {
    this.sculptor.recall("undo");
  }

  redo() {
    this.sculptor.recall("redo");
  }

  reset() {
    this.sculptor.reset();
  }

  // Another pose near the held one, by chance.
  wander() {
    const { basis, pose } = this.sculptor;
    const { population, digit } = basis;
    this.sculptor.put(
      population?.nearby(digit, pose, NEARBY) ?? pose.map((x) => x + STEP * kit.normal()),
    );
  }

  prepare() {
    this.rows.lay();
    this.length.lay();
    this.set();
    this.tell();
  }

  // How the sliders are set up, and what of it cannot be.
  set() {
    const { view, basis, bases, network, data } = this.sculptor;
    const unknown = Boolean(data.atlas_problem) || (network && !basis.population);
    const inForce = {
      basis: basis === bases.axes ? "axes" : "dimensions", reach: basis.reach, order: view.order,
    };
    for (const name of ["basis", "reach", "order"]) {
      for (const button of this.buttons(name)) {
        const what = button.dataset[name];
        button.setAttribute("aria-pressed", what === inForce[name]);
        button.disabled = what === "change" ? unknown || !basis.effects
          : unknown && ["axes", "population"].includes(what);
        if (name === "reach") button.textContent = basis.labels[what] ?? `Real ${data.terms.images}`;
      }
    }
    this.unknown = unknown;
  }

  // The words that stay while a slider moves.
  tell() {
    const { basis, data } = this.sculptor;
    const { population, digit, kind, fine, coarse, unit } = basis;
    const { test_set: tested, terms } = data;
    const name = terms.each[digit];
    this.test("real-digits").textContent = population
      ? `Real ${name}s: the ${population.count[digit]} of ${possessive(tested)} test set that this ` +
        `network reads right.`
      : "";
    this.root.classList.toggle("axes", kind === "axis");
    this.root.classList.toggle("unmeasured", Boolean(population) && !basis.effects);
    this.find(".legend").hidden = !population;
    this.find(".head-label").textContent = kind === "axis" ? "Axis" : "Dim.";
    this.find(".head-effect").textContent = population && basis.effects ? "Measured effect" : "";
    this.find(".head-share").textContent = population ? `Among real ${name}s` : "";
    const steps = (x) => `${kit.number(x, kind === "axis" ? 1 : 2)} ${unit}`.trim();
    const too = kind === "axis" ? " (the length by 0.01 and 0.05)" : "";
    this.test("keys").textContent =
      `Arrow keys move a slider by ${steps(fine)}, Page keys and the buttons by ${steps(coarse)}` +
      `${too}; Home and End go to its ends. Delete or a double click takes it back to the ` +
      `network’s value.`;
    this.test("axes-note").hidden = kind !== "axis";
    this.test("axes-note").textContent =
      `The principal axes are the directions in which the poses of real ${name}s differ, the ` +
      `widest first, in standard deviations (σ) from their mean. Each moves all ${terms.sixteen} ` +
      `dimensions.`;
  }

  paint() {
    const { held } = this;
    const { basis, pose, data } = this.sculptor;
    const back = this.sculptor.returned;
    const off = this.rows.paint(pose, back).map((k) => basis.label(k).toLowerCase());
    if (this.length.paint(pose, back).length) off.push("the length");
    const name = data.terms.each[held.digit];
    const missing = data.atlas_problem
      ? `Where real ${data.terms.images} lie is not known. ${data.atlas_problem}`
      : `This network reads no ${name} of the test set right: where real ones lie is not known.`;
    const { population, digit } = basis;
    const farness = population ? population.farness(digit, pose) : 0;
    const known = population ? poseWords(basis, farness, off, name) : "";
    const words = this.unknown ? missing : known;
    const line = this.test("pose-words");
    if (line.textContent !== words) line.textContent = words;
    line.classList.toggle("warned", Boolean(population) && (off.length > 0 || population.far(farness)));
    this.test("reset-all").disabled = !held.moved;
    this.test("undo").disabled = !held.undoable;
    this.test("redo").disabled = !held.redoable;
  }

  rested() {
    this.paint();
    const { basis, pose } = this.sculptor;
    this.test("pose-words").title = basis.population ? distanceWords(basis, pose) : "";
  }

  answered() {
    this.paint();
  }
}
