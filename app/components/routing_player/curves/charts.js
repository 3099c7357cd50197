// The charts: what each shows, on the same scale for every input.
const CLOSE_BITS = 0.1; // the entropy's axis reaches this far below even couplings
const MOST_CHANGE = 0.02; // of a logit in one iteration, mean; what was seen is below 0.018
const MOST_AGREEMENT = 0.15; // what was seen is below 0.12
const NAMED = 4; // lines with a name at their end, besides the chosen one

const steps = (count, size, digits) =>
  Array.from({ length: count + 1 }, (_, k) => [k * size, kit.number(k * size, digits)]);

// A line for each digit; the chosen one and the network's answer stand out, drawn last.
function digitLines(story, digit, valueAt) {
  const last = story.T;
  const order = [...story.names.keys()].sort((a, b) => valueAt(b, last) - valueAt(a, last));
  const named = new Set([...order.slice(0, NAMED).filter((j) => valueAt(j, last) > 0), digit]);
  const kind = (j) => (j === digit ? "chosen" : j === story.answer ? "leader" : "");
  const rank = { "": 0, leader: 1, chosen: 2 };
  return [...story.names.keys()]
    .sort((a, b) => rank[kind(a)] - rank[kind(b)])
    .map((j) => ({
      value: (t) => valueAt(j, t), kind: kind(j), digit: j,
      name: named.has(j) ? story.names[j] : "",
    }));
}

function chartsOf(story, digit) {
  const of = (values) => (t) => story.at(values, 1, 0, t);
  const of2 = (values) => (j, t) => story.at(values, story.J, j, t);
  const name = story.names[digit];
  const bits = Array.from({ length: 6 }, (_, k) => {
    const value = story.most - (k * CLOSE_BITS) / 5;
    return [value, kit.number(value, 2)];
  });
  const marks = story.changes.length ? " ▲: from here on another capsule is the longest." : "";
  const beyond = Math.min(...story.entropy_low) < story.most - CLOSE_BITS;
  const [start, end] = [1, story.T].map((t) => kit.number(of(story.entropy)(t), 3));
  return [
    {
      key: "lengths", title: "Length ‖v‖ of each digit capsule", unit: "", digits: 2,
      low: 0, high: 1, ticks: steps(4, 0.25, 2), even: story.off[digit],
      lines: digitLines(story, digit, of2(story.lengths)),
      note: `Bold: ${name}; dashed: the same with routing off.${marks}`,
    },
    {
      key: "entropy", title: "Entropy of a capsule's couplings", unit: " bits", digits: 3,
      low: story.most - CLOSE_BITS, high: story.most + 0.004, ticks: bits, even: story.most,
      band: { low: of(story.entropy_low), high: of(story.entropy_high) },
      lines: [{ value: of(story.entropy), kind: "chosen", name: "" }],
      note:
        `Mean, ${start} at first, ${end} bits at last; band: 10 to 90 % of the capsules; dashed: ` +
        `even couplings, log₂ ${story.J} = ${kit.number(story.most)}. The axis shows the top ` +
        `${CLOSE_BITS} bits only: 0 would mean that every capsule serves one digit.` +
        (beyond ? " The band goes on below." : ""),
    },
    {
      key: "logit_change", title: "Mean change of a logit, |Δb|", unit: "", digits: 4,
      low: 0, high: MOST_CHANGE, ticks: steps(4, MOST_CHANGE / 4, 3), even: 0,
      lines: [{ value: of(story.logit_change), kind: "chosen", name: "" }],
      note:
        `Over all ${story.I} × ${story.J} pairs, since the iteration before. Procedure 1 stops after ` +
        `r iterations, not where this has come to rest; dashed: routing off.`,
    },
    {
      key: "agreement", title: "Agreement û·v of the votes with each pose", unit: "", digits: 4,
      low: 0, high: MOST_AGREEMENT, ticks: steps(3, MOST_AGREEMENT / 3, 2),
      even: story.agreement[digit],
      lines: digitLines(story, digit, of2(story.agreement)),
      note: `Mean over the capsules, weighted by coupling. Bold: ${name}; dashed: with routing off.`,
    },
  ];
}

// Whether routing made another capsule the longest than `even` and, where the label is known, which.
function offVerdict({ names, answer, label, blank }, even) {
  if (blank) return "Nothing is drawn: only the network's biases speak.";
  if (even === answer) return "Here routing changes lengths, but not which capsule is the longest.";
  if (label === null) return "Here routing makes another capsule the longest.";
  const meant = `the writer meant ${names[label]}`;
  if (answer === label) return `Here routing makes the right one the longest: ${meant}.`;
  if (even === label) return `Here routing makes a wrong one the longest: ${meant}.`;
  return `Here routing changes one wrong digit for another: ${meant}.`;
}

// What routing adds to this input, in a few sentences.
function offWords(story) {
  const { names, off, answer, trained } = story;
  const even = off.indexOf(Math.max(...off));
  const last = story.leaders[story.T - 1];
  const said = (j, length) => `${names[j]} (${kit.number(length)})`;
  const longest =
    `With routing off the longest capsule is ${said(even, off[even])}; it is ` +
    `${said(answer, story.lengthAt(answer, trained))} with r = ${trained} and ` +
    `${said(last, story.lengthAt(last, story.T))} after ${story.T} iterations.`;
  return `${longest} ${offVerdict(story, even)} ${changesWords(story)}`;
}
