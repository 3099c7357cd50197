// The lengths of all capsules as pairs of bars: for the original, and for the rebuilt picture.
const PAIR_AXIS = 26; // CSS pixels left of the bars
const PAIR_HEAD = 16; // above a bar of length 1
const PAIR_FOOT = 18; // under the bars
const TOLD = 0.1; // shorter bars bear no number

const pairStep = (width, count) => (width - PAIR_AXIS) / count;

// Which pair lies at x.
function pairAt({ width }, count, x) {
  const pair = Math.floor((x - PAIR_AXIS) / pairStep(width, count));
  return pair >= 0 && pair < count ? pair : null;
}

// `digit` is the capsule that is held, `marked` the one that is pointed at.
function drawPairs(sheet, { names, before, after, digit, marked = null }) {
  const { pen, width, height, colours } = sheet;
  const step = pairStep(width, names.length);
  const y = ramp(0, 1, height - PAIR_FOOT, PAIR_HEAD);
  if (marked !== null) {
    pen.fillStyle = colours.line;
    pen.fillRect(PAIR_AXIS + marked * step, PAIR_HEAD, step, height - PAIR_HEAD);
  }
  for (const length of [0, 0.5, 1]) {
    const line = [[PAIR_AXIS, y(length)], [width, y(length)]];
    polyline(sheet, line, { colour: colours.line, width: 1 });
    write(sheet, String(length), PAIR_AXIS - 6, y(length), { size: 11, align: "right", base: "middle" });
  }
  const bar = Math.min(14, 0.34 * step);
  names.forEach((name, j) => {
    const middle = PAIR_AXIS + (j + 0.5) * step;
    const sides = [[before[j], -bar - 0.5, colours.muted], [after[j], 0.5, colours.accent]];
    for (const [length, left, colour] of sides) {
      pen.fillStyle = colour;
      pen.fillRect(middle + left, y(length), bar, y(0) - y(length));
    }
    const looks = j === digit ? { weight: 700, colour: colours.text } : {};
    write(sheet, name, middle, height - 4, { align: "center", ...looks });
    if (after[j] < TOLD) return;
    const top = y(Math.max(before[j], after[j])) - 4;
    write(sheet, kit.number(after[j]), middle, top, { size: 11, align: "center", colour: colours.accent });
  });
}
