// What a place sees: the drawing with its field, and the field's pixels enlarged.
const FIELD_MARGIN = 24; // for the numbers of rows and columns

// The drawing, dimmed outside the field; a dot for every place that can be chosen, dashes around what
// the one that is pointed at sees.
function drawField(sheet, { story, place }, pointed = place) {
  const { pen, colours, width } = sheet;
  const layout = new MapLayout(story, width);
  const [x, y, size] = layout.field(place);
  drawInk(sheet, story.image, 1);
  pen.globalAlpha = 0.55;
  pen.fillStyle = colours.muted;
  pen.fillRect(0, 0, width, y);
  pen.fillRect(0, y + size, width, width - y - size);
  pen.fillRect(0, y, x, size);
  pen.fillRect(x + size, y, width - x - size, size);
  pen.globalAlpha = 1;
  for (let k = 0; k < story.P; k++) {
    const [left, top, side] = layout.cell(k);
    const mark = k === place ? [5, colours.accent, colours.paper] : [2, colours.accent];
    disc(sheet, left + side / 2, top + side / 2, ...mark);
  }
  if (pointed !== place) drawFrame(sheet, layout.field(pointed), 1, [5, 3]);
  drawFrame(sheet, layout.field(place), 1);
}

// Its pixels, with the rows and columns that they have in the drawing.
class FieldLayout {
  constructor({ extent }, width) {
    Object.assign(this, { extent, cell: (width - FIELD_MARGIN) / extent });
  }

  // The index of the pixel under a point, or null.
  at(x, y) {
    const [column, row] = [x, y].map((v) => Math.floor((v - FIELD_MARGIN) / this.cell));
    const inside = Math.min(row, column) >= 0 && Math.max(row, column) < this.extent;
    return inside ? row * this.extent + column : null;
  }
}

function drawFieldPixels(sheet, { story, place, pixels, marked = null }) {
  const { pen, colours, width } = sheet;
  const { extent, cell } = new FieldLayout(story, width);
  const [row, column] = rowAndColumn(story, place).map((k) => k * story.stride);
  const at = (k) => FIELD_MARGIN + k * cell;
  for (let k = 0; k < extent; k += 4) {
    const middle = at(k + 0.5);
    write(sheet, column + k, middle, FIELD_MARGIN - 7, { size: 11, align: "center" });
    write(sheet, row + k, FIELD_MARGIN - 7, middle, { size: 11, align: "right", base: "middle" });
  }
  pen.fillStyle = colours.paper;
  pen.fillRect(at(0), at(0), extent * cell, extent * cell);
  const box = (k) => [at(k % extent), at(Math.floor(k / extent)), cell, cell];
  pen.fillStyle = colours.ink;
  pixels.forEach((ink, k) => {
    if (!ink) return;
    pen.globalAlpha = ink;
    pen.fillRect(...box(k));
  });
  pen.globalAlpha = 1;
  const [from, to] = [at(0), at(extent)];
  for (let k = 0; k <= extent; k++) {
    const line = { colour: colours.muted, width: 0.5 };
    polyline(sheet, [[at(k), from], [at(k), to]], line);
    polyline(sheet, [[from, at(k)], [to, at(k)]], line);
  }
  if (marked === null) return;
  pen.lineWidth = 2;
  pen.strokeStyle = colours.accent;
  pen.strokeRect(...box(marked));
}
