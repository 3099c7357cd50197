// Original, rebuilt and their difference, with their scales and numbers; and the loop closed: what
// the network reads in the rebuilt picture.
const SIDE = 28;
const FITS = { wide: [280, 112], narrow: [140, 84] }; // CSS pixels: the rebuilt picture, the others
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
    const { image, data } = this.sculptor;
    const name = data.names[this.held.digit];
    this.fits = FITS[this.sculptor.section.clientWidth > NARROW ? "wide" : "narrow"];
    kit.drawGrid(this.test("original"), image, { fit: this.fits[1] });
    this.test("original").setAttribute("aria-label", `Original: ${data.title}, 28 by 28 pixels`);
    this.test("rebuilt").setAttribute("aria-label", `Rebuilt from capsule ${name}`);
    this.test("difference").setAttribute("aria-label", "Rebuilt minus original");
    this.test("rebuilt-title").textContent = `Rebuilt from capsule ${name}`;
    const { paper, ink } = kit.theme(this.sculptor.root);
    const scales = { ink: [paper, ink], signed: kit.palette.scales.signed };
    for (const [scale, stops] of Object.entries(scales)) {
      this.find(`[data-scale=${scale}]`).style.setProperty("--stops", stops.join());
    }
    this.hover();
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

  // What the network reads in the rebuilt picture; faint until it has seen the one that is shown.
  answered() {
    const { again, names } = this.data;
    const { digit } = this.held;
    const other = again.digit !== digit;
    const box = this.find(".again");
    const words = sentence(again.words);
    if (this.test("again").textContent !== words) this.test("again").textContent = words;
    box.classList.toggle("waiting", this.sculptor.waiting);
    box.classList.toggle("other", other || !again.sure);
    box.title = other ? `No longer a ${names[digit]} to the network` : "";
  }
}
