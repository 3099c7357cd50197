// What the sliders say in words. Real digits are those of the survey: of the test set, and read right
// by the network; `name` is what one of them is called.
const OUTER = 90; // percent of the digits beyond which a pose is no longer called usual
const END = 1e-5; // as near to the least or most of all as offsets are kept

// A list in words; one of nothing is "".
const joined = (words) => words.join(", ").replace(/, ([^,]*)$/, " and $1");
const possessive = (name) => (name.endsWith("s") ? `${name}’` : `${name}’s`);
const sized = (x) => Number(x.toPrecision(2));

// 87 %; finer at the ends, where never "0 %" nor "100 %" is said of what some have.
function percentWords(percent) {
  const kept = Math.min(99.9, Math.max(0.1, percent));
  const outer = Math.min(kept, 100 - kept);
  const limit = Math.abs(outer - 0.5) < 0.05; // rounded further, off and not off would look alike
  return `${kit.number(kept, limit ? 2 : outer < 1 ? 1 : 0)} %`;
}

// Where a number of the pose stands among those of real digits: {words, off, more}, `more` for
// whoever asks; empty where nothing is known.
function standingWords(basis, k, value, name) {
  const { population, digits, digit } = basis;
  const long = basis.kind === "length";
  if (long && value >= 1) return { words: "off: no squash gets to 1", off: true, more: "" };
  const quantiles = basis.quantiles(k);
  if (!quantiles) return { words: "", off: false, more: "" };
  const percent = population.percentile(quantiles, value);
  const off = population.off(percent);
  const told = () => {
    if (value < quantiles[0] - END) return `${long ? "shorter" : "less"} than any real ${name}`;
    if (value > quantiles.at(-1) + END) return `${long ? "longer" : "more"} than any real ${name}`;
    return `${percentWords(percent)} of real ${name}s ${long ? "are shorter" : "have less"}`;
  };
  const [low, high] = population.middle(quantiles).map((x) => kit.number(x, digits));
  const known = `${population.count[digit]} real ${name}s`;
  return {
    words: off ? `off: ${told()}` : told(),
    off,
    more: `Half of the ${known} lie between ${low} and ${high}; off is the outermost 0.5 % at an end`,
  };
}

// The whole pose in one sentence; `off` are the labels of the numbers that are off, `farness` is how
// many percent of the real digits lie nearer to their mean.
function poseWords({ population, digit }, farness, off, name) {
  const count = population.count[digit];
  const real = farness < 100 ? `${percentWords(farness)} of the ${count} real ${name}s` : "";
  const far = population.far(farness);
  const are = off.length > 1 ? "are" : "is";
  const who = off.length > 3 ? `${off.length} of its numbers` : joined(off);
  const lead = off.length && `${sentence(who)} ${are} off`;
  if (!far && !lead) {
    const kind = farness > OUTER ? "Not yet off, but at the edge" : "A usual pose";
    return `${kind}: ${real} lie nearer to their mean.`;
  }
  if (!far) return `${lead}; the pose as a whole is not: ${real} lie nearer to their mean.`;
  const out = real ? `${percentWords(farness)} of the ${count}` : `any of the ${count}`;
  const farther = `farther from the mean than ${out} real ${name}s`;
  if (!lead) return `Each number is usual, but not together: the pose lies ${farther}.`;
  return `${lead}, and so is the pose as a whole: it lies ${farther}.`;
}

// How far out the pose is, for whoever asks.
function distanceWords({ population, digit }, pose) {
  const usual = kit.number(population.middle(population.distanceQuantiles(digit))[1], 1);
  return (
    `Distance from the mean, each principal axis in its standard deviations: ` +
    `${kit.number(population.distance(digit, pose), 1)}; three quarters of the real ones lie ` +
    `within ${usual}`
  );
}

// What was measured along a number, strongest first, with its spread over the digits.
function measuredWords(basis, k, name) {
  const { effects, per, digit, count } = basis;
  const { properties, swept } = basis.sculptor.network.atlas;
  const from = (digit * count + k) * properties.length;
  const strength = (p) => Math.abs(effects.slope[from + p]) / properties[p].scale || 0;
  const three = properties.map((_, p) => p).sort((a, b) => strength(b) - strength(a)).slice(0, 3);
  const told = three.filter(strength).map((p) => {
    const { name: what, unit } = properties[p];
    const slope = sized(effects.slope[from + p]);
    const size = `${slope > 0 ? "+" : ""}${slope} ± ${sized(effects.spread[from + p])}`;
    const same = Math.round(100 * effects.same[from + p]);
    const behind = unit && (unit === "°" ? unit : ` ${unit}`);
    return `${what} ${size.replace("-", "−")}${behind} (${same} % the same way)`;
  });
  const lead = basis.effect(k) ? "" : "No single property. ";
  const many = swept ? `${swept[digit]} ` : "";
  return `${lead}Measured on ${many}real ${name}s, per ${per}, strongest first: ${told.join("; ")}`;
}
