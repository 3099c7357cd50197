// What came back from the network, in words.
const ROUNDS_TOLD = 4; // the last ones
const SEEN = 0.3; // a capsule this long for the original is missed where it is gone

// How near two poses are: the length of their difference, and the cosine of the angle between them
// (NaN where one has no length).
function closeness(one, other) {
  const between = Math.hypot(...one.map((x, k) => x - other[k]));
  const lengths = Math.hypot(...one) * Math.hypot(...other);
  return { distance: between, cosine: one.reduce((sum, x, k) => sum + x * other[k], 0) / lengths };
}

function closeWords(one, other) {
  const { distance, cosine } = closeness(one, other);
  const turned = Number.isFinite(cosine) ? ` (cosine ${kit.number(cosine, 3)})` : "";
  return [kit.number(distance), turned];
}

// What has become of the capsules: whether the held one is still the longest, and whether another
// that the original had is gone.
function fates({ data: { names, lengths, again }, held: { digit } }) {
  const name = names[digit];
  if (again.digit !== digit) {
    return `Capsule ${name} is only ${kit.number(again.lengths[digit])} long in it. `;
  }
  const rival = lengths.indexOf(Math.max(...lengths.filter((_, j) => j !== digit)));
  const [was, is] = [lengths[rival], again.lengths[rival]];
  if (was < SEEN || is > was / 2) return "";
  const fall = `from ${kit.number(was)} to ${kit.number(is)}`;
  return `Capsule ${names[rival]} falls ${fall}: the decoder drew capsule ${name} alone. `;
}

// "The pose came back to within 0.21 of what you hold (cosine 0.974); the network’s own …"
function cameBack(sculptor) {
  const { held, returns } = sculptor;
  const [near, turned] = closeWords(returns.held, returns.back);
  const fate = fates(sculptor);
  if (!held.moved) return `${fate}The pose came back to within ${near} of the network’s own${turned}.`;
  const [usual, usually] = closeWords(returns.own, returns.plain);
  return (
    `${fate}The pose came back to within ${near} of what you hold${turned}; ` +
    `the network’s own, drawn and read, to within ${usual}${usually}.`
  );
}

// What going through the loop again and again does: small steps may add up.
function roundWords(rounds, { held, back }) {
  if (!rounds) return "";
  const steps = [...rounds.steps, closeness(held, back).distance].slice(-ROUNDS_TOLD);
  const told = steps.map((step) => kit.number(step, 3)).join(" → ");
  const away = kit.number(closeness(rounds.start, held).distance);
  const times = rounds.steps.length;
  return (
    `How far it came back, round by round: ${told}. ` +
    `After ${times} ${times === 1 ? "round" : "rounds"} you are ${away} from the first pose.`
  );
}

function pairWords({ names, before, after }, capsule) {
  if (capsule === null) return "";
  const [was, is] = [before, after].map((lengths) => kit.number(lengths[capsule], 3));
  return `Capsule ${names[capsule]}: ${was} for the original, ${is} for the rebuilt picture.`;
}

const pairsLabel = (names, lengths) => {
  const told = lengths.map((length, j) => `${names[j]} ${kit.number(length)}`);
  return `Lengths of the capsules for the rebuilt picture: ${told.join(", ")}`;
};
