// Two ways to take a pose apart into numbers that can be moved one by one: its dimensions, and the
// principal axes of the poses of real digits. Both answer the same questions, about the held pose
// where none is given.
const SWEEP = 11; // pictures from one end of a sweep to the other, as in the paper's figure 4

class Basis {
  constructor(sculptor) {
    this.sculptor = sculptor;
  }

  get held() {
    return this.sculptor.held;
  }

  get digit() {
    return this.held.digit;
  }

  get count() {
    return this.held.size;
  }

  // The population, where the survey knows digits of this class; else null.
  get population() {
    const { population } = this.sculptor.network?.atlas ?? {};
    return population?.known(this.digit) ? population : null;
  }

  // All its numbers.
  values(pose) {
    return Array.from({ length: this.count }, (_, k) => this.value(k, pose));
  }

  // The number of the network's own pose.
  home(k) {
    return this.value(k, this.held.network());
  }

  // The reach in force: that of the real digits only where these are known.
  get reach() {
    const { reach } = this.sculptor.view;
    return reach === "population" && !this.population ? "wide" : reach;
  }

  // From where to where a slider goes.
  limits(k) {
    const { reach } = this;
    const home = this.home(k);
    if (reach === "paper") return [home - this.near, home + this.near];
    const quantiles = reach === "population" && this.quantiles(k);
    return quantiles ? [quantiles[0], quantiles.at(-1)] : [-this.far, this.far];
  }

  // The values of a sweep over the limits.
  stops(k) {
    const [low, high] = this.limits(k);
    return Array.from({ length: SWEEP }, (_, s) => low + ((high - low) * s) / (SWEEP - 1));
  }

  // Why a number that was typed cannot be, as a sentence; "" if it can.
  refusal(k, value) {
    if (!Number.isFinite(value)) return "That is no number.";
    const beyond = beyondOne(this.freely(k, value));
    if (!beyond) return "";
    const [d, x] = beyond;
    const there = `${kit.number(value, this.digits)} ${this.unit}`.trim();
    return `At ${there} dimension ${d + 1} would be ${kit.number(x)}: none can lie outside −1 … 1.`;
  }

  // The pose with this number changed, as far on the straight way there as a pose can be.
  with(k, value, pose = this.held.pose) {
    return asFar(pose, this.freely(k, value, pose));
  }

  // How many percent of the real digits have less, 0…100; null where that is not known.
  percentile(k, value = this.value(k)) {
    const quantiles = this.quantiles(k);
    return quantiles && this.population.percentile(quantiles, value);
  }

  // What the survey measured along it: the words for one thing, "" for no single property, null
  // where nothing is known.
  effect(k) {
    const { effects } = this;
    return effects && this.population ? effects.words[this.digit][k] : null;
  }

  // Mean square by which a sweep changes a pixel; 0 where it is not known.
  change(k) {
    return this.effects?.change[this.digit * this.count + k] || 0;
  }

  // The numbers of all, in the order in which they are shown.
  get order() {
    const all = Array.from({ length: this.count }, (_, k) => k);
    if (this.sculptor.view.order === "number" || !this.effects || !this.population) return all;
    return all.sort((a, b) => this.change(b) - this.change(a));
  }
}

class Dimensions extends Basis {
  near = 0.25; // how far the paper moves a dimension (section 5.1)
  far = 1;
  fine = 0.01; // step of the arrow keys
  coarse = 0.05; // and of the buttons, as in the paper's figure 4
  digits = 3; // after the point
  still = 5e-5; // a difference that is none
  unit = "";
  per = "0.1"; // of its effects
  kind = "dimension";
  labels = { paper: "±0.25", wide: "−1 … 1" };

  label(k) {
    return `Dimension ${k + 1}`;
  }

  value(k, pose = this.held.pose) {
    return pose[k];
  }

  // The pose with this number changed, be it one that can be or not.
  freely(k, value, pose = this.held.pose) {
    const moved = Float64Array.from(pose);
    moved[k] = value;
    return moved;
  }

  refusal(k, value) {
    if (!(Math.abs(value) > 1)) return super.refusal(k, value);
    return `${kit.number(value)} lies outside −1 … 1, where no dimension of a pose can be.`;
  }

  quantiles(k) {
    return this.population?.quantiles(this.digit, k) ?? null;
  }

  get effects() {
    return this.sculptor.network?.atlas?.effects ?? null;
  }
}

class Axes extends Basis {
  near = 2.5; // standard deviations, as the survey sweeps them
  far = 5;
  fine = 0.1;
  coarse = 0.5;
  digits = 2;
  still = 2e-3;
  unit = "σ";
  per = "σ";
  kind = "axis";
  labels = { paper: "±2.5 σ", wide: "−5 … 5 σ" };

  label(k) {
    return `Axis ${k + 1}`;
  }

  value(k, pose = this.held.pose) {
    return this.population.score(this.digit, pose, k);
  }

  values(pose) {
    return this.population.scores(this.digit, pose);
  }

  freely(k, value, pose = this.held.pose) {
    const { population, digit } = this;
    const along = (value - this.value(k, pose)) * population.width(digit, k);
    const axis = population.axis(digit, k);
    return Float64Array.from(pose, (x, d) => x + along * axis[d]);
  }

  quantiles(k) {
    return this.population?.scoreQuantiles(this.digit, k) ?? null;
  }

  get effects() {
    return this.sculptor.network?.atlas?.axes ?? null;
  }
}

// The first dimension of a pose that lies outside −1…1, as [d, value]; null if none does.
function beyondOne(pose) {
  const d = pose.findIndex((x) => Math.abs(x) > 1);
  return d < 0 ? null : [d, pose[d]];
}

// The last point of the straight way from one pose to another that has all dimensions in −1…1.
function asFar(from, to) {
  const shares = Array.from(to, (x, d) =>
    Math.abs(x) > 1 ? (Math.sign(x) - from[d]) / (x - from[d]) : 1,
  );
  const share = Math.max(0, Math.min(...shares));
  return share < 1 ? Float64Array.from(from, (x, d) => x + share * (to[d] - x)) : to;
}
