// What the survey measured along the directions of one digit: its numbers, one cell for each
// direction k and property p, and what can be told of a direction as a whole.
const SHARE_ROUNDING = 1e-6; // shares come as float32

class Measured {
  // `basis` says which directions; null of `Measured.of` is where nothing is known.
  constructor(basis, digit) {
    const { properties, rules, swept } = basis.sculptor.network.atlas;
    Object.assign(this, { basis, digit, properties, rules, effects: basis.effects });
    this.count = swept[digit];
  }

  static of(basis, digit = basis.digit) {
    const atlas = basis.sculptor.network?.atlas;
    return atlas?.swept[digit] ? new Measured(basis, digit) : null;
  }

  // {slope, spread, same} as in capsnet.analysis.effects; strength, the whole sweep in usual
  // differences; agreed, whether enough digits change the same way; strong, whether it could name.
  cell(k, p) {
    const i = (this.digit * this.basis.count + k) * this.properties.length + p;
    const { slope, spread, same } = this.effects;
    const strength = (slope[i] * this.rules.span) / this.properties[p].scale;
    const agreed = same[i] >= this.rules.same - SHARE_ROUNDING;
    const strong = agreed && Math.abs(strength) >= this.rules.strong;
    return { slope: slope[i], spread: spread[i], same: same[i], strength, agreed, strong };
  }

  // The property that direction k has its name from; −1 for no single property.
  named(k) {
    const [word] = this.words(k).split(",");
    return this.properties.findIndex(({ more, less }) => word === more || word === less);
  }

  words(k) {
    return this.effects.words[this.digit][k];
  }

  // By how much a sweep changes a pixel, as a root mean square.
  change(k) {
    return Math.sqrt(this.effects.change[this.digit * this.basis.count + k]);
  }

  // What an effect makes of a digit: "thicker".
  towards(k, p) {
    const { more, less } = this.properties[p];
    return this.cell(k, p).strength > 0 ? more : less;
  }

  // The strong effects of direction k, strongest first. Of kin only the stronger counts, and ink
  // only where it is alone: it says nothing about shape.
  strongest(k) {
    const found = this.properties
      .map((one, p) => ({ p, ...one, size: Math.abs(this.cell(k, p).strength) }))
      .filter(({ p }) => this.cell(k, p).strong)
      .sort((a, b) => b.size - a.size);
    const shapes = found.filter(({ name }) => name !== "ink");
    const kept = [];
    for (const one of shapes) if (!kept.some(({ kin }) => kin.includes(one.name))) kept.push(one);
    return (kept.length ? kept : found).map(({ p }) => p);
  }

  // Whether the picture changes by more than any of the properties explains.
  unmeasured(k) {
    const { rules, properties } = this;
    const sizes = properties.map(({ name }, p) =>
      name !== "ink" && this.cell(k, p).agreed ? Math.abs(this.cell(k, p).strength) : 0,
    );
    return this.change(k) > rules.explained * Math.max(rules.strong, ...sizes);
  }

  // The words for direction k: its name, or what it changes most, which is never a name.
  telling(k) {
    const name = this.words(k);
    if (name) return name;
    if (this.unmeasured(k)) return `${NO_NAME}: mostly what is not measured`;
    const most = this.strongest(k).slice(0, 2);
    if (!most.length) return `${NO_NAME}: none changes by much`;
    return `${NO_NAME}: mostly ${most.map((p) => this.towards(k, p)).join(", ")}`;
  }

  // Of how many directions there are, how many have a name, how many change several properties, and
  // how many change each of them.
  get summary() {
    const all = Array.from({ length: this.basis.count }, (_, k) => k);
    const count = (holds) => all.filter(holds).length;
    return {
      all: all.length,
      named: count((k) => this.named(k) >= 0),
      several: count((k) => this.named(k) < 0 && this.strongest(k).length > 1),
      changed: this.properties.map((_, p) => count((k) => this.cell(k, p).strong)),
    };
  }
}

const NO_NAME = "no single property";
