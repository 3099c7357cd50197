// One map of the places over the drawing: each place stands where its receptive field has its centre.
const GAP = 1 / 16; // of a cell's width, left free around it

// One small map as squares that fill a box of the sheet.
function drawCells({ pen }, cells, { x, y, size, grid }, scale) {
  const cell = size / grid;
  cells.forEach((value, place) => {
    pen.fillStyle = shade(scale, value);
    pen.fillRect(x + (place % grid) * cell, y + Math.floor(place / grid) * cell, cell, cell);
  });
}

// The line around the ink: where the image crosses one half, as segments in pixels of the image.
function inkContour(image, side) {
  const level = 127.5;
  const value = (row, column) => image[row * side + column] ?? 0;
  const segments = [];
  for (let row = 0; row < side - 1; row++) {
    for (let column = 0; column < side - 1; column++) {
      const corners = [[0, 0], [0, 1], [1, 1], [1, 0]].map(([r, c]) => [
        column + c + 0.5, row + r + 0.5, value(row + r, column + c) - level,
      ]);
      const ends = corners.flatMap(([x, y, v], k) => {
        const [nextX, nextY, next] = corners[(k + 1) % 4];
        const part = v / (v - next);
        return v < 0 === next < 0 ? [] : [[x + (nextX - x) * part, y + (nextY - y) * part]];
      });
      for (let k = 0; k + 1 < ends.length; k += 2) segments.push([ends[k], ends[k + 1]]);
    }
  }
  return segments;
}

// Geometry of a map whose image is `width` wide on the sheet.
class MapLayout {
  constructor({ image, grid, stride, extent }, width) {
    this.side = Math.sqrt(image.length);
    Object.assign(this, { grid, stride, extent, zoom: width / this.side });
  }

  // The square of a place: [x, y, size].
  cell(place) {
    const { grid, stride, extent, zoom } = this;
    const at = (k) => (stride * k + (extent - stride) / 2) * zoom;
    const gap = stride * zoom * GAP;
    const [row, column] = [Math.floor(place / grid), place % grid];
    return [at(column) + gap / 2, at(row) + gap / 2, stride * zoom - gap];
  }

  // What a place sees: [x, y, size].
  field(place) {
    const [row, column] = [Math.floor(place / this.grid), place % this.grid];
    const pixel = this.stride * this.zoom;
    return [column * pixel, row * pixel, this.extent * this.zoom];
  }

  // The place nearest to a point.
  nearest(x, y) {
    const index = (v) => Math.round((v / this.zoom - this.extent / 2) / this.stride);
    const inside = (k) => Math.min(this.grid - 1, Math.max(0, k));
    return inside(index(y)) * this.grid + inside(index(x));
  }
}

// The drawing in grey, as the network sees it.
function drawInk({ pen, width, colours }, image, alpha = 0.45) {
  const side = Math.sqrt(image.length);
  const zoom = width / side;
  pen.fillStyle = colours.paper;
  pen.fillRect(0, 0, width, width);
  pen.fillStyle = colours.ink;
  image.forEach((ink, k) => {
    if (!ink) return;
    pen.globalAlpha = (alpha * ink) / 255;
    pen.fillRect((k % side) * zoom, Math.floor(k / side) * zoom, zoom, zoom);
  });
  pen.globalAlpha = 1;
}

// The whole map: ink, couplings [places], the ink's outline, the marked place and what it sees.
function drawCouplingMap(sheet, { story, contour, cells, scale, marked }) {
  const layout = new MapLayout(story, sheet.width);
  const { pen, colours } = sheet;
  drawInk(sheet, story.image);
  cells.forEach((value, place) => {
    const [x, y, size] = layout.cell(place);
    pen.fillStyle = shade(scale, value);
    pen.fillRect(x, y, size, size);
  });
  pen.lineCap = "round";
  for (const [colour, width] of [[colours.paper, 4], [colours.ink, 1.75]]) {
    drawContour(sheet, contour, layout.zoom, colour, width);
  }
  drawFrame(sheet, layout.cell(marked), -1);
  drawFrame(sheet, layout.field(marked), 1, [5, 3]);
}

function drawContour({ pen }, contour, zoom, colour, width) {
  pen.strokeStyle = colour;
  pen.lineWidth = width;
  pen.beginPath();
  for (const [from, to] of contour) {
    pen.moveTo(from[0] * zoom, from[1] * zoom);
    pen.lineTo(to[0] * zoom, to[1] * zoom);
  }
  pen.stroke();
}

function drawFrame({ pen, colours }, [x, y, size], inset, dash = []) {
  for (const [colour, width, dashes] of [[colours.paper, 4, []], [colours.accent, 2, dash]]) {
    pen.strokeStyle = colour;
    pen.lineWidth = width;
    pen.setLineDash(dashes);
    pen.strokeRect(x + inset, y + inset, size - 2 * inset, size - 2 * inset);
  }
  pen.setLineDash([]);
}
