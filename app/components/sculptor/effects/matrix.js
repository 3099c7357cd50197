// The table of effects as a picture: a row for each direction, a column for each property.
const CELL_END = 3; // usual differences at the ends of the colour scale
const CHANGE_END = 0.25; // root mean square of a pixel at the end of the bars
const MATRIX = {
  wide: { number: 34, cell: 58, row: 30, gap: 3, head: 56, bar: 72, words: 0, size: 12 },
  narrow: { number: 24, cell: 36, row: 26, gap: 2, head: 74, bar: 0, words: 22, size: 11 },
};
const MATRIX_UNITS = { x: "px right", y: "px down", holes: "count", ends: "count" };
const DARK_FROM = 0.72; // of the scale from the middle, where white is read better than black

// Where everything lies; `words` under a row on a narrow sheet, right of it on a wide one.
class MatrixPlan {
  constructor(width, rows, columns, touch = false) {
    const { cell, bar } = MATRIX.wide;
    this.narrow = width < MATRIX.wide.number + columns * cell + bar + 220;
    Object.assign(this, MATRIX[this.narrow ? "narrow" : "wide"], { width, rows, columns });
    if (touch && !this.narrow) this.row = 44;
    if (this.narrow) {
      this.cell = Math.max(30, Math.min(58, Math.floor((width - this.number) / columns)));
    }
    this.pitch = this.row + this.words;
    this.right = this.number + columns * this.cell;
    this.bottom = this.head + rows * this.pitch;
    this.height = this.bottom + 62; // and the legend
  }

  top(row) {
    return this.head + row * this.pitch;
  }

  left(column) {
    return this.number + column * this.cell;
  }

  // {row, column} at a point: column −1 beside the cells; null outside the rows.
  at(x, y) {
    const row = Math.floor((y - this.head) / this.pitch);
    if (row < 0 || row >= this.rows) return null;
    const column = Math.floor((x - this.number) / this.cell);
    const beside = column < 0 || column >= this.columns || y - this.top(row) > this.row;
    return { row, column: beside ? -1 : column };
  }
}

// The colour of a strength, and that of words on it.
function cellColours(strength) {
  const t = Math.max(-1, Math.min(1, strength / CELL_END));
  const { ink, paper } = kit.palette.themes.light;
  return [kit.css("signed", (t + 1) / 2), Math.abs(t) > DARK_FROM ? paper : ink];
}

// Lines from the lower left to the upper right of a box.
function hatchCell(sheet, x, y, width, height, colour) {
  const { pen } = sheet;
  const step = 6;
  for (let from = step / 2 - height; from < width; from += step) {
    const [low, high] = [Math.max(0, -from), Math.min(height, width - from)];
    polyline(sheet, [[x + from + low, y + height - low], [x + from + high, y + height - high]], {
      colour, width: 1,
    });
  }
  pen.lineWidth = 1;
}

function frameCell({ pen }, x, y, width, height, colour, line = 2) {
  pen.lineWidth = line;
  pen.strokeStyle = colour;
  pen.strokeRect(x, y, width, height);
}

// `chosen` is the number that is held, `cursor` the {row, column} that is looked at, or null.
function drawMatrix(sheet, plan, measured, { order, chosen, cursor = null }) {
  drawMatrixHead(sheet, plan, measured);
  order.forEach((k, row) => {
    drawMatrixRow(sheet, plan, measured, { k, row, chosen: k === chosen });
  });
  if (cursor) {
    const { colours } = sheet;
    const { gap, row: height } = plan;
    const y = plan.top(cursor.row);
    const [x, width] = cursor.column < 0
      ? [1, plan.right - 1]
      : [plan.left(cursor.column) + gap / 2, plan.cell - gap];
    frameCell(sheet, x - 1, y + gap / 2 - 1, width + 2, height - gap + 2, colours.accent, 2);
  }
  drawMatrixLegend(sheet, plan);
}

function drawMatrixHead(sheet, plan, { properties, count, basis }) {
  const { images } = basis.sculptor.data.terms;
  const { pen, colours } = sheet;
  properties.forEach(({ name, unit }, p) => {
    const x = plan.left(p) + plan.cell / 2;
    const under = MATRIX_UNITS[name] ?? unit;
    if (!plan.narrow) {
      write(sheet, name, x, 28, { align: "center", weight: 600, colour: colours.text });
      write(sheet, under, x, 45, { align: "center", size: 11 });
      return;
    }
    pen.save();
    pen.translate(x + 4, plan.head - 6);
    pen.rotate(-Math.PI / 2);
    write(sheet, name, 0, 0, { weight: 600, colour: colours.text });
    pen.restore();
  });
  if (plan.narrow) return;
  const x = plan.right + 14;
  write(sheet, "a pixel’s", x, 12, { weight: 600, colour: colours.text });
  write(sheet, "change", x, 28, { weight: 600, colour: colours.text });
  write(sheet, `0 … ${CHANGE_END}`, x, 45, { size: 11 });
  const words = x + plan.bar + 14;
  write(sheet, "what it does", words, 28, { weight: 600, colour: colours.text });
  write(sheet, `mean of ${count} ${images}`, words, 45, { size: 11 });
}

