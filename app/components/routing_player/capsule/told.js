// What is said about an opened capsule.
const UNMOVED = 0.005; // of a logit
const NEARLY_EVEN = 1.2; // times the even share
const ALL_LONG = 0.9;

const percent = (share) => `${writtenOut(100 * share, Math.abs(share) < 0.01 ? 2 : 1)} %`;

function openingWords({ story, capsule }, digit, t) {
  return (
    `Primary capsule ${capsule}, of ${capsuleName(story, capsule)}: from what it sees to what it ` +
    `adds to ${story.digit(digit)} in iteration ${t}. Results are computed from the unrounded ` +
    `numbers; where those shown, put into a calculator, give another last digit, “≈” says so.`
  );
}

function seesWords({ story, place }, pixels) {
  const inked = pixels.filter((ink) => ink > 0).length;
  const field = fieldWords(story, place);
  const where = `The ${story.extent} × ${story.extent} pixels under its two convolutions: ${field}.`;
  if (inked) return `${where} ${inked} of the ${pixels.length} hold ink.`;
  return `${where} None of them holds ink: what it says comes from the network's biases alone.`;
}

function pixelWords({ story, place }, pixels, pixel) {
  if (pixel === null) {
    return `Ink from 0 to 1; point at a pixel. Rows and columns are the ${story.terms.drawing}'s.`;
  }
  const [row, column] = rowAndColumn(story, place).map((k) => k * story.stride);
  const [down, across] = [Math.floor(pixel / story.extent), pixel % story.extent];
  return `Row ${row + down}, column ${column + across}: ink ${kit.number(pixels[pixel])}`;
}

// How long the primary capsules are on this input.
function rangeWords(story) {
  const lengths = lengthsOf(story.primary, story.shapes.primary[1]).sort();
  const [least, most, tenth] = [0, story.I - 1, Math.floor(story.I / 10)].map((k) =>
    kit.number(lengths[k]),
  );
  const said = `On this input the ${story.I} capsules are ${least} to ${most} long`;
  if (lengths[Math.floor(story.I / 10)] < ALL_LONG) return `${said}.`;
  return `${said}, nine in ten over ${tenth}: their directions tell them apart, not their lengths.`;
}

function ownVotesWords(opened, digit) {
  const { story, votes } = opened;
  const lengths = votes.map((_, j) => opened.voteLength(j));
  const longest = lengths.indexOf(Math.max(...lengths));
  const said = (j) => `${story.names[j]} (‖û‖ = ${kit.number(lengths[j], 3)})`;
  const chosen = digit === longest ? "" : `; the chosen one is for ${said(digit)}`;
  const middle = story.voteLengths.slice().sort()[Math.floor(story.voteLengths.length / 2)];
  return (
    `Its longest vote is for ${said(longest)}${chosen}. Half of all votes on this input are shorter ` +
    `than ${kit.number(middle, 3)}.`
  );
}

// One number of a vote, or the whole where `k` is null.
function voteNumberWords(opened, j, k) {
  const name = opened.story.names[j];
  const length = `The vote for ${name} is ${kit.number(opened.voteLength(j), 4)} long`;
  if (k === null) return `${length}.`;
  return `${length}; its number ${k + 1} is ${writtenOut(opened.votes[j][k])}.`;
}

function agreesWords(opened, digit, t) {
  const angle = opened.angle(digit, t);
  const name = opened.story.names[digit];
  if (angle === null) return `Vote or pose of ${name} is zero: nothing agrees.`;
  const agreement = opened.agreements[t - 1][digit];
  const moves = `the logit ${agreement < 0 ? "falls" : "grows"} by ${writtenOut(Math.abs(agreement))}`;
  const hardly = Math.abs(agreement) < UNMOVED ? ", hardly anything" : "";
  return `For ${name} they stand at ${kit.number(angle, 0)}° in iteration ${t}: ${moves}${hardly}.`;
}

function dividesWords(opened, digit, t) {
  const { story, couplings } = opened;
  if (t === 1) {
    return (
      `In iteration 1 every power is e⁰ = 1, so each ${story.terms.digit} gets the same ` +
      `${evenShare(story)}.`
    );
  }
  const shares = couplings[t - 1];
  const most = shares.indexOf(Math.max(...shares));
  const rest = most === digit ? "" : `; ${story.names[digit]} gets ${kit.number(shares[digit], 3)}`;
  const told = `${kit.number(shares[most], 3)}, goes to ${story.names[most]}${rest}.`;
  if (shares[most] < NEARLY_EVEN * story.even) return `It stays nearly even: the most, ${told}`;
  return `The most, ${told} Even shares would be ${evenShare(story)}.`;
}

function addsWords(opened, digit, t) {
  const { story, shares } = opened;
  const share = shares[t - 1][digit];
  const whole = `‖s‖ = ${writtenOut(opened.summed(digit, t))}`;
  const against = share < 0 ? " It pulls against the pose." : "";
  return (
    `That is ${percent(share)} of ${whole}: over all ${story.I} capsules these parts add up to ‖s‖, ` +
    `in the mean ${percent(1 / story.I)} each.${against}`
  );
}

// Below the chart: what it shows, or the largest couplings at the iteration that is pointed at.
function couplingWords({ story, couplings }, digit, under) {
  if (under === null) {
    const changes = story.changes.length ? " ▲ the verdict changes." : "";
    return `Bold: ${story.names[digit]}; dashed: even couplings, ${evenShare(story)}.${changes}`;
  }
  const largest = couplings[under - 1]
    .map((coupling, j) => [coupling, story.names[j]])
    .sort((a, b) => b[0] - a[0])
    .slice(0, 4);
  const said = largest.map(([coupling, name]) => `${name} ${kit.number(coupling, 4)}`).join(" · ");
  return `Iteration ${under}: ${said}`;
}
