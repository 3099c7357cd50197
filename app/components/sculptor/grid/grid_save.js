// What one can take away of the grid: its figure, and every pose in it with its numbers.
const GRID_POSTER = { side: 56, row: 72, name: 220, head: 26, foot: 44, ramp: 168 }; // CSS pixels

const gridFile = ({ data, held, view }) =>
  `capsnet-grid-${kit.fileName(data.title)}-capsule-${kit.fileName(data.names[held.digit])}-` +
  `${view.basis}-${view.reach}`;

const gridReach = ({ basis, data }) => ({
  paper: `${basis.labels.paper} around the network’s value`,
  wide: `from ${kit.number(-basis.far, 0)} to ${basis.far}${basis.unit && ` ${basis.unit}`}`,
  population: `as far as real ${data.terms.images} go`,
})[basis.reach];

function gridPoster({ sculptor, rows, verdicts: { readings }, changes }) {
  const { basis, data, held, pose, root } = sculptor;
  const capsule = `Capsule ${data.names[held.digit]} of ${data.title}`;
  const length = `length ${kit.number(sculptor.length)}`;
  const { side, row, name, head, foot, ramp: long } = GRID_POSTER;
  const [pitch, order] = [(side * FILM_PITCH) / FILM_SIDE, basis.order];
  const film = (side * FILM_WIDTH) / FILM_SIDE;
  const { title, heads } = gridColumns(sculptor);
  const marks = "triangle: the held value, line: the network’s own";
  return {
    title: `${capsule}, every ${gridKind(basis)} from end to end`,
    lines: [
      `Each row ${gridReach(sculptor)}, the others as held (${length}); ${marks}`,
      `Drawn by the decoder of the network: ${data.network_title}`,
      ...(changes ? ["Shown is what differs from the held picture: blue less, orange more ink"] : []),
      ...(readings ? [gridVerdicts(sculptor, readings, null)] : []),
    ],
    width: name + film,
    height: head + order.length * row + foot,
    draw(sheet) {
      const { pen, colours } = sheet;
      pen.imageSmoothingEnabled = false;
      const middle = (s) => name + s * pitch + side / 2;
      if (heads.length) write(sheet, title, name - 14, 12, { align: "right" });
      heads.forEach((words, s) => write(sheet, words, middle(s), 12, { align: "center" }));
      order.forEach((k, place) => {
        const y = head + place * row;
        const limits = basis.limits(k);
        const at = ramp(...limits, middle(0), middle(SWEEP - 1));
        const bold = { weight: 600, colour: colours.text, size: 13 };
        write(sheet, `${k + 1}`, 18, y + side / 2 + 4, { align: "right", ...bold });
        const [words, ends] = [gridEffect(basis, k), heads.length ? "" : gridEnds(basis, k)];
        const lines = [words, ends].filter(Boolean);
        const first = y + side / 2 + 12 - 8 * lines.length;
        lines.forEach((line, n) => write(sheet, line, 28, first + 16 * n));
        pen.drawImage(rows.parts[k].canvas, name, y, film, side);
        const line = y + side + 6;
        polyline(sheet, [[middle(0), line], [middle(SWEEP - 1), line]], { colour: colours.line });
        const inside = (x) => Math.min(middle(SWEEP - 1), Math.max(middle(0), x));
        const home = at(basis.home(k));
        if (home === inside(home)) {
          polyline(sheet, [[home, line - 4], [home, line + 4]], { colour: colours.soft, width: 2 });
        }
        const now = inside(at(basis.value(k, pose)));
        const triangle = [[now, line - 4], [now + 5, line + 4], [now - 5, line + 4]];
        gridFill(pen, triangle, colours.accent);
        readings?.[k].forEach((one, s) => {
          const told = gridMark(one, held.digit, data.names);
          if (told) gridBadge(sheet, middle(s) - side / 2, y, side, told);
        });
      });
      const y = head + order.length * row + 12;
      const { paper, ink } = kit.theme(root);
      const shade = (t) => changes ? kit.css("signed", t)
        : solid(`color-mix(in srgb, ${ink} ${100 * t}%, ${paper})`);
      const stripes = long / STRIPE;
      const shades = Array.from({ length: stripes }, (_, n) => shade(n / (stripes - 1)));
      const ends = changes ? ["−1", "change of ink", "+1"] : ["0", "ink", "1"];
      const ticks = ends.map((words, n) => [n / 2, words]);
      drawRamp(sheet, { x: name, y, width: long, shades, ticks });
      if (!readings) return;
      const key =
        `Framed: the network reads another ${data.terms.digit}, in the corner; dashed: it is not sure`;
      write(sheet, key, name + long + 24, y + 10);
    },
  };
}

function gridFill(pen, points, colour) {
  pen.beginPath();
  points.forEach(([x, y], k) => (k ? pen.lineTo(x, y) : pen.moveTo(x, y)));
  pen.closePath();
  pen.fillStyle = colour;
  pen.fill();
}

// A picture's frame with what the network reads in it.
function gridBadge(sheet, x, y, side, { words, kind }) {
  const { pen, colours } = sheet;
  const [low, high] = [1, side - 1];
  const edge = [[low, low], [high, low], [high, high], [low, high]].map(([a, b]) => [x + a, y + b]);
  const dash = kind === "doubted" ? [5, 4] : [];
  polyline(sheet, edge, { colour: colours.warn, width: 2, dash, closed: true });
  const room = side - 6;
  const wide = Math.min(7 * words.length, room) + 6;
  pen.fillStyle = colours.warn;
  pen.fillRect(x + side - wide, y + side - 15, wide, 15);
  const bold = { weight: 700, align: "center", colour: colours.paper, room };
  write(sheet, words, x + side - wide / 2, y + side - 3, bold);
}

// Every picture: where it is, its pose, how far it is from the held one and what is read in it.
function gridTable({ sculptor, frames, verdicts: { readings } }) {
  const { basis, data, held, pixels } = sculptor;
  const head = [
    "input", "capsule", "basis", "number", "step", "value", "from_network", "from_held",
    "percent_of_digits_below", "squared_difference_from_held", "ink",
    "reads", "reads_length", "reads_sure",
    ...Array.from({ length: held.size }, (_, d) => `v${d + 1}`),
  ];
  const rows = basis.order.flatMap((k) =>
    basis.stops(k).map((_, s) => {
      const [pose, picture] = [frames.pose(k, s), frames.pixels(k, s)];
      const value = basis.value(k, pose);
      const read = readings?.[k][s];
      return [
        data.title, data.names[held.digit], basis.kind, k + 1, s - (SWEEP - 1) / 2, value,
        value - basis.home(k), value - basis.value(k), basis.percentile(k, value) ?? "",
        squaredError(picture, pixels), picture.reduce((sum, x) => sum + x, 0),
        ...(read ? [data.names[read.digit], read.length, read.sure] : ["", "", ""]),
        ...pose,
      ];
    }),
  );
  return [head, ...rows];
}

async function saveGrid(kind, panel) {
  const { sculptor } = panel;
  panel.complete();
  const name = gridFile(sculptor);
  if (kind === "csv") return kit.saveCsv(gridTable(panel), `${name}.csv`);
  kit.saveBlob(await POSTERS[kind](sculptor.root, gridPoster(panel)), `${name}.${kind}`);
}
