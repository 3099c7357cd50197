// What is said of a journey: only what holds for the way that is shown.
const SAME_POSE = 1e-3; // poses that are closer are the same one to the eye
const FAR_OUT = 99; // percent, as capsnet.analysis.population.FAR
const CUT_CORNER = 0.02; // a loss of length that is worth a word

const journeyPercent = (share) => `${Math.round(100 * share)} %`;

// Where the way leads.
function wayWords(way, names) {
  if (!way) return "";
  const [from, to] = [names[way.from], names[way.to]];
  if (way.apart < SAME_POSE) {
    return `You hold the pose that the way leads to. Choose another destination, or move a slider.`;
  }
  const degrees = way.angle === null ? "" : `, ${Math.round((180 * way.angle) / Math.PI)}° apart`;
  if (way.inside) {
    return (
      `Both ends are poses of capsule ${from}${degrees}: its ${way.size} numbers go together, each ` +
      `from its own value to the other’s.`
    );
  }
  return (
    `From capsule ${from} to capsule ${to}: the ${way.size} numbers of the one go to 0 while those ` +
    `of the other come up from 0. In training the decoder never saw two capsules at once, so nothing ` +
    `taught it what to draw in between.`
  );
}

// What the two ways do to the length.
function lengthWords(way, { digit }) {
  if (way.apart < SAME_POSE) return "";
  if (!way.arc) return `No arc leads from the one to the other: here both ways are the same line.`;
  const [straight, turning] = [false, true].map((turns) => way.length(0.5, turns));
  const ends = [0, 1].map((share) => way.length(share, true));
  const said =
    `Half-way the straight line is ${kit.number(straight)} long, the way that turns evenly ` +
    `${kit.number(turning)} (the ends: ${ends.map((length) => kit.number(length)).join(" and ")}).`;
  if (turning - straight < CUT_CORNER) return `${said} The two hardly differ here.`;
  const kept = Math.abs(ends[1] - ends[0]) < CUT_CORNER ? "keeps it" : "changes it evenly";
  return (
    `${said} A straight line cuts the corner between two directions and loses length, which stands ` +
    `for how surely there is a ${digit}; turning ${kept}.`
  );
}

// Frames that the network reads alike, one after the other: [{label, from, to}], shares 0…1.
function readingRuns(frames, names) {
  const runs = [];
  frames.forEach(({ digit, sure }, k) => {
    const share = k / (frames.length - 1);
    const label = sure ? names[digit] : null;
    const last = runs.at(-1);
    if (last && last.label === label) last.to = share;
    else runs.push({ label, from: share, to: share });
  });
  return runs;
}

// What the network reads along the way: "reads 5 up to 60 %, then 3".
function readingWords(frames, names) {
  const runs = readingRuns(frames, names);
  const said = ({ label }) => (label === null ? "is not sure" : `reads ${label}`);
  const start = `Fed the picture of every tenth of the way, the network`;
  if (runs.length === 1) return `${start} ${said(runs[0])} all the way.`;
  const parts = runs.map((run, k) => {
    const [from, to] = [journeyPercent(run.from), journeyPercent(run.to)];
    const onward = run.from === 1 ? "at the end" : `from ${from} on`;
    if (k === runs.length - 1) return `${said(run)} ${onward}`;
    if (k === 0) return `${said(run)} ${run.to === 0 ? "at the start" : `up to ${to}`}`;
    return `${said(run)} ${from === to ? `at ${from}` : `from ${from} to ${to}`}`;
  });
  const comma = parts.length > 2 ? "," : "";
  return `${start} ${parts.slice(0, -1).join(", ")}${comma} and ${parts.at(-1)}.`;
}

// How usual a pose is, by the percentile of its distance.
function usualWords(farness, name, count) {
  if (farness >= 100) return `farther out than every one of the ${count} real ${name}s`;
  if (farness > FAR_OUT) return `farther out than ${FAR_OUT} % of the real ${name}s`;
  return `farther out than ${Math.round(farness)} % of the real ${name}s`;
}

// What is seen at a share of the way.
function shareWords(way, share, turning, { names, terms }, population) {
  const at = `At ${journeyPercent(share)}`;
  if (!way.inside) {
    const [one, other] = way.lengths(share, turning).map(
      (length, k) => `capsule ${names[k ? way.to : way.from]} is ${kit.number(length)}`,
    );
    return `${at} ${one} long, ${other}; together ${kit.number(way.length(share, turning))}.`;
  }
  const pose = way.poseAt(share, turning);
  const length = `${at} the pose is ${kit.number(normOf(pose))} long`;
  if (!population) return `${length}.`;
  const usual = usualWords(
    population.farness(way.from, pose), terms.each[way.from], population.count[way.from],
  );
  return `${length}, ${usual}.`;
}

// Why the pose on screen cannot be held, or "".
function unheldWords(way, share) {
  if (share === 0 || way.apart < SAME_POSE) return `This is the pose in your hand.`;
  if (way.inside || share === 1) return "";
  return `Here two capsules share the length: there is no one pose to hold. Go to an end.`;
}

// How one compares with a drawing of one's own.
function pinWords(pinned, same) {
  if (!pinned) {
    return (
      `To compare two drawings: pin this input, draw another on the page Draw, and come back here. ` +
      `The way then leads from the new one to the pinned one.`
    );
  }
  if (same) {
    return (
      `Pinned: ${pinned.title}, the input that you look at. Draw another on the page Draw, and come ` +
      `back here: the way then leads from the new one to this one.`
    );
  }
  return `Pinned: ${pinned.title} (${pinned.words}).`;
}

// What random neighbours are.
function nearbyWords(name) {
  return (
    `Drawn by chance: poses that differ from the held one as the real ${name}s of the test set ` +
    `differ from each other. None is that of a real one. Below each: how many percent of the real ` +
    `${name}s lie nearer to their average.`
  );
}

function farWords(name) {
  return (
    `The held pose lies farther out than ${FAR_OUT} % of the real ${name}s, and so may its ` +
    `neighbours.`
  );
}

// What the reach of random neighbours means.
function reachWords(reach, name) {
  if (reach >= 1) return `any real ${name}, whatever is held`;
  const far = reach < 0.35 ? "close" : reach < 0.75 ? "some way off" : "far off";
  const kept = journeyPercent(Math.sqrt(1 - reach ** 2));
  return `${far}: ${kept} of what sets the held pose apart from the average ${name} is kept`;
}
