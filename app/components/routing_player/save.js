// What one can take away.
const fileName = (story, rest) => `capsnet-routing-${story.title.replace(/\W+/g, "-")}-${rest}`;

// The big map with its title, legend and numbers, in the colours of the page.
function mapPoster(root, { story, digit, clock, weighted, scale, big }) {
  const zoom = 2;
  const [width, height, side] = [520, 640, 448];
  const canvas = new OffscreenCanvas(width * zoom, height * zoom);
  const pen = canvas.getContext("2d");
  const style = getComputedStyle(root.host ?? root);
  const write = (words, x, y, size, weight = 400, align = "left") => {
    pen.font = `${weight} ${size}px ${style.fontFamily}`;
    pen.textAlign = align;
    pen.fillText(words, x, y);
  };
  pen.scale(zoom, zoom);
  pen.fillStyle = style.getPropertyValue("--st-background-color");
  pen.fillRect(0, 0, width, height);
  pen.fillStyle = style.getPropertyValue("--st-text-color");
  const t = clock.iteration;
  const length = kit.number(story.lengthAt(digit, t));
  write(`Couplings to digit ${story.names[digit]}, routing iteration ${t}`, 36, 44, 20, 600);
  write(`${story.title}; length of the capsule ${length}`, 36, 68, 13);
  pen.imageSmoothingEnabled = false;
  pen.drawImage(big.canvas, 36, 86, side, side);
  for (let x = 0; x < side; x++) {
    pen.fillStyle = kit.css("coupling", x / (side - 1));
    pen.fillRect(36 + x, 552, 1.5, 12);
  }
  pen.fillStyle = style.getPropertyValue("--st-text-color");
  for (const [part, words] of scale.ticks) {
    const align = part === 0 ? "left" : part === 1 ? "right" : "center";
    write(words, 36 + part * side, 582, 12, 400, align);
  }
  const how = weighted ? "weighted by vote length" : "every capsule alike";
  write(`Mean coupling of the ${story.types} capsules at each place, ${how}`, 36, 608, 12);
  return canvas;
}

function tableOf(story) {
  const head = [
    "iteration", ...story.names.map((name) => `length_${name}`), "longest",
    "entropy_mean_bits", "entropy_10_percent_bits", "entropy_90_percent_bits",
  ];
  const rows = story.leaders.map((leader, k) => [
    k + 1,
    ...story.names.map((_, j) => story.lengths[k * story.J + j]),
    story.names[leader],
    story.entropy[k], story.entropy_low[k], story.entropy_high[k],
  ]);
  const off = ["routing off", ...story.off, "", story.most, story.most, story.most];
  return [head, ...rows, off];
}

// [T][J][row][column] of a flat array.
function nested(story, values) {
  const { T, J, grid } = story;
  const count = (n, make) => Array.from({ length: n }, (_, k) => make(k));
  const index = (t, j, r, c) => ((t * J + j) * grid + r) * grid + c;
  return count(T, (t) =>
    count(J, (j) => count(grid, (r) => count(grid, (c) => values[index(t, j, r, c)]))),
  );
}

async function saveAs(kind, root, player) {
  const { story, digit, clock } = player;
  if (kind === "png") {
    const rest = `${story.names[digit]}-iteration-${clock.iteration}.png`;
    kit.saveBlob(await mapPoster(root, player).convertToBlob(), fileName(story, rest));
  }
  if (kind === "csv") kit.saveCsv(tableOf(story), fileName(story, "lengths-entropy.csv"));
  if (kind === "json") {
    const { title, names, trained, types, stride, extent } = story;
    const maps = { weighted: nested(story, story.weighted), plain: nested(story, story.plain) };
    const about =
      "Mean coupling at [iteration][digit][row][column], weighted by vote length and plain. " +
      "The place (row, column) sees pixels stride * row ... stride * row + extent - 1.";
    const rest = { about, title, names, trained, types, stride, extent };
    kit.saveJson({ ...rest, maps }, fileName(story, "maps.json"));
  }
}
