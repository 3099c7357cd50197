// Where the poses of real digits lie: what capsnet.analysis.population says, asked in the browser.
// Quantiles are arrays of one quantity at the percentiles `levels`.
const TAIL = 0.5; // percent at either end of a dimension that count as off
const FAR = 99; // a pose is off beyond this percentile of the distance
const FLAT = 1e-3; // a principal axis counts as at least this part of the widest one

const dot = (a, b) => a.reduce((sum, x, k) => sum + x * b[k], 0);

class Population {
  // `tensors` are named population.…, as in capsnet.analysis.population.PosePopulation.
  constructor(tensors, shapes, levels, count) {
    const get = (name) => tensors[`population.${name}`];
    const [, size, stops] = shapes["population.quantiles"];
    Object.assign(this, { size, stops, levels, count, get, wide: [] });
  }

  known(digit) {
    return this.count[digit] > 0;
  }

  // Numbers of one class: those of one dimension or axis k where there is a k.
  part(name, digit, width, k = 0, rows = 1) {
    const from = (digit * rows + k) * width;
    return this.get(name).subarray(from, from + width);
  }

  quantiles(digit, k) {
    return this.part("quantiles", digit, this.stops, k, this.size);
  }

  scoreQuantiles(digit, k) {
    return this.part("score_quantiles", digit, this.stops, k, this.size);
  }

  lengthQuantiles(digit) {
    return this.part("length_quantiles", digit, this.stops);
  }

  distanceQuantiles(digit) {
    return this.part("distance_quantiles", digit, this.stops);
  }

  axis(digit, k) {
    return this.part("axes", digit, this.size, k, this.size);
  }

  mean(digit) {
    return this.part("mean", digit, this.size);
  }

  // Which share of the variance axis k has, 0…1.
  explained(digit, k) {
    const variances = this.part("spreads", digit, this.size).map((x) => x ** 2);
    return variances[k] / variances.reduce((sum, x) => sum + x, 0) || 0;
  }

  // What one standard deviation along each axis counts as, asked often.
  widths(digit) {
    if (this.wide[digit]) return this.wide[digit];
    const spreads = this.part("spreads", digit, this.size);
    const widest = Math.max(...spreads);
    return (this.wide[digit] = spreads.map((x) => (widest ? Math.max(x, FLAT * widest) : 1)));
  }

  width(digit, k) {
    return this.widths(digit)[k];
  }

  // Where a pose lies on the principal axes, in standard deviations.
  scores(digit, pose) {
    const away = this.away(digit, pose);
    return away.map((_, k) => dot(away, this.axis(digit, k)) / this.width(digit, k));
  }

  // On one of them.
  score(digit, pose, k) {
    return dot(this.away(digit, pose), this.axis(digit, k)) / this.width(digit, k);
  }

  away(digit, pose) {
    const mean = this.mean(digit);
    return Float64Array.from(pose, (x, d) => x - mean[d]);
  }

  poseAt(digit, scores) {
    const pose = Float64Array.from(this.mean(digit));
    scores.forEach((score, a) => {
      const [axis, along] = [this.axis(digit, a), score * this.width(digit, a)];
      for (let k = 0; k < pose.length; k++) pose[k] += along * axis[k];
    });
    return pose;
  }

  distance(digit, pose) {
    return Math.hypot(...this.scores(digit, pose));
  }

  // Percent of the distances that are smaller, 0…100.
  farness(digit, pose) {
    return this.percentile(this.distanceQuantiles(digit), this.distance(digit, pose));
  }

  // A random pose near another that differs from it as real digits differ; see journeys.nearby.
  nearby(digit, pose, reach, chance = this.chance()) {
    const stay = Math.sqrt(1 - reach ** 2);
    const scores = this.scores(digit, pose).map((x, k) => stay * x + reach * chance[k]);
    return this.poseAt(digit, scores);
  }

  // What `nearby` adds, in standard deviations of each axis.
  chance() {
    return Float64Array.from({ length: this.size }, () => kit.normal());
  }

  // How many percent lie below x, linear between the levels; a value that many share stands in
  // their middle.
  percentile(quantiles, x) {
    const { levels } = this;
    const last = levels.length - 1;
    if (x < quantiles[0]) return 0;
    if (x > quantiles[last]) return 100;
    let low = quantiles.findIndex((q) => q >= x); // the first place that x can have
    let high = last - [...quantiles].reverse().findIndex((q) => q <= x); // and the last
    if (quantiles[low] === x && quantiles[high] === x) return (levels[low] + levels[high]) / 2;
    [low, high] = [Math.min(low, high), Math.max(low, high)];
    const part = (x - quantiles[low]) / (quantiles[high] - quantiles[low]);
    return levels[low] + part * (levels[high] - levels[low]);
  }

  off(percentile) {
    return percentile < TAIL || percentile > 100 - TAIL;
  }

  // Whether a pose of this farness lies farther out than real digits do.
  far(farness) {
    return farness > FAR;
  }

  // From where to where the middle half of the digits lies.
  middle(quantiles) {
    return [25, 75].map((level) => quantiles[this.levels.indexOf(level)]);
  }

  // Which share of the digits lies in each bin between rising edges.
  shares(quantiles, edges) {
    const at = edges.map((edge) => this.percentile(quantiles, edge));
    return at.slice(1).map((percent, k) => (percent - at[k]) / 100);
  }
}
