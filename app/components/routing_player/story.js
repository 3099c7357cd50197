// The routing of one input as Python sent it: T iterations, J digits, P places. Iterations count
// from 1; one between two whole numbers is what lies between them on a straight line.
class Story {
  constructor(data) {
    Object.assign(this, data);
    for (const name of ["weighted", "plain", "lengths", "off", "entropy", "entropy_low",
      "entropy_high"]) this[name] = kit.floats(data[name]);
    [this.T, this.J, this.P] = [data.iterations, data.names.length, data.grid ** 2];
    this.even = 1 / this.J; // the coupling of every capsule before routing
    this.most = Math.log2(this.J); // bits of equal couplings
    this.leaders = Array.from({ length: this.T }, (_, t) => this.leaderAt(t + 1));
    this.answer = this.leaders[Math.min(this.trained, this.T) - 1];
    this.changes = this.leaders.flatMap((leader, t) =>
      t && leader !== this.leaders[t - 1] ? [{ t: t + 1, from: this.leaders[t - 1], leader }] : [],
    );
  }

  // One number of `values` [T, size] at iteration t.
  at(values, size, index, t) {
    const below = Math.min(Math.floor(t), this.T - 1) - 1;
    const low = values[below * size + index];
    return low + (values[(below + 1) * size + index] - low) * (t - 1 - below);
  }

  lengthAt(digit, t) {
    return this.at(this.lengths, this.J, digit, t);
  }

  // The couplings of a digit at all places, row by row.
  mapAt(digit, t, weighted) {
    const values = weighted ? this.weighted : this.plain;
    const size = this.J * this.P;
    return Float32Array.from({ length: this.P }, (_, place) =>
      this.at(values, size, digit * this.P + place, t),
    );
  }

  leaderAt(t) {
    const lengths = Array.from({ length: this.J }, (_, j) => this.lengthAt(j, t));
    return lengths.indexOf(Math.max(...lengths));
  }
}

// "1/10" for ten digits.
const evenShare = (story) => `1/${story.J}`;

// What happens in an iteration: [what one sees, why].
function iterationWords(story, t) {
  const { names, trained } = story;
  const leader = story.leaders[t - 1];
  const length = kit.number(story.lengthAt(leader, t));
  const seen = `Iteration ${t}: ${names[leader]} leads with ${length}`;
  const off = leader === story.answer ? "" : `; at r = ${trained} it was ${names[story.answer]}`;
  const blank = story.blank ? "Nothing is drawn: this is how an empty picture is routed. " : "";
  return [`${seen}${off}.`, blank + reason(story, t)];
}

function reason(story, t) {
  const { trained } = story;
  if (t === 1) {
    return (
      `All logits b are 0, so the softmax gives every coupling the same ${evenShare(story)}: each ` +
      `primary capsule shares its output out evenly, as with routing switched off.`
    );
  }
  const grown =
    `Each logit has grown ${["once", "twice"][t - 2] ?? `${t - 1} times`} by the agreement û·v of its vote ` +
    `with the digit's pose, so a capsule sends more to a digit that it agrees with.`;
  if (t < trained) return grown;
  if (t === trained) return `${grown} With r = ${trained} the network was trained: this is its answer.`;
  const [was, is] = [trained, t].map((when) => kit.number(story.lengthAt(story.answer, when)));
  return (
    `Past r = ${trained} the network was never trained; agreement goes on feeding itself. ` +
    `Length of ${story.names[story.answer]}: ${was} at r = ${trained}, now ${is}.`
  );
}

function changesWords({ changes, names, leaders }) {
  if (!changes.length) return `The longest is ${names[leaders[0]]} in every iteration.`;
  const told = changes.map((c) => `at iteration ${c.t} from ${names[c.from]} to ${names[c.leader]}`);
  return `The verdict changes ${told.join(", ")}.`;
}

function placeWords(story, place) {
  const [row, column] = [Math.floor(place / story.grid), place % story.grid];
  const span = (k) => `${story.stride * k}–${story.stride * k + story.extent - 1}`;
  return (
    `Place ${row}, ${column}: its ${story.types} capsules see rows ${span(row)}, columns ` +
    `${span(column)} (outlined). Their mean coupling to each digit:`
  );
}

const lengthsWords = (story, digit) =>
  `Bold: ${story.names[digit]}, dashed: the same with routing off. Drag to scrub.`;

const entropyWords = (story) =>
  `Mean over the primary capsules; band: 10 to 90 % of them; dashed: even couplings, ` +
  `log₂ ${story.J} = ${kit.number(story.most)} bits.`;

function mapWords(story, weighted, scale) {
  const mean = weighted
    ? `Each place shows the mean coupling of its ${story.types} capsules, weighted by the length ` +
      `‖û‖ of their votes, so that capsules that say next to nothing and keep even couplings do ` +
      `not hide the rest; the digits then need not add up to 1.`
    : `Each place shows the mean coupling of its ${story.types} capsules, all counting alike; ` +
      `over the digits they add up to 1.`;
  return `${mean} ${scale.words}`;
}
