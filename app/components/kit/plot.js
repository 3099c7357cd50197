// Drawing with a 2D context, the same for the screen, a PNG and an SVG. A painter gets a sheet:
// {pen, width, height, colours, font}, in CSS pixels, from the top left corner.

// {colours, font} of the page: the colours are those of the palette's theme and --line, --soft,
// background, text. Reading them makes the browser lay out what has changed, so they are kept until
// `forgetLook`.
let look = null;
const forgetLook = () => (look = null);

function pageLook(root) {
  if (look) return look;
  const style = getComputedStyle(root.host ?? root);
  const read = (name) => style.getPropertyValue(name).trim();
  const [background, text] = [read("--st-background-color"), read("--st-text-color")];
  const mixed = (share) => solid(`color-mix(in srgb, ${text} ${share}%, ${background})`);
  const colours = { ...kit.theme(root), background, text, soft: mixed(68), line: mixed(18) };
  look = { colours, font: style.fontFamily };
  return look;
}

// A CSS colour as "rgb(…)", which every program reads; remembered, as mixing it takes a canvas.
const SOLID = new Map();
function solid(colour) {
  if (!SOLID.has(colour)) {
    const pen = new OffscreenCanvas(1, 1).getContext("2d");
    pen.fillStyle = colour;
    pen.fillRect(0, 0, 1, 1);
    const rgb = [...pen.getImageData(0, 0, 1, 1).data.subarray(0, 3)];
    SOLID.set(colour, `rgb(${rgb.join(", ")})`);
  }
  return SOLID.get(colour);
}

// A canvas that is crisp on every screen and is painted by painters of sheets.
class Stage {
  constructor(canvas) {
    this.canvas = canvas;
  }

  // Give it its size in CSS pixels.
  fit(width, height) {
    const ratio = window.devicePixelRatio || 1;
    Object.assign(this, { width, height, ratio });
    const [w, h] = [Math.round(width * ratio), Math.round(height * ratio)];
    if (this.canvas.width !== w) this.canvas.width = w;
    if (this.canvas.height !== h) this.canvas.height = h;
    this.canvas.style.width = `${width}px`;
    this.canvas.style.height = `${height}px`;
  }

  draw(painter) {
    const pen = this.canvas.getContext("2d");
    pen.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    pen.clearRect(0, 0, this.width, this.height);
    const { width, height } = this;
    painter({ pen, width, height, ...pageLook(this.canvas.getRootNode()) });
  }

  // Where a pointer is, in CSS pixels of the canvas.
  at(event) {
    const box = this.canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }
}

// Words at a point. `align`: left, center, right; `base`: the canvas's textBaseline; `room`: pixels
// beyond which they are shortened.
function write({ pen, font, colours }, words, x, y, options = {}) {
  const { size = 12, weight = 400, align = "left", base = "alphabetic", room, colour } = options;
  pen.font = `${weight} ${size}px ${font}`;
  pen.textAlign = align;
  pen.textBaseline = base;
  pen.fillStyle = colour ?? colours.soft;
  pen.fillText(room === undefined ? words : shortened(pen, words, room), x, y);
}

// Words that take at most `room` pixels in the pen's font: "Ankle b…". Remembered, as measuring takes
// long.
const SHORTENED = new Map();
function shortened(pen, words, room) {
  const key = `${pen.font} ${room} ${words}`;
  if (!SHORTENED.has(key)) {
    let [shown, length] = [`${words}`, `${words}`.length];
    while (length > 1 && pen.measureText(shown).width > room) {
      shown = `${`${words}`.slice(0, --length).trimEnd()}…`;
    }
    SHORTENED.set(key, shown);
  }
  return SHORTENED.get(key);
}

// Pixels that the longest of some names takes, about, and at most `most`.
const roomFor = (names, size, most) =>
  Math.min(most, Math.ceil(0.6 * size * Math.max(...names.map((name) => name.length))));

// A line through points [x, y].
function polyline({ pen }, points, { colour, width = 1.5, dash = [], closed = false } = {}) {
  pen.beginPath();
  points.forEach(([x, y], k) => (k ? pen.lineTo(x, y) : pen.moveTo(x, y)));
  if (closed) pen.closePath();
  pen.setLineDash(dash);
  pen.lineWidth = width;
  pen.lineJoin = "round";
  pen.strokeStyle = colour;
  pen.stroke();
  pen.setLineDash([]);
}

function disc({ pen }, x, y, radius, colour, edge) {
  pen.beginPath();
  pen.arc(x, y, radius, 0, 2 * Math.PI);
  pen.fillStyle = colour;
  pen.fill();
  if (!edge) return;
  pen.lineWidth = 2;
  pen.strokeStyle = edge;
  pen.stroke();
}

// The place of a value between two others, as pixels from one to the other.
const ramp = (low, high, from, to) => (value) => from + ((value - low) / (high - low)) * (to - from);

const STRIPE = 4; // whole pixels, so that no seams show

// A colour scale as a bar, 10 high, with its numbers below; ticks: [[place 0…1, words], …].
function drawRamp(sheet, { x = 0, y, width = sheet.width - x, shades, ticks }) {
  const { pen } = sheet;
  for (let from = 0; from < width; from += STRIPE) {
    pen.fillStyle = shades[Math.floor((from / width) * shades.length)];
    pen.fillRect(x + from, y, Math.min(STRIPE, width - from), 10);
  }
  for (const [part, words] of ticks) {
    const align = part === 0 ? "left" : part === 1 ? "right" : "center";
    write(sheet, words, x + part * width, y + 24, { align });
  }
}
