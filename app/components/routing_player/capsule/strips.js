// Vectors as strips of coloured cells, signed: blue below zero, orange above. One fixed scale; most
// votes are short, so the colour grows with the square root of the number.
const STRIP_SHADES = Array.from({ length: 256 }, (_, k) => kit.css("signed", k / 255));
const STRIP_REACH = 1; // colours end here
const STRIP_HEIGHT = 24;
const STRIP_MARGIN = { left: 40, widest: 120, right: 76, top: 18 };
const stripLeft = (names) => Math.max(STRIP_MARGIN.left, roomFor(names, 12, STRIP_MARGIN.widest) + 18);

function stripPlace(value) {
  const part = Math.sqrt(Math.min(1, Math.abs(value) / STRIP_REACH));
  return 0.5 + (Math.sign(value) * part) / 2;
}

const stripShade = (value) => STRIP_SHADES[Math.round(255 * stripPlace(value))];

class StripLayout {
  // A strip of `size` cells for each of the names.
  constructor(width, names, size) {
    const [{ right, top }, left] = [STRIP_MARGIN, stripLeft(names)];
    const count = names.length;
    Object.assign(this, { count, size, left, top, cell: (width - left - right) / size });
    this.right = width - right;
    this.height = top + count * STRIP_HEIGHT;
  }

  box(row, k) {
    return [this.left + k * this.cell, this.top + row * STRIP_HEIGHT, this.cell, STRIP_HEIGHT];
  }

  // {row, k} under a point, as near as it gets; k is null beside the cells.
  at(x, y) {
    const row = Math.min(this.count - 1, Math.max(0, Math.floor((y - this.top) / STRIP_HEIGHT)));
    const k = Math.floor((x - this.left) / this.cell);
    return { row, k: k >= 0 && k < this.size ? k : null };
  }
}

// Strips: [{name, values, note}, …]. `chosen` is the row, `marked` the cell {row, k} that are framed.
function drawStrips(sheet, strips, { chosen = null, marked = null, head = "" } = {}) {
  const { pen, colours } = sheet;
  const layout = new StripLayout(sheet.width, strips.map(({ name }) => name), strips[0].values.length);
  for (let k = 0; k < layout.size; k++) {
    const colour = k === marked?.k ? colours.accent : colours.soft;
    const middle = layout.left + (k + 0.5) * layout.cell;
    write(sheet, k + 1, middle, 12, { size: 10, align: "center", colour });
  }
  write(sheet, head, sheet.width, 12, { size: 11, align: "right" });
  strips.forEach(({ name, values, note }, row) => {
    const style = row === chosen ? { weight: 700, colour: colours.text } : {};
    const middle = layout.top + (row + 0.5) * STRIP_HEIGHT;
    const fitted = { align: "right", base: "middle", room: layout.left - 12 };
    write(sheet, name, layout.left - 10, middle, { ...fitted, ...style });
    write(sheet, note, sheet.width, middle, { align: "right", base: "middle", ...style });
    values.forEach((value, k) => {
      const [x, y, width, height] = layout.box(row, k);
      pen.fillStyle = stripShade(value);
      pen.fillRect(x, y + 1, width + 0.4, height - 2);
    });
  });
  if (chosen !== null) {
    pen.strokeStyle = colours.accent;
    pen.lineWidth = 2;
    const y = layout.top + chosen * STRIP_HEIGHT;
    pen.strokeRect(layout.left - 1, y, layout.right - layout.left + 2, STRIP_HEIGHT);
  }
  if (marked) {
    const [x, y, width, height] = layout.box(marked.row, marked.k);
    pen.strokeStyle = colours.accent;
    pen.lineWidth = 3;
    pen.strokeRect(x + 0.5, y + 1.5, width - 1, height - 3);
  }
}

function drawStripLegend(sheet, { names }) {
  const [left, { right }] = [stripLeft(names), STRIP_MARGIN];
  const ticks = [-1, -0.25, -0.04, 0.04, 0.25, 1].map((value) => {
    const words = kit.number(value, Math.abs(value) === 1 ? 0 : 2);
    return [stripPlace(value), value === 1 ? "≥ 1" : value === -1 ? "≤ −1" : words];
  });
  drawRamp(sheet, { x: left, y: 4, width: sheet.width - left - right, shades: STRIP_SHADES, ticks });
}

// A bar's colour by its sign.
const barColour = (value) => kit.css("signed", value < 0 ? 0.12 : 0.86);
const clampedPart = (value) => Math.max(-1, Math.min(1, value));

// The numbers of u as bars from −1 to 1.
function drawSays(sheet, values) {
  const { pen, colours, width, height } = sheet;
  const y = ramp(-1, 1, height - 22, 18);
  const left = 30;
  const step = (width - left) / values.length;
  for (const tick of [-1, 0, 1]) {
    polyline(sheet, [[left, y(tick)], [width, y(tick)]], { colour: colours.line, width: 1 });
    write(sheet, kit.number(tick, 0), left - 8, y(tick), { size: 11, align: "right", base: "middle" });
  }
  values.forEach((value, k) => {
    const middle = left + (k + 0.5) * step;
    pen.fillStyle = barColour(value);
    pen.fillRect(middle - step * 0.3, y(Math.max(0, value)), step * 0.6, y(0) - y(Math.abs(value)));
    const beyond = value < 0 ? y(value) + 13 : y(value) - 5;
    const style = { size: 11, align: "center" };
    write(sheet, kit.number(value, 3), middle, beyond, { ...style, colour: colours.text });
    write(sheet, k + 1, middle, height - 4, style);
  });
}
