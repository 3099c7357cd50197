// The pictures, original, rebuilt and their difference, with their scales and numbers.
const SIDE = 28;
const FITS = { wide: [280, 112], narrow: [140, 84] }; // CSS pixels: the rebuilt picture, the others
const NARROW = 760; // CSS pixels of the component's width, as in the style sheet

class Stage {
  constructor(find) {
    this.find = find;
    this.apart = new Float32Array(SIDE * SIDE);
    this.canvas = (name) => find(`.${name} canvas`);
    this.spots = { length: find("[data-testid=pose-length]"), error: find("[data-testid=squared-error]") };
    this.warning = find(".impossible");
  }

  // Fit the pictures to the component's width; true where that changed anything.
  resize(width) {
    const fits = FITS[width > NARROW ? "wide" : "narrow"];
    const changed = fits !== this.fits;
    this.fits = fits;
    return changed;
  }

  // What stays while a slider moves: the original, the scales, the words under the pointer.
  still(root, image, title) {
    kit.drawGrid(this.canvas("original"), image, { fit: this.fits[1] });
    this.canvas("original").setAttribute("aria-label", `Original: ${title}, 28 by 28 pixels`);
    const { paper, ink } = kit.theme(root);
    const scales = { ink: [paper, ink], signed: kit.palette.scales.signed };
    for (const [name, stops] of Object.entries(scales)) {
      this.find(`[data-scale=${name}]`).style.setProperty("--stops", stops.join());
    }
    const line = this.find(".hovered");
    const at = (values, i, write = kit.number) => write(values[i], 2);
    const text = (row, column) => {
      const i = SIDE * row + column;
      const apart = at(this.apart, i, signed);
      const both = `original ${at(image, i)}, rebuilt ${at(this.pixels, i)} (${apart})`;
      return `Row ${row}, column ${column}: ${both}`;
    };
    const rest = "Point at a pixel to read its values.";
    for (const name of ["original", "rebuilt", "difference"]) {
      kit.hoverGrid(this.canvas(name), line, text, { rest });
    }
    line.textContent ||= rest;
  }

  // What moves; the squared error is handed back.
  paint(pixels, image, length) {
    let error = 0;
    for (let i = 0; i < pixels.length; i++) {
      this.apart[i] = pixels[i] - image[i];
      error += this.apart[i] ** 2;
    }
    this.pixels = pixels;
    const [large, small] = this.fits;
    kit.drawGrid(this.canvas("rebuilt"), pixels, { fit: large });
    const apart = { scale: "signed", low: -1, high: 1, fit: small };
    kit.drawGrid(this.canvas("difference"), this.apart, apart);
    this.spots.length.textContent = kit.number(length);
    this.spots.error.textContent = kit.number(error, 1);
    const beyond = length >= 1;
    if (beyond !== this.beyond) {
      this.beyond = beyond;
      this.spots.length.classList.toggle("warned", beyond);
      this.warning.textContent = beyond
        ? "No capsule is this long: the squash keeps every length below 1. The decoder has never met such a pose."
        : "";
    }
    return error;
  }
}
