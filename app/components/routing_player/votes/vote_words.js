// What is said about the votes for two digits.

// At iteration t: how far the votes of each point one way, and what comes of it.
function votesWords(story, pair, t) {
  const [own, other] = pair.map((j) => ({
    name: story.names[j],
    now: kit.number(story.concentration[(t - 1) * story.J + j]),
    even: kit.number(story.concentration[j]),
    length: kit.number(story.lengthAt(j, t)),
    most: kit.number(mostCouplingTo(story, j, t)),
  }));
  const agreed =
    `the votes for ${own.name} point one way to ${own.now}, those for ${other.name} to ` +
    `${other.now}`;
  const scale = "0 where they cancel out, 1 where all agree";
  const poses = `The poses are ${own.length} and ${other.length} long.`;
  if (t === 1) {
    return (
      `Iteration 1: all dots are of one size, as every coupling is ${evenShare(story)}. Even so ` +
      `${agreed} (${scale}). ${poses}`
    );
  }
  return (
    `Iteration ${t}: ${agreed} (${scale}; with even couplings ${own.even} and ${other.even}). ` +
    `The largest coupling to ${own.name} is ${own.most}, to ${other.name} ${other.most}. ${poses}`
  );
}

function mostCouplingTo(story, digit, t) {
  let most = 0;
  for (let i = 0; i < story.I; i++) most = Math.max(most, story.couplingAt(i, digit, t));
  return most;
}

// What a digit's plane shows of it.
function votePlaneWords({ story, digit, dots }) {
  const percent = (share) => `${Math.round(100 * share)} %`;
  const [x, y] = story.explained.subarray(2 * digit, 2 * digit + 2);
  const least = Math.floor(100 * story.pose_shown[digit] + 1e-4);
  const out = dots.filter((dot) => dot.out !== null).length;
  const votes = out === 1 ? "1 vote lies" : `${out} votes lie`;
  const far = out ? ` ${votes} farther out: ▶ on the edge.` : "";
  return (
    `Of the squared length of the votes for ${story.names[digit]} the plane shows ${percent(x)} ` +
    `along x and ${percent(y)} along y, of each pose's length at least ${least} %.${far}`
  );
}

// What is marked: one capsule's two votes, or those of a place or type.
function votesMarkedWords(story, pair, t, { capsules, name }) {
  const mean = (j) =>
    capsules.reduce((sum, i) => sum + story.couplingAt(i, j, t), 0) / capsules.length;
  const [own, other] = pair.map((j) => story.names[j]);
  if (capsules.length > 1) {
    const [to, toOther] = pair.map((j) => kit.number(mean(j), 3));
    return (
      `The ${capsules.length} capsules of ${name} are ringed; their mean coupling is ${to} to ` +
      `${own} and ${toOther} to ${other}.`
    );
  }
  const [capsule] = capsules;
  const told = pair.map((j) => {
    const x = story.points[(j * story.I + capsule) * 2];
    const length = kit.number(story.voteLengths[capsule * story.J + j]);
    return (
      `for ${story.names[j]} is ${length} long, x = ${kit.number(x)}, coupling ` +
      `${kit.number(story.couplingAt(capsule, j, t), 3)}`
    );
  });
  return `Ringed: ${capsuleName(story, capsule)}. Its vote ${told.join("; its vote ")}.`;
}

const votePlaneLabel = (story, digit, t) =>
  `Votes for ${story.names[digit]} at iteration ${t}: they point one way to ` +
  `${kit.number(story.concentration[(t - 1) * story.J + digit])} of 1; the pose is ` +
  `${kit.number(story.lengthAt(digit, t))} long. Arrow keys walk over the places, page up and ` +
  `down over the types.`;

const votesNote = ({ T, terms: { digit, digits } }) =>
  `A dot is one primary capsule's vote û for the ${digit}. It stays where it is; its area is the ` +
  `coupling c. The sum of all c û, squashed, is the pose v, the arrow. A vote on the arrow's ` +
  `side gains logit b, one behind it loses; its coupling follows, as far as the capsule's other ` +
  `${digits} gain less. Each ${digit} has a plane of its own, laid along its pose, the same in all ` +
  `${T} iterations and on one scale for every input. Point at a vote or a colour; choose a ` +
  `vote to open its capsule. Arrow keys walk, page up and down change the type.`;
