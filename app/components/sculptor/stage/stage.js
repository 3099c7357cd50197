// Original, rebuilt and their difference, with their scales and numbers.
const SIDE = 28;
const FITS = { wide: [252, 84], narrow: [98, 98] }; // CSS pixels: the rebuilt picture, the others
const NARROW = 760; // CSS pixels of the component's width, as in the style sheet

const sentence = (words) => words[0].toUpperCase() + words.slice(1);
const signed = (value, digits = 2) => (value > 0 ? "+" : "") + kit.number(value, digits);

class StagePanel extends Panel {
  constructor(sculptor) {
    super(sculptor, "stage");
    this.apart = new Float32Array(SIDE * SIDE);
    this.spots = { length: this.test("pose-length"), error: this.test("squared-error") };
    this.warning = this.test("length-warning");
    // For scripts and tests: the pixels that are shown.
    this.test("rebuilt").pixels = () => sculptor.pixels;
  }

  // What stays while a slider moves: sizes, the original, the scales, words.
  prepare() {
    const { image, data, section } = this.sculptor;
    const name = data.names[this.held.digit];
    const wide = section.clientWidth > NARROW;
    this.fits = FITS[wide ? "wide" : "narrow"];
    kit.drawGrid(this.test("original"), image, { fit: this.fits[1] });
    this.test("original").setAttribute("aria-label", `Original: ${data.title}, 28 by 28 pixels`);
    this.test("rebuilt").setAttribute("aria-label", `Rebuilt from capsule ${name}`);
    this.test("difference").setAttribute("aria-label", "Rebuilt minus original");
    this.test("rebuilt-title").textContent = wide ? `Rebuilt from capsule ${name}` : `Capsule ${name}`;
    this.test("difference-title").textContent = wide ? "Rebuilt − original" : "Difference";
    const { paper, ink } = kit.theme(this.sculptor.root);
    const scales = { ink: [paper, ink], signed: kit.palette.scales.signed };
    for (const scale of this.root.querySelectorAll("[data-scale]")) {
      scale.style.setProperty("--stops", scales[scale.dataset.scale].join());
    }
    this.compare();
    this.hover();
  }

  // What the network's own pose gives, to hold the numbers against.
  compare() {
    const { image, decoder } = this.sculptor;
    const own = this.held.network();
    const pixels = decoder?.decode(this.held.digit, own);
    this.own = {
      length: kit.number(Math.hypot(...own)),
      error: pixels ? kit.number(squaredError(pixels, image), 1) : "",
    };
  }

  hover() {
    const line = this.test("hovered");
    const at = (values, i, write = kit.number) => write(values[i], 2);
    const text = (row, column) => {
      const i = SIDE * row + column;
      const { image, pixels } = this.sculptor;
      const both = `original ${at(image, i)}, rebuilt ${at(pixels, i)} (${at(this.apart, i, signed)})`;
      return `Row ${row}, column ${column}: ${both}`;
    };
    const rest = "Point at a pixel to read its values.";
    for (const name of ["original", "rebuilt", "difference"]) {
      kit.hoverGrid(this.test(name), line, text, { rest });
    }
    line.textContent ||= rest;
  }

  // What moves.
  paint() {
    const { pixels, image, length, error } = this.sculptor;
    for (let i = 0; i < pixels.length; i++) this.apart[i] = pixels[i] - image[i];
    const [large, small] = this.fits;
    kit.drawGrid(this.test("rebuilt"), pixels, { fit: large });
    const apart = { scale: "signed", low: -1, high: 1, fit: small };
    kit.drawGrid(this.test("difference"), this.apart, apart);
    this.spots.length.textContent = kit.number(length);
    this.spots.error.textContent = kit.number(error, 1);
    for (const [name, own] of Object.entries(this.own)) {
      this.test(`own-${name}`).textContent = this.held.moved && own ? `network’s ${own}` : "";
    }
    this.warn(length >= 1);
    this.answered();
  }

  warn(beyond) {
    if (beyond === this.beyond) return;
    this.beyond = beyond;
    this.spots.length.classList.toggle("warned", beyond);
    this.warning.textContent = beyond
      ? "No capsule is this long: the squash keeps every length below 1. The decoder has never met such a pose."
      : "";
  }

  // The loop in a word, where it is not beside the pictures.
  answered() {
    const { again, names } = this.data;
    const box = this.find(".reads");
    const length = kit.number(again.lengths[again.digit]);
    this.test("reads").textContent = again.sure ? `${names[again.digit]}, ${length}` : "not sure";
    box.classList.toggle("waiting", this.sculptor.waiting);
    box.classList.toggle("other", again.digit !== this.held.digit || !again.sure);
  }
}

const squaredError = (one, other) => one.reduce((sum, x, i) => sum + (x - other[i]) ** 2, 0);
