// Figures to take away: a painter's picture under a head, as PNG or SVG in the page's colours. Needs
// plot.js. A poster is {title, lines, width, height, draw(sheet)}; `draw` uses nothing but the sheet.
const EDGE = 24; // around the figure
const HEADLINE = 32; // height of the title and what is between the head and the figure
const LINE = 18; // height of each line below it
const ZOOM = 2; // pixels of a PNG for each of the figure

const headHeight = ({ lines }) => HEADLINE + LINE * lines.length;

// Width and height of a figure with its head.
const posterSize = (poster) => [
  poster.width + 2 * EDGE, poster.height + headHeight(poster) + 2 * EDGE,
];

// Paint a figure with its head on `pen`, in the colours of the page that `root` is part of.
function drawPoster(pen, root, poster) {
  const { colours, font: family } = pageLook(root);
  const { title, lines, width, height, draw } = poster;
  pen.fillStyle = colours.background;
  pen.fillRect(0, 0, ...posterSize(poster));
  pen.translate(EDGE, EDGE);
  const sheet = { pen, width, height, colours, font: withFallback(family) };
  write(sheet, title, 0, 18, { size: 18, weight: 600, colour: colours.text });
  lines.forEach((words, k) => write(sheet, words, 0, 20 + LINE * (k + 1), { size: 13 }));
  pen.translate(0, headHeight(poster));
  draw(sheet);
}

// A font that a program has never heard of needs one that every program has.
const withFallback = (family) => (/sans-serif\s*$/.test(family) ? family : `${family}, sans-serif`);

async function pngOf(root, poster) {
  const canvas = new OffscreenCanvas(...posterSize(poster).map((length) => length * ZOOM));
  const pen = canvas.getContext("2d");
  pen.scale(ZOOM, ZOOM);
  drawPoster(pen, root, poster);
  return canvas.convertToBlob();
}

// The same painters on a context that writes SVG; words stay words.
async function svgOf(root, poster) {
  const { Context } = await kit.library("svgcanvas");
  const [width, height] = posterSize(poster);
  const pen = new Context(width, height);
  // The library ends a circle just short of where it began, and rounding would close it to nothing.
  pen.arc = (x, y, radius, from, to, back) => {
    const whole = Math.abs(to - from) >= 2 * Math.PI;
    const stops = whole ? [from, from + Math.PI, from + 2 * Math.PI] : [from, to];
    for (let k = 1; k < stops.length; k++) {
      Context.prototype.arc.call(pen, x, y, radius, stops[k - 1], stops[k], whole ? false : back);
    }
  };
  drawPoster(pen, root, poster);
  const svg = pen.getSvg();
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  // Few programs but browsers know this baseline; all know a shift.
  for (const words of svg.querySelectorAll('text[dominant-baseline="central"]')) {
    words.removeAttribute("dominant-baseline");
    words.setAttribute("dy", "0.35em");
  }
  // Pictures keep their pixels, as on the page.
  for (const image of svg.querySelectorAll("image")) image.style.imageRendering = "pixelated";
  const text = pen.getSerializedSvg();
  // A hundredth of a pixel is enough; only numbers inside tags are followed by ">" before "<".
  const short = text.replace(/(\d\.\d\d)\d+(?=[^<>]*>)/g, "$1");
  return new Blob([short], { type: "image/svg+xml" });
}

const POSTERS = { png: pngOf, svg: svgOf };
