// The lengths of all capsules as pairs of bars: for the original, and for the rebuilt picture.
const PAIR_AXIS = 26; // CSS pixels left of the bars
const PAIR_HEAD = 16; // above a bar of length 1
const PAIR_FOOT = 18; // under the bars, where the names fit there …
const PAIR_NAME = 12; // their size
const PAIR_DEEPEST = 96; // … else at most this, where they stand upright
const TOLD = 0.1; // shorter bars bear no number
const TOLD_STEP = 26; // CSS pixels; closer pairs neither, but the held one and the longest

const pairStep = (width, count) => (width - PAIR_AXIS) / count;

// Room under the bars for the names.
function pairFoot(names, width) {
  const long = roomFor(names, PAIR_NAME, PAIR_DEEPEST);
  return long > pairStep(width, names.length) ? long + 8 : PAIR_FOOT;
}

// Which pair lies at x.
function pairAt({ width }, count, x) {
  const pair = Math.floor((x - PAIR_AXIS) / pairStep(width, count));
  return pair >= 0 && pair < count ? pair : null;
}

// `digit` is the capsule that is held, `marked` the one that is pointed at.
function drawPairs(sheet, { names, before, after, digit, marked = null }) {
  const { pen, width, height, colours } = sheet;
  const step = pairStep(width, names.length);
  const foot = pairFoot(names, width);
  const y = ramp(0, 1, height - foot, PAIR_HEAD);
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
    pairName(sheet, name, middle, height - foot, foot, looks);
    if (after[j] < TOLD || (step < TOLD_STEP && j !== digit && after[j] < Math.max(...after))) return;
    const top = y(Math.max(before[j], after[j])) - 4;
    write(sheet, kit.number(after[j]), middle, top, { size: 11, align: "center", colour: colours.accent });
  });
}

// Under a pair, upright where the foot is deep.
function pairName(sheet, name, middle, top, foot, looks) {
  const { pen } = sheet;
  if (foot === PAIR_FOOT) {
    return write(sheet, name, middle, top + 14, { size: PAIR_NAME, align: "center", ...looks });
  }
  const upright = { size: PAIR_NAME, align: "right", base: "middle", room: foot - 8 };
  pen.save();
  pen.translate(middle, top + 6);
  pen.rotate(-Math.PI / 2);
  write(sheet, name, 0, 0, { ...upright, ...looks });
  pen.restore();
}
