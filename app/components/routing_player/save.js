// What one can take away of a panel: its figure at the clock's iteration, its numbers.
const EDGE = 24; // around an exported figure
const HEAD = 68; // title and what it is about
const ZOOM = 2; // pixels of a PNG for each of the figure

const fileName = (story, rest) => `capsnet-routing-${story.title.replace(/\W+/g, "-")}-${rest}`;

// Width and height of a figure with its head.
const posterSize = ({ width, height }) => [width + 2 * EDGE, height + HEAD + 2 * EDGE];

// Paint a panel's figure with its head on `pen`, in the colours of the page.
function drawPoster(pen, panel, figure, t) {
  const { story, player } = panel;
  const { colours, font: family } = pageLook(player.root);
  const font = withFallback(family);
  const { title, note, width, height, draw } = figure;
  pen.fillStyle = colours.background;
  pen.fillRect(0, 0, ...posterSize(figure));
  pen.translate(EDGE, EDGE);
  const sheet = { pen, width, height, colours, font };
  const when = Number.isInteger(t) ? t : `${Math.floor(t)} → ${Math.ceil(t)}`;
  write(sheet, `${title}, routing iteration ${when}`, 0, 18, {
    size: 18, weight: 600, colour: colours.text,
  });
  const [leader] = story.ranked(t);
  const length = kit.number(story.lengthAt(leader, t));
  write(sheet, `${story.title}: ${story.names[leader]} leads with ${length}`, 0, 38, { size: 13 });
  write(sheet, note, 0, 56, { size: 13 });
  pen.translate(0, HEAD);
  draw(sheet, t);
}

// A font that a program has never heard of needs one that every program has.
const withFallback = (family) => (/sans-serif\s*$/.test(family) ? family : `${family}, sans-serif`);

async function pngOf(panel, figure, t) {
  const canvas = new OffscreenCanvas(...posterSize(figure).map((length) => length * ZOOM));
  const pen = canvas.getContext("2d");
  pen.scale(ZOOM, ZOOM);
  drawPoster(pen, panel, figure, t);
  return canvas.convertToBlob();
}

// The same painters on a context that writes SVG; words stay words.
async function svgOf(panel, figure, t) {
  const { Context } = await kit.library("svgcanvas");
  const [width, height] = posterSize(figure);
  const pen = new Context(width, height);
  // The library ends a circle just short of where it began, and rounding would close it to nothing.
  pen.arc = (x, y, radius, from, to, back) => {
    const whole = Math.abs(to - from) >= 2 * Math.PI;
    const stops = whole ? [from, from + Math.PI, from + 2 * Math.PI] : [from, to];
    for (let k = 1; k < stops.length; k++) {
      Context.prototype.arc.call(pen, x, y, radius, stops[k - 1], stops[k], whole ? false : back);
    }
  };
  drawPoster(pen, panel, figure, t);
  const root = pen.getSvg();
  root.setAttribute("viewBox", `0 0 ${width} ${height}`);
  // Few programs but browsers know this baseline; all know a shift.
  for (const words of root.querySelectorAll('text[dominant-baseline="central"]')) {
    words.removeAttribute("dominant-baseline");
    words.setAttribute("dy", "0.35em");
  }
  const text = pen.getSerializedSvg();
  // A hundredth of a pixel is enough; only numbers inside tags are followed by ">" before "<".
  const short = text.replace(/(\d\.\d\d)\d+(?=[^<>]*>)/g, "$1");
  return new Blob([short], { type: "image/svg+xml" });
}

const PICTURES = { png: pngOf, svg: svgOf };

async function saveAs(kind, panel) {
  const { story, player } = panel;
  const t = player.clock.iteration;
  const name = (ending) => fileName(story, `${panel.name}-${story.names[player.digit]}-${ending}`);
  if (kind === "csv") kit.saveCsv(panel.table(), name("numbers.csv"));
  else kit.saveBlob(await PICTURES[kind](panel, panel.figure(), t), name(`iteration-${t}.${kind}`));
}
