// The couplings as colours: one fixed scale for all digits, iterations and inputs.
const CLOSE = [0.8, 2]; // the close-up reaches from and to these multiples of the even share

function couplingScale({ even }, close) {
  const text = (value) => kit.number(value);
  if (!close) {
    return {
      place: (value) => value,
      ticks: [[0, "0"], [even, "even"], [0.5, "0.5"], [1, "1"]],
      words: "Colours run from 0 to 1, the same in every iteration and for every input.",
    };
  }
  const [low, high] = CLOSE.map((times) => even * times);
  const place = (value) => (value - low) / (high - low);
  const middle = (even + high) / 2;
  return {
    place,
    ticks: [
      [0, `≤ ${text(low)}`], [place(even), "even"], [place(middle), text(middle)],
      [1, `≥ ${text(high)}`],
    ],
    words:
      `Routing moves most couplings little: in the close-up colours run from ${text(low)} to ` +
      `${text(high)} only, else from 0 to 1; always the same in every iteration and for every input.`,
  };
}

// The colours as CSS, made once: painting asks for thousands a frame.
const SHADES = Array.from({ length: 256 }, (_, k) => kit.css("coupling", k / 255));
const shade = (scale, value) =>
  SHADES[Math.round(255 * Math.min(1, Math.max(0, scale.place(value))))];

// The colours with their numbers.
function drawCouplingLegend(sheet, story, scale) {
  write(sheet, `coupling c, mean at each place; even: ${evenShare(story)}`, 0, 12);
  drawRamp(sheet, { y: 20, shades: SHADES, ticks: scale.ticks });
}
