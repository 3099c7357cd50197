// The length of the pose along both ways, with the playhead.
const LENGTHS_HEIGHT = 232; // CSS pixels
const LENGTHS_EDGE = { left: 36, right: 14, top: 12, bottom: 58 };
const LENGTHS_STEPS = 60; // points of a line

class LengthsLayout {
  constructor(width, height = LENGTHS_HEIGHT) {
    const { left, right, top, bottom } = LENGTHS_EDGE;
    this.x = ramp(0, 1, left, width - right);
    this.y = ramp(0, 1, height - bottom, top);
  }

  // The share of the way under a pointer, whole percent.
  shareAt(x) {
    const [from, to] = [this.x(0), this.x(1)];
    return Math.round(100 * Math.min(1, Math.max(0, (x - from) / (to - from)))) / 100;
  }
}

// What is drawn: both ways, and each capsule alone where there are two.
function lengthLines({ way, turning, names }, { accent, warn, soft }) {
  const line = (lengthAt) =>
    Array.from({ length: LENGTHS_STEPS + 1 }, (_, k) => [
      k / LENGTHS_STEPS, lengthAt(k / LENGTHS_STEPS),
    ]);
  const ways = [false, true].map((turns) => ({
    name: turns ? "turning evenly" : "straight",
    colour: turns ? accent : warn,
    width: turns === turning ? 2.5 : 1.5,
    dash: turns === turning ? [] : [5, 4],
    points: line((share) => way.length(share, turns)),
  }));
  if (way.inside) return ways;
  const alone = [way.from, way.to].map((digit, k) => ({
    name: `capsule ${names[digit]} alone`,
    colour: soft,
    width: 1.5,
    dash: k ? [7, 3] : [2, 3],
    points: line((share) => way.lengths(share, turning)[k]),
  }));
  return [...alone, ...ways];
}

function drawLengths(sheet, { way, turning, share, names }) {
  const { width, height, colours } = sheet;
  const { x, y } = new LengthsLayout(width, height);
  for (const value of [0, 0.25, 0.5, 0.75, 1]) {
    polyline(sheet, [[x(0), y(value)], [x(1), y(value)]], { colour: colours.line, width: 1 });
    const beside = { align: "right", base: "middle", size: 11 };
    write(sheet, kit.number(value), x(0) - 8, y(value), beside);
  }
  for (const part of [0, 0.25, 0.5, 0.75, 1]) {
    const align = part === 1 ? "right" : "center";
    write(sheet, journeyPercent(part), x(part), y(0) + 16, { align, size: 11 });
  }
  const lines = lengthLines({ way, turning, names }, colours);
  for (const { points, ...style } of lines) {
    polyline(sheet, points.map(([part, length]) => [x(part), y(Math.min(1, length))]), style);
  }
  polyline(sheet, [[x(share), y(0)], [x(share), y(1)]], { colour: colours.text, width: 1 });
  const length = Math.min(1, way.length(share, turning));
  disc(sheet, x(share), y(length), 5, turning ? colours.accent : colours.warn, colours.background);
  drawLengthsLegend(sheet, lines, x(0), y(0) + 34);
}

function drawLengthsLegend(sheet, lines, left, top) {
  const column = (sheet.width - left) / 2;
  lines.forEach(({ name, colour, width, dash }, k) => {
    const [x, y] = [left + (k % 2) * column, top + 16 * Math.floor(k / 2)];
    polyline(sheet, [[x, y], [x + 22, y]], { colour, width, dash });
    write(sheet, name, x + 28, y, { base: "middle", size: 11 });
  });
}
