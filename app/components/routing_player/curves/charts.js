// The charts: what each shows, on the same scale for every input.
// Ends of axes. They hold what the digits' networks were seen to do; where another network goes
// beyond, the axis is twice as long, or four times, ….
const CLOSE_BITS = 0.1; // the entropy's axis reaches this far below even couplings
const MOST_CHANGE = 0.02; // of a logit in one iteration, mean
const MOST_AGREEMENT = 0.15;
const NAMED = 4; // lines with a name at their end, besides the chosen one

// The end of an axis that holds all values: `end`, doubled as often as it takes.
const holding = (end, values) =>
  values.some((value) => value > end) ? holding(2 * end, values) : end;

// The entropy's axis, in bits below even couplings, that holds these means.
const closeBits = ({ most }, means) =>
  Math.min(most, holding(CLOSE_BITS, [...means].map((mean) => most - mean)));

const steps = (count, size, digits) =>
  Array.from({ length: count + 1 }, (_, k) => [k * size, kit.number(k * size, digits)]);

// The entropy's axis, from even couplings down.
const bitsAxis = ({ most }, close) => ({
  low: most - close, high: most + close / 25, even: most,
  ticks: Array.from({ length: 6 }, (_, k) => most - (k * close) / 5).map((bits) => [
    bits, kit.number(bits, 2),
  ]),
});

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
  const noun = story.terms.digit;
  const close = closeBits(story, story.entropy);
  const change = holding(MOST_CHANGE, [...story.logit_change]);
  const agreed = holding(MOST_AGREEMENT, [...story.agreement]);
  const marks = story.changes.length ? " ▲: from here on another capsule is the longest." : "";
  const beyond = Math.min(...story.entropy_low) < story.most - close;
  const [start, end] = [1, story.T].map((t) => kit.number(of(story.entropy)(t), 3));
  return [
    {
      key: "lengths", title: `Length ‖v‖ of each ${noun} capsule`, unit: "", digits: 2,
      low: 0, high: 1, ticks: steps(4, 0.25, 2), even: story.off[digit],
      lines: digitLines(story, digit, of2(story.lengths)),
      note: `Bold: ${name}; dashed: the same with routing off.${marks}`,
    },
    {
      key: "entropy", title: "Entropy of a capsule's couplings", unit: " bits", digits: 3,
      ...bitsAxis(story, close),
      band: { low: of(story.entropy_low), high: of(story.entropy_high) },
      lines: [{ value: of(story.entropy), kind: "chosen", name: "" }],
      note:
        `Mean, ${start} at first, ${end} bits at last; band: 10 to 90 % of the capsules; dashed: ` +
        `even couplings, log₂ ${story.J} = ${kit.number(story.most)}. The axis shows the top ` +
        `${kit.number(close, 1)} bits only: 0 would mean that every capsule serves one ${noun}.` +
        (beyond ? " The band goes on below." : ""),
    },
    {
      key: "logit_change", title: "Mean change of a logit, |Δb|", unit: "", digits: 4,
      low: 0, high: change, ticks: steps(4, change / 4, 3), even: 0,
      lines: [{ value: of(story.logit_change), kind: "chosen", name: "" }],
      note:
        `Over all ${story.I} × ${story.J} pairs, since the iteration before. Procedure 1 stops after ` +
        `r iterations, not where this has come to rest; dashed: routing off.`,
    },
    {
      key: "agreement", title: "Agreement û·v of the votes with each pose", unit: "", digits: 4,
      low: 0, high: agreed, ticks: steps(3, agreed / 3, 2),
      even: story.agreement[digit],
      lines: digitLines(story, digit, of2(story.agreement)),
      note: `Mean over the capsules, weighted by coupling. Bold: ${name}; dashed: with routing off.`,
    },
  ];
}

// Whether routing made another capsule the longest than `even` and, where the label is known, which.
function offVerdict({ terms, meant, answer, label, blank }, even) {
  if (blank) return "Nothing is drawn: only the network's biases speak.";
  if (even === answer) return "Here routing changes lengths, but not which capsule is the longest.";
  if (label === null) return "Here routing makes another capsule the longest.";
  if (answer === label) return `Here routing makes the right one the longest: ${meant}.`;
  if (even === label) return `Here routing makes a wrong one the longest: ${meant}.`;
  return `Here routing changes one wrong ${terms.digit} for another: ${meant}.`;
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
