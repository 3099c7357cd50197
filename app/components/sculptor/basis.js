// Two ways to take a pose apart into numbers that can be moved one by one: its dimensions, and the
// principal axes of the poses of real digits. Both answer the same questions, about the held pose
// where none is given.
const REACHES = ["paper", "wide", "population"];
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

  // The number of the network's own pose.
  home(k) {
    return this.value(k, this.held.network());
  }

  // From where to where a slider goes.
  limits(k) {
    const { reach } = this.sculptor.view;
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
    if (this.sculptor.view.order === "number" || !this.effects) return all;
    return all.sort((a, b) => this.change(b) - this.change(a));
  }
}

class Dimensions extends Basis {
  near = 0.25; // how far the paper moves a dimension (section 5.1)
  far = 1;
  fine = 0.01; // step of the arrow keys
  coarse = 0.05; // and of the buttons, as in the paper's figure 4
  digits = 3; // after the point
  unit = "";
  per = "0.1"; // of its effects
  labels = { paper: "±0.25", wide: "−1 … 1", population: "Real digits" };

  label(k) {
    return `Dimension ${k + 1}`;
  }

  value(k, pose = this.held.pose) {
    return pose[k];
  }

  // The pose with this number changed.
  with(k, value, pose = this.held.pose) {
    const moved = Float64Array.from(pose);
    moved[k] = value;
    return moved;
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
  unit = "σ";
  per = "σ";
  labels = { paper: "±2.5 σ", wide: "−5 … 5 σ", population: "Real digits" };

  label(k) {
    return `Axis ${k + 1}`;
  }

  value(k, pose = this.held.pose) {
    const { population, digit } = this;
    const mean = population.mean(digit);
    const away = Float64Array.from(pose, (x, d) => x - mean[d]);
    return dotted(away, population.axis(digit, k)) / population.width(digit, k);
  }

  with(k, value, pose = this.held.pose) {
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

const dotted = (a, b) => a.reduce((sum, x, k) => sum + x * b[k], 0);
