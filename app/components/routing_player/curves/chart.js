// A line chart over the iterations. What a chart shows is data:
// {title, low, high, ticks: [[value, words], …], band: {low(t), high(t)}, even: value,
//  lines: [{value(t), kind, name}, …]}; kinds: "" (others), "leader", "chosen", "pinned". A value
// may be NaN where there is none.
const MARGIN = { left: 40, right: 34, top: 12, bottom: 38 };
const CHART_HEIGHT = 210;
const APART = 13; // between names at the right end
const END_SIZE = 11; // of these names …
const END_WIDEST = 84; // … and at most so wide

class ChartLayout {
  constructor({ low, high, lines }, story, width) {
    this.room = lines.some(({ name }) => name) ? roomFor(story.names, END_SIZE, END_WIDEST) : 0;
    const [left, right] = [MARGIN.left, width - Math.max(MARGIN.right, this.room + 24)];
    Object.assign(this, { left, right, bottom: CHART_HEIGHT - MARGIN.bottom, story });
    this.x = ramp(1, story.T, left, right);
    const y = ramp(low, high, this.bottom, MARGIN.top);
    this.y = (value) => y(Math.min(high, Math.max(low, value)));
  }

  // The iteration under a pointer.
  iterationAt(x) {
    const { left, right, story } = this;
    const t = Math.round(ramp(left, right, 1, story.T)(x));
    return Math.min(story.T, Math.max(1, t));
  }

  points(value) {
    const all = this.story.leaders.map((_, k) => [this.x(k + 1), this.y(value(k + 1))]);
    return all.filter(([, y]) => !Number.isNaN(y));
  }
}

const lineColour = (colours, kind) =>
  ({ chosen: colours.accent, pinned: colours.warn, leader: colours.soft })[kind] ?? colours.muted;

function drawChart(sheet, chart, story, t) {
  const layout = new ChartLayout(chart, story, sheet.width);
  const { colours, pen } = sheet;
  const { left, right, bottom, x, y } = layout;
  for (const [value, words] of chart.ticks) {
    polyline(sheet, [[left, y(value)], [right, y(value)]], { colour: colours.line, width: 1 });
    write(sheet, words, left - 6, y(value), { size: 11, align: "right", base: "middle" });
  }
  const trained = x(story.trained);
  const upright = (at) => [[at, MARGIN.top], [at, bottom]];
  polyline(sheet, upright(trained), { colour: colours.accent, width: 1, dash: [2, 3] });
  for (let k = 1; k <= story.T; k++) {
    const mark = k === story.trained ? { weight: 600, colour: colours.accent } : {};
    write(sheet, k, x(k), bottom + 15, { size: 11, align: "center", ...mark });
  }
  write(sheet, "routing iteration", (left + right) / 2, bottom + 31, { size: 11, align: "center" });
  if (chart.band) {
    const edge = [...layout.points(chart.band.high), ...layout.points(chart.band.low).reverse()];
    pen.globalAlpha = 0.22;
    pen.beginPath();
    edge.forEach(([px, py], k) => (k ? pen.lineTo(px, py) : pen.moveTo(px, py)));
    pen.fillStyle = colours.accent;
    pen.fill();
    pen.globalAlpha = 1;
  }
  if (chart.even !== undefined) {
    const across = [[left, y(chart.even)], [right, y(chart.even)]];
    polyline(sheet, across, { colour: colours.soft, dash: [5, 4] });
  }
  for (const { t: changed } of story.changes) {
    const at = x(changed - 0.5);
    pen.beginPath();
    for (const [dx, dy] of [[-5, 0], [5, 0], [0, -9]]) pen.lineTo(at + dx, bottom + dy);
    pen.fillStyle = colours.warn;
    pen.fill();
  }
  polyline(sheet, upright(x(t)), { colour: colours.muted });
  for (const { value, kind } of chart.lines) {
    const width = { chosen: 3, pinned: 3, leader: 2 }[kind] ?? 1.5;
    polyline(sheet, layout.points(value), { colour: lineColour(colours, kind), width });
  }
  for (const { value, kind } of chart.lines) {
    if (Number.isNaN(value(t))) continue;
    const bold = ["chosen", "pinned"].includes(kind);
    const radius = bold ? 5 : 2.5;
    const edge = bold ? colours.background : undefined;
    disc(sheet, x(t), y(value(t)), radius, lineColour(colours, kind), edge);
  }
  nameEnds(sheet, chart, layout, story.T);
}

// Names at the right end of lines, pushed apart, upwards, where they would touch.
function nameEnds(sheet, chart, layout, last) {
  const named = chart.lines.filter(({ name }) => name);
  const ends = named.map((line) => [layout.y(line.value(last)), line]).sort((a, b) => b[0] - a[0]);
  let below = Infinity;
  for (const [y, { name, kind }] of ends) {
    below = Math.min(y, below - APART);
    const mark = kind === "chosen" ? { weight: 600, colour: sheet.colours.accent } : {};
    const fitted = { size: END_SIZE, room: layout.room + 8 };
    write(sheet, name, layout.right + 8, below, { base: "middle", ...fitted, ...mark });
  }
}
