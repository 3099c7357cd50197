// Ways from one pose to another: what capsnet.analysis.journeys says, asked in the browser. Poses are
// arrays of any size; a share 0…1 is how far one has come.
const OPPOSITE_POSES = 1e-6; // 1 + cosine below which no arc is shorter than another

const normOf = (pose) => Math.sqrt(pose.reduce((sum, x) => sum + x * x, 0));

// sin(x) / x
const sincOf = (x) => (x === 0 ? 1 : Math.sin(x) / x);

// What a way hangs on: the lengths of both poses, their scalar product, the angle between them in
// radians (null where one is 0 and has no direction), and whether one arc is the shortest.
function measureWay(start, end) {
  const [from, to] = [normOf(start), normOf(end)];
  const product = start.reduce((sum, x, k) => sum + x * end[k], 0);
  const cosine = from && to ? Math.min(1, Math.max(-1, product / (from * to))) : null;
  const angle = cosine === null ? null : Math.acos(cosine);
  return { from, to, product, angle, arc: cosine !== null && 1 + cosine >= OPPOSITE_POSES };
}

// How much of each pose there is at a share. Turning, the direction goes evenly along the arc and the
// length evenly, too; where there is no arc the way is straight.
function weightsOfWay({ from, to, angle, arc }, share, turning) {
  if (!turning || !arc) return [1 - share, share];
  const length = (1 - share) * from + share * to;
  const [a, b] = [1 - share, share].map((s) => (s * sincOf(s * angle)) / sincOf(angle));
  return [(length * a) / from, (length * b) / to];
}

// The pose at a share of the way.
function poseOnWay(start, end, share, turning, measures = measureWay(start, end)) {
  const [a, b] = weightsOfWay(measures, share, turning);
  return Float64Array.from(start, (x, k) => a * x + b * end[k]);
}

// The way from a pose of one capsule to one of the same or another: numbers of all J × D, as two
// capsules can share the length.
class Way {
  // `from` and `to` are {digit, all [J × D], the others 0}.
  constructor(size, from, to) {
    Object.assign(this, { size, from: from.digit, to: to.digit, start: from.all, end: to.all });
    this.inside = from.digit === to.digit;
    this.measures = measureWay(this.start, this.end);
    this.apart = normOf(this.start.map((x, k) => x - this.end[k]));
  }

  get angle() {
    return this.measures.angle;
  }

  // Whether turning is another way than going straight.
  get arc() {
    return this.measures.arc;
  }

  at(share, turning) {
    return poseOnWay(this.start, this.end, share, turning, this.measures);
  }

  // The pose of one capsule on the way.
  poseAt(share, turning, digit = this.from) {
    return this.at(share, turning).subarray(digit * this.size, (digit + 1) * this.size);
  }

  // The length of all numbers together.
  length(share, turning) {
    const { from, to, product } = this.measures;
    const [a, b] = weightsOfWay(this.measures, share, turning);
    return Math.sqrt(Math.max(0, (a * from) ** 2 + 2 * a * b * product + (b * to) ** 2));
  }

  // That of both capsules on a way from one to another.
  lengths(share, turning) {
    const { from, to } = this.measures;
    const [a, b] = weightsOfWay(this.measures, share, turning);
    return [a * from, b * to];
  }
}
