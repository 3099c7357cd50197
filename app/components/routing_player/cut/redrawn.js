// What the longest capsule draws before and after a cut, and the difference.
const SIGNED_SHADES = Array.from({ length: 256 }, (_, k) => kit.css("signed", k / 255));
const REDRAWN_LEGEND = 28;

const signedShade = (value) =>
  SIGNED_SHADES[Math.round(127.5 * (1 + Math.min(1, Math.max(-1, value))))];

// Three square pictures of 28 × 28 pixels: [{caption, values, draw(sheet)}, …].
function redrawn(story, aftermath) {
  const { before, after } = aftermath;
  const [first, second] = [before.image, after.image];
  const difference = second.map((value, k) => value - first[k]);
  const [was, is, moved] = redrawnCaptions(story, aftermath);
  const ink = (values) => (sheet) => drawInk(sheet, values.map((value) => Math.round(255 * value)), 1);
  const squares = difference.reduce((sum, value) => sum + value ** 2, 0);
  const error = ({ error: value }) => `Squared error ${kit.number(value, 1)}`;
  return [
    { caption: was, values: first, draw: ink(first), note: error(before) },
    { caption: is, values: second, draw: ink(second), note: error(after) },
    {
      caption: moved, values: difference, note: `Its squares sum to ${kit.number(squares, 1)}`,
      draw: (sheet) => drawSigned(sheet, difference),
    },
  ];
}

function drawSigned({ pen, width }, values) {
  const side = Math.sqrt(values.length);
  const zoom = width / side;
  pen.fillStyle = signedShade(0);
  pen.fillRect(0, 0, width, width);
  values.forEach((value, k) => {
    if (Math.abs(value) < 1 / 255) return;
    pen.fillStyle = signedShade(value);
    pen.fillRect((k % side) * zoom, Math.floor(k / side) * zoom, zoom, zoom);
  });
}

const drawSigns = (sheet) =>
  drawRamp(sheet, { y: 0, shades: SIGNED_SHADES, ticks: [[0, "−1"], [0.5, "0"], [1, "+1"]] });
