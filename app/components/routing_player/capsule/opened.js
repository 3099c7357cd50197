// One primary capsule i, opened: what it says, its votes, and what becomes of them in each iteration
// t for each digit j. Sums are taken in double precision of the trace's numbers.
class OpenedCapsule {
  constructor(story, capsule) {
    const { names, T, D } = story;
    const size = story.shapes.primary[1];
    const part = (values, k, length) => values.subarray(k * length, (k + 1) * length);
    const steps = Array.from({ length: T }, (_, t) => t + 1);
    const each = (number) => steps.map((t) => names.map((_, j) => number(j, t)));
    Object.assign(this, { story, capsule, place: story.placeOf(capsule) });
    this.says = part(story.primary, capsule, size); // u [8]
    this.votes = names.map((_, j) => part(story.votes, capsule * story.J + j, D)); // û, J of [16]
    this.pose = (j, t) => part(story.poses, (t - 1) * story.J + j, D); // v [16]
    this.agreements = each((j, t) => scalarProduct(this.votes[j], this.pose(j, t))); // û·v [T][J]
    const before = (j, t) => this.agreements.slice(0, t - 1).map((row) => row[j]);
    this.logits = each((j, t) => before(j, t).reduce((sum, a) => sum + a, 0)); // b
    this.powers = this.logits.map((row) => row.map(Math.exp)); // e^b
    this.totals = this.powers.map((row) => row.reduce((sum, power) => sum + power)); // Σ e^b [T]
    this.couplings = each((j, t) => this.powers[t - 1][j] / this.totals[t - 1]); // c
    this.shares = each((j, t) => this.adds(j, t) / (this.summed(j, t) || 1)); // of ‖s‖
  }

  voteLength(j) {
    return vectorLength(this.votes[j]);
  }

  poseLength(j, t) {
    return vectorLength(this.pose(j, t));
  }

  // ‖s_j‖ before the squash.
  summed(j, t) {
    return unsquashed(this.poseLength(j, t));
  }

  // What it adds to s_j along its direction, c û·v / ‖v‖: over all capsules this adds up to ‖s_j‖.
  adds(j, t) {
    return (this.couplings[t - 1][j] * this.agreements[t - 1][j]) / (this.poseLength(j, t) || 1);
  }

  // Between vote and pose, in degrees; null where one of them is zero.
  angle(j, t) {
    const lengths = this.voteLength(j) * this.poseLength(j, t);
    if (!lengths) return null;
    const cosine = Math.max(-1, Math.min(1, this.agreements[t - 1][j] / lengths));
    return (Math.acos(cosine) * 180) / Math.PI;
  }

  // One number of `rows` [T][J], and number d of a pose, at an iteration or between two.
  between(rows, j, t) {
    return this.story.at(rows.flat(), this.story.J, j, t);
  }

  poseAt(j, d, t) {
    const { poses, J, D } = this.story;
    return this.story.at(poses, J * D, j * D + d, t);
  }

  // The ink under its field, row by row, 0…1.
  field() {
    const { image, stride, extent, grid } = this.story;
    const side = Math.sqrt(image.length);
    const [top, left] = [Math.floor(this.place / grid), this.place % grid].map((k) => k * stride);
    const at = (k) => image[(top + Math.floor(k / extent)) * side + left + (k % extent)];
    return Float32Array.from({ length: extent ** 2 }, (_, k) => at(k) / 255);
  }
}

function scalarProduct(a, b) {
  return a.reduce((sum, value, k) => sum + value * b[k], 0);
}

const vectorLength = (vector) => Math.sqrt(scalarProduct(vector, vector));

// ‖s‖ of a squashed vector's length: eq. 1, ‖v‖ = ‖s‖² / (1 + ‖s‖²), solved for ‖s‖. float32 knows
// no length nearer to 1 than NEAREST.
const NEAREST = 2 ** -24;
const unsquashed = (length) => Math.sqrt(length / Math.max(1 - length, NEAREST));
