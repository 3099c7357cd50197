// What the colours of the votes mean: a key one can point at. Places and types lie in a grid: blue
// to amber from left to right, dark to light from the top down.
const VOTE_KEY_COLUMNS = 8; // of the types, as in the opened map of couplings
const VOTE_HUES = [255, 445]; // degrees; by way of violet and rose, so that no red meets a green
const VOTE_ROUNDS = 4; // in which the dots of each colour are drawn
const VOTE_LIGHTNESS = { light: [0.44, 0.76], dark: [0.52, 0.86] };

function voteColours(rows, columns, dark) {
  const [low, high] = VOTE_LIGHTNESS[dark ? "dark" : "light"];
  const hue = ramp(0, Math.max(1, columns - 1), ...VOTE_HUES);
  const lightness = ramp(0, Math.max(1, rows - 1), low, high);
  return Array.from({ length: rows * columns }, (_, k) =>
    solid(`oklch(${lightness(Math.floor(k / columns))} 0.14 ${hue(k % columns)})`),
  );
}

// The capsules that have each colour, [{colour, capsules}, …], every colour in several rounds: drawn
// in this order, none covers all the others.
function groupVotes({ I }, colours, cellOf) {
  const groups = Array.from({ length: VOTE_ROUNDS * colours.length }, (_, k) => ({
    colour: colours[k % colours.length], capsules: [],
  }));
  const met = colours.map(() => 0);
  for (let i = 0; i < I; i++) {
    const cell = cellOf(i);
    const round = met[cell]++ % VOTE_ROUNDS;
    groups[round * colours.length + cell].capsules.push(i);
  }
  return groups;
}

// A key has a cell for each place or type: `at` gives the one under a point; `marked` is one of
// them, or null.
class VotePlaceKey {
  constructor(story, contour, width, dark) {
    Object.assign(this, { story, contour, height: width, columns: story.grid });
    this.layout = new MapLayout(story, width);
    this.colours = voteColours(story.grid, story.grid, dark);
    this.groups = groupVotes(story, this.colours, (i) => story.placeOf(i));
  }

  at(x, y) {
    return this.layout.nearest(x, y);
  }

  draw(sheet, marked) {
    const { layout, contour, colours } = this;
    const { pen } = sheet;
    drawInk(sheet, this.story.image, 0.25);
    colours.forEach((colour, place) => {
      const [x, y, size] = layout.cell(place);
      pen.fillStyle = colour;
      pen.fillRect(x, y, size, size);
    });
    drawContour(sheet, contour, layout.zoom, sheet.colours.ink, 1);
    if (marked !== null) drawFrame(sheet, layout.cell(marked), -2);
  }
}

class VoteTypeKey {
  constructor(story, width, dark) {
    const rows = Math.ceil(story.K / VOTE_KEY_COLUMNS);
    Object.assign(this, { columns: VOTE_KEY_COLUMNS, cell: width / VOTE_KEY_COLUMNS });
    this.height = rows * this.cell;
    this.colours = voteColours(rows, VOTE_KEY_COLUMNS, dark).slice(0, story.K);
    this.groups = groupVotes(story, this.colours, (i) => story.typeOf(i));
  }

  at(x, y) {
    const { cell, columns, colours } = this;
    const [column, row] = [x, y].map((v) => Math.floor(v / cell));
    const type = row * columns + column;
    const inside = Math.min(column, row) >= 0 && column < columns && type < colours.length;
    return inside ? type : null;
  }

  square(type) {
    const { cell, columns } = this;
    const [column, row] = [type % columns, Math.floor(type / columns)];
    return [column * cell + 1, row * cell + 1, cell - 2];
  }

  draw(sheet, marked) {
    const { pen, colours } = sheet;
    this.colours.forEach((colour, type) => {
      const [x, y, size] = this.square(type);
      pen.fillStyle = colour;
      pen.fillRect(x, y, size, size);
      const middle = { size: 11, align: "center", base: "middle", colour: colours.paper };
      write(sheet, type, x + size / 2, y + size / 2, middle);
    });
    if (marked !== null) drawFrame(sheet, this.square(marked), 1);
  }
}

// The signs of the planes, in lines as wide as the sheet: [what it takes, how it is drawn].
const voteSizeSign = (coupling, words) => [
  words,
  (sheet, x, y) => disc(sheet, x + 8, y, voteRadius(coupling), sheet.colours.soft),
];
const voteSigns = (story) => [
  voteSizeSign(story.even, `vote û; its area: coupling ${evenShare(story)}`),
  voteSizeSign(0.5, "0.5"),
  voteSizeSign(1, "1"),
  [
    "pose v, coming from iteration 1",
    (sheet, x, y) => drawPoseArrow(sheet, [x - 6, y], [x + 17, y]),
  ],
  [
    "length 1: no pose can pass",
    (sheet, x, y) =>
      polyline(sheet, [[x, y], [x + 16, y]], { colour: sheet.colours.soft, dash: [6, 4] }),
  ],
  ["with even couplings", (sheet, x, y) => drawEvenMark(sheet, x + 8, y)],
  ["vote farther out", ({ pen, colours }, x, y) => {
    pen.beginPath();
    addVoteWedge(pen, x + 8, y, 4, 0);
    pen.fillStyle = colours.soft;
    pen.fill();
  }],
];

// Where the signs stand: [[x, y], …], and the height they take.
function layoutVoteSigns(story, width) {
  let [x, y] = [0, 12];
  const places = voteSigns(story).map(([words]) => {
    const room = 44 + 5.8 * words.length;
    if (x && x + room > width) [x, y] = [0, y + 22];
    x += room;
    return [x - room + 4, y];
  });
  return { places, height: y + 12 };
}

function drawVoteLegend(sheet, story) {
  const { places } = layoutVoteSigns(story, sheet.width);
  voteSigns(story).forEach(([words, draw], k) => {
    const [x, y] = places[k];
    draw(sheet, x, y);
    write(sheet, words, x + 24, y, { base: "middle" });
  });
}
