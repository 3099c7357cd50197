// How the numbers of real digits are spread over a slider, as the outline of a filled shape.
const BINS = 96;

// The share of the digits in each bin between two limits, a little smoothed.
function sharesWithin(population, quantiles, [low, high]) {
  const edges = Array.from({ length: BINS + 1 }, (_, b) => low + ((high - low) * b) / BINS);
  const smooth = (shares) =>
    shares.map((share, b) => ((shares[b - 1] ?? 0) + 2 * share + (shares[b + 1] ?? 0)) / 4);
  return smooth(smooth(population.shares(quantiles, edges)));
}

// An SVG path in a box of BINS × 1; the largest share is `full`.
function outline(shares, full) {
  const points = shares.map((share, b) => `${b + 0.5} ${(1 - share / full).toFixed(3)}`);
  return `M0 1V${1 - shares[0] / full}L${points.join(" ")}L${BINS} ${1 - shares.at(-1) / full}V1Z`;
}
