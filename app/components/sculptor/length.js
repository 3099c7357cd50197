// The length of the pose as a number like those of a basis: it grows and shrinks, the direction
// stays.
const LONGEST = 1.25; // where its slider ends; a squash gets to 1 only at infinity
const SAME_WAY = 1e-4; // a pose this near to where the slider left it still has its direction

class PoseLength extends Basis {
  fine = 0.01;
  coarse = 0.05;
  digits = 3;
  still = 5e-5;
  unit = "";
  kind = "length";
  effects = null; // the survey did not sweep it

  get count() {
    return 1;
  }

  label() {
    return "Length ‖v‖";
  }

  value(k, pose = this.held.pose) {
    return Math.hypot(...pose);
  }

  freely(k, value, pose = this.held.pose) {
    return this.direction(pose).map((x) => Math.max(0, value) * x);
  }

  // The pose's direction, a unit vector. It is remembered, for at length 0 there is none left and
  // near it little; a pose that never had one takes that of the network's.
  direction(pose) {
    const { held, digit } = this;
    const length = Math.hypot(...pose);
    const known = this.last?.held === held && this.last.digit === digit;
    const stays = (x, d) => Math.abs(x - length * this.last.way[d]) < SAME_WAY;
    if (known && pose.every(stays)) return this.last.way;
    const from = length > SAME_WAY ? pose : held.network();
    const long = Math.hypot(...from) || 1;
    this.last = { held, digit, way: Float64Array.from(from, (x) => x / long) };
    return this.last.way;
  }

  limits() {
    const quantiles = this.reach === "population" && this.quantiles();
    return quantiles ? [quantiles[0], quantiles.at(-1)] : [0, LONGEST];
  }

  refusal(k, value) {
    return value < 0 ? "A length is never negative." : super.refusal(k, value);
  }

  quantiles() {
    return this.population?.lengthQuantiles(this.digit) ?? null;
  }
}