function drawMatrixRow(sheet, plan, measured, { k, row, chosen }) {
  const { pen, colours } = sheet;
  const { gap, size } = plan;
  const y = plan.top(row);
  const middle = y + plan.row / 2;
  if (chosen) {
    pen.globalAlpha = 0.12;
    pen.fillStyle = colours.accent;
    pen.fillRect(0, y, plan.width, plan.pitch);
    pen.globalAlpha = 1;
  }
  const mark = chosen ? { weight: 700, colour: colours.accent } : { colour: colours.text };
  write(sheet, String(k + 1), plan.number - 8, middle, {
    ...mark, size: 13, align: "right", base: "middle",
  });
  const name = measured.named(k);
  for (let p = 0; p < plan.columns; p++) {
    const { strength, agreed } = measured.cell(k, p);
    const [x, width, height] = [plan.left(p) + gap / 2, plan.cell - gap, plan.row - gap];
    const [fill, on] = cellColours(strength || 0);
    pen.fillStyle = Number.isFinite(strength) ? fill : colours.background;
    pen.fillRect(x, y + gap / 2, width, height);
    if (!agreed) hatchCell(sheet, x, y + gap / 2, width, height, HATCH_INK);
    write(sheet, cellNumber(strength), x + width / 2, middle, {
      size, align: "center", base: "middle", colour: on,
      weight: Math.abs(strength) > CELL_END ? 700 : 400,
    });
    const top = y + gap / 2 - 0.5;
    if (p === name) frameCell(sheet, x - 0.5, top, width + 1, height + 1, colours.text);
  }
  drawMatrixWords(sheet, plan, measured, k, y);
}

const HATCH_INK = "rgba(60, 66, 78, 0.28)";

const cellNumber = (strength) =>
  Number.isFinite(strength) ? signed(Math.abs(strength) < 0.05 ? 0 : strength, 1) : "–";

function drawMatrixWords(sheet, plan, measured, k, y) {
  const { pen, colours } = sheet;
  const named = measured.named(k) >= 0;
  const colour = named ? colours.text : colours.soft;
  const style = { size: plan.narrow ? 12 : 13, weight: named ? 600 : 400, colour };
  if (plan.narrow) {
    write(sheet, measured.telling(k), plan.number, y + plan.row + 9, { ...style, base: "middle" });
    return;
  }
  const x = plan.right + 14;
  const middle = y + plan.row / 2;
  pen.fillStyle = colours.line;
  pen.fillRect(x, middle - 3, plan.bar, 6);
  pen.fillStyle = colours.accent;
  pen.fillRect(x, middle - 3, plan.bar * Math.min(1, measured.change(k) / CHANGE_END), 6);
  write(sheet, measured.telling(k), x + plan.bar + 14, middle, { ...style, base: "middle" });
}

function drawMatrixLegend(sheet, plan) {
  const { colours } = sheet;
  const y = plan.bottom + 16;
  const width = Math.min(240, plan.width - plan.number);
  const shades = Array.from({ length: 64 }, (_, i) => kit.css("signed", i / 63));
  const ticks = [[0, `−${CELL_END}`], [0.5, "0"], [1, `+${CELL_END}`]];
  drawRamp(sheet, { x: plan.number, y, width, shades, ticks });
  if (plan.narrow) return;
  const { pen } = sheet;
  let x = plan.number + width + 28;
  const box = (words, paint) => {
    paint(x, y - 4);
    write(sheet, words, x + 26, y + 5, { base: "middle" });
    pen.font = `400 12px ${sheet.font}`;
    x += 26 + pen.measureText(words).width + 22;
  };
  const grey = kit.css("signed", 0.5);
  box("its name", (left, top) => frameCell(sheet, left, top, 18, 18, colours.text));
  box("fewer than 90 % agree", (left, top) => {
    pen.fillStyle = grey;
    pen.fillRect(left, top, 18, 18);
    hatchCell(sheet, left, top, 18, 18, HATCH_INK);
  });
  box("bold: beyond the scale", () => (x -= 26));
}
