// What one can take away of a panel: its figure at the clock's iteration, its numbers.
const EDGE = 24; // around an exported figure
const HEAD = 68; // title and what it is about

const fileName = (story, rest) => `capsnet-routing-${story.title.replace(/\W+/g, "-")}-${rest}`;

// Paint a panel's figure with its head on `pen`, in the colours of the page.
function drawPoster(pen, panel, { title, note, width, height, draw }, t) {
  const { story, player } = panel;
  const host = player.root.host ?? player.root;
  const colours = pageColours(player.root);
  const font = getComputedStyle(host).fontFamily;
  const [wide, high] = [width + 2 * EDGE, height + HEAD + 2 * EDGE];
  pen.fillStyle = colours.background;
  pen.fillRect(0, 0, wide, high);
  pen.translate(EDGE, EDGE);
  const sheet = { pen, width, height, colours, font };
  write(sheet, `${title}, routing iteration ${t}`, 0, 18, {
    size: 18, weight: 600, colour: colours.text,
  });
  const leader = story.leaders[t - 1];
  const reads = `${story.title}: ${story.names[leader]} leads with ${kit.number(story.lengthAt(leader, t))}`;
  write(sheet, reads, 0, 38, { size: 13 });
  write(sheet, note, 0, 56, { size: 13 });
  pen.translate(0, HEAD);
  draw(sheet, t);
}

async function saveAs(kind, panel) {
  const { story, player } = panel;
  const t = player.clock.iteration;
  const name = (ending) => fileName(story, `${panel.name}-${story.names[player.digit]}-${ending}`);
  if (kind === "csv") kit.saveCsv(panel.table(), name("numbers.csv"));
  if (kind === "png") {
    const figure = panel.figure();
    const zoom = 2;
    const size = [figure.width + 2 * EDGE, figure.height + HEAD + 2 * EDGE];
    const canvas = new OffscreenCanvas(...size.map((length) => length * zoom));
    const pen = canvas.getContext("2d");
    pen.scale(zoom, zoom);
    drawPoster(pen, panel, figure, t);
    kit.saveBlob(await canvas.convertToBlob(), name(`iteration-${t}.png`));
  }
}
