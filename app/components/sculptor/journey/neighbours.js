// Random poses near the held one that differ from it as real digits differ.
const NEIGHBOURS = 10;
const ALIKE = 1e-4; // numbers of a pose that are closer are the same; what is held is rounded

class Neighbours {
  constructor(panel) {
    this.panel = panel;
    this.reach = panel.test("nearby-reach");
    this.strip = new Strip(panel.test("nearby"), "nearby", NEIGHBOURS, (k) => this.hold(k));
    this.reach.oninput = () => this.draw();
    panel.test("nearby-others").onclick = () => {
      this.chance = null;
      this.draw();
    };
  }

  get population() {
    return this.panel.sculptor.basis.population;
  }

  hold(k) {
    this.panel.sculptor.put(this.poses[k]);
  }

  prepare() {
    const { panel } = this;
    const { data, held } = panel;
    const name = data.terms.each[held.digit];
    panel.test("nearby-box").hidden = !this.population;
    const unknown = data.atlas_problem || `No real ${name} is known to differ from.`;
    panel.test("nearby-words").textContent = this.population ? nearbyWords(name) : unknown;
    this.follow();
    if (this.population) this.strip.draw(this.pictures); // in the theme's colours
  }

  // Around what is held, unless that is one of those that are shown.
  follow() {
    const { population, panel } = this;
    if (!population) return;
    const { digit, pose } = panel.held;
    const kept = this.digit === digit && this.known === population;
    if (kept && [this.base, ...this.poses].some((one) => this.alike(one, pose))) this.mark();
    else this.draw();
  }

  alike(one, other) {
    return one.every((x, d) => Math.abs(x - other[d]) < ALIKE);
  }

  // Ten poses around what is held; the same chance goes on until others are asked for.
  draw() {
    const { population, panel } = this;
    const { digit, pose } = panel.held;
    this.chance ??= Array.from({ length: NEIGHBOURS }, () => population.chance());
    Object.assign(this, { base: pose, digit, known: population });
    const reach = this.reach.valueAsNumber;
    this.poses = this.chance.map((chance) =>
      asFar(pose, population.nearby(digit, pose, reach, chance)));
    this.pictures = this.poses.map((one) => panel.sculptor.decoder.decode(digit, one));
    const name = panel.data.terms.each[digit];
    const words = reachWords(reach, name);
    const far = reach < 1 && population.far(population.farness(digit, pose));
    panel.test("nearby-far").textContent = far ? farWords(name) : "";
    panel.test("nearby-reach-words").textContent = `${kit.number(reach, 1)}, ${words}`;
    this.reach.setAttribute("aria-valuetext", words);
    this.reach.parentElement.style.setProperty("--at", (reach - 0.1) / 0.9);
    this.strip.draw(this.pictures);
    this.mark();
  }

  mark() {
    const { population, digit, poses } = this;
    const { data, held } = this.panel;
    this.strip.mark(poses.map((pose) => {
      const farness = population.farness(digit, pose);
      const usual = usualWords(farness, data.terms.each[digit], population.count[digit]);
      return {
        words: `${Math.round(farness)} %`,
        title: `Hold a pose ${kit.number(normOf(pose))} long, ${usual}`,
        warn: population.far(farness),
      };
    }));
    const now = held.pose;
    this.strip.press((k) => held.digit === digit && this.alike(poses[k], now));
  }
}
