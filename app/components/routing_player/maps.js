// The couplings as colours: one fixed scale for all digits, iterations and inputs.
const CLOSE = [0.8, 2]; // the close-up reaches from and to these multiples of the even share
const GAP = 1 / 16; // of a cell's width, left free around it

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
      `Routing moves couplings little: in the close-up colours run from ${text(low)} to ` +
      `${text(high)} only, else from 0 to 1; always the same in every iteration and for every input.`,
  };
}

// The colours as CSS, made once: painting asks for hundreds a frame.
const SHADES = Array.from({ length: 256 }, (_, k) => kit.css("coupling", k / 255));
const shade = (scale, value) =>
  SHADES[Math.round(255 * Math.min(1, Math.max(0, scale.place(value))))];

// One 6 × 6 map as squares that fill the canvas.
function paintMap(canvas, cells, grid, scale) {
  const pen = canvas.getContext("2d");
  const size = canvas.width / grid;
  cells.forEach((value, place) => {
    pen.fillStyle = shade(scale, value);
    pen.fillRect((place % grid) * size, Math.floor(place / grid) * size, size, size);
  });
}

// Give a canvas a whole number of device pixels for each of `n` cells within `room` CSS pixels.
function sizeCanvas(canvas, n, room) {
  const ratio = window.devicePixelRatio || 1;
  const cell = Math.max(1, Math.floor((room * ratio) / n));
  if (canvas.width !== n * cell || canvas.height !== n * cell) {
    canvas.width = canvas.height = n * cell;
    canvas.style.width = canvas.style.height = `${(n * cell) / ratio}px`;
  }
  return cell;
}

// The line around the ink: where the image crosses one half, in pixels of the image.
function inkContour(image, side) {
  const level = 127.5;
  const path = new Path2D();
  const value = (row, column) => image[row * side + column] ?? 0;
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
      for (let k = 0; k + 1 < ends.length; k += 2) {
        path.moveTo(...ends[k]);
        path.lineTo(...ends[k + 1]);
      }
    }
  }
  return path;
}

// The drawing with the map of one digit over it: each place stands where its receptive field has
// its centre.
class BigMap {
  constructor(root, canvas) {
    Object.assign(this, { root, canvas, story: null });
  }

  // Paint what stays while the iterations pass.
  prepare(story, room) {
    this.story = story;
    this.side = Math.sqrt(story.image.length);
    this.zoom = sizeCanvas(this.canvas, this.side, room);
    const ratio = window.devicePixelRatio || 1;
    const fit = this.canvas.width / ratio + 0.01;
    const ink = document.createElement("canvas");
    kit.drawGrid(ink, story.image, { high: 255, root: this.root, fit });
    this.colours = kit.theme(this.root);
    this.below = this.layer((pen, side) => {
      pen.fillStyle = this.colours.paper;
      pen.fillRect(0, 0, side, side);
      pen.globalAlpha = 0.45;
      pen.drawImage(ink, 0, 0, side, side);
    });
    const contour = inkContour(story.image, this.side);
    this.above = this.layer((pen) => this.outlineInk(pen, contour));
  }

  // A picture of the map's size, drawn once.
  layer(draw) {
    const side = this.canvas.width;
    const layer = new OffscreenCanvas(side, side);
    draw(layer.getContext("2d"), side);
    return layer;
  }

  // The place nearest to a point in CSS pixels of the canvas.
  placeAt(x, y) {
    const { grid, stride, extent } = this.story;
    const pixel = this.canvas.clientWidth / this.side;
    const nearest = (v) =>
      Math.min(grid - 1, Math.max(0, Math.round((v / pixel - extent / 2) / stride)));
    return nearest(y) * grid + nearest(x);
  }

  paint(cells, scale, selected) {
    const { canvas, zoom, story } = this;
    const { grid, stride, extent } = story;
    const pen = canvas.getContext("2d");
    const start = (k) => Math.round((stride * k + (extent - stride) / 2) * zoom);
    pen.drawImage(this.below, 0, 0);
    const gap = Math.max(1, Math.round(stride * zoom * GAP));
    const size = Math.round(stride * zoom) - gap;
    const corner = (place) => [start(place % grid), start(Math.floor(place / grid))];
    cells.forEach((value, place) => {
      pen.fillStyle = shade(scale, value);
      pen.fillRect(...corner(place), size, size);
    });
    pen.drawImage(this.above, 0, 0);
    const [x, y] = corner(selected);
    this.frame(pen, x, y, size);
    const [left, top] = [selected % grid, Math.floor(selected / grid)].map((k) => stride * k * zoom);
    this.frame(pen, left, top, extent * zoom, [5, 3]);
  }

  outlineInk(pen, contour) {
    const { paper, ink } = this.colours;
    pen.scale(this.zoom, this.zoom);
    pen.lineCap = "round";
    for (const [colour, width] of [[paper, 4], [ink, 1.75]]) {
      pen.strokeStyle = colour;
      pen.lineWidth = (width * (window.devicePixelRatio || 1)) / this.zoom;
      pen.stroke(contour);
    }
  }

  frame(pen, x, y, size, dash = []) {
    const { paper, accent } = this.colours;
    const ratio = window.devicePixelRatio || 1;
    pen.save();
    for (const [colour, width, dashes] of [[paper, 4, []], [accent, 2, dash]]) {
      pen.strokeStyle = colour;
      pen.lineWidth = width * ratio;
      pen.setLineDash(dashes.map((length) => length * ratio));
      const inset = dash.length ? ratio : -ratio;
      pen.strokeRect(x + inset, y + inset, size - 2 * inset, size - 2 * inset);
    }
    pen.restore();
  }
}
