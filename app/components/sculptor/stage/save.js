// What one can take away of a rebuilt picture: itself, a poster of the three, the numbers.
const POSTER_SIZE = 224; // of a picture on the poster
const POSTER_GAP = 24; // between two of them
const PICTURES_HEIGHT = POSTER_SIZE + 60; // with titles and scales
const POSTER_PAIRS = 120; // height of the lengths

const rebuiltName = ({ data, held }) =>
  `capsnet-rebuilt-${kit.fileName(data.title)}-capsule-${kit.fileName(data.names[held.digit])}`;

// What the network has read in the picture, or null where it has not yet.
function rereading({ data, returned, returns }) {
  if (!returned) return null;
  const { words, lengths } = data.again;
  const apart = closeness(returns.held, returns.back).distance;
  const usual = closeness(returns.own, returns.plain).distance;
  return { words, lengths, pose: [...returned], distance: apart, distance_of_network_pose: usual };
}

function rebuiltTable(sculptor) {
  const { data, held, pose, pixels, image, returned } = sculptor;
  const rows = [["quantity", "row_or_number", "column", "original", "rebuilt"]];
  held.network().forEach((x, k) => rows.push(["pose", k + 1, "", x, pose[k]]));
  returned?.forEach((x, k) => rows.push(["pose_that_came_back", k + 1, "", "", x]));
  if (returned) {
    data.lengths.forEach((x, j) => rows.push(["length", data.names[j], "", x, data.again.lengths[j]]));
  }
  pixels.forEach((x, i) => {
    rows.push(["pixel", Math.floor(i / SIDE), i % SIDE, image[i], x]);
  });
  return rows;
}

function rebuiltStory(sculptor) {
  const { data, held, pose, length, error, image, pixels } = sculptor;
  return {
    input: data.title,
    capsule: data.names[held.digit],
    network_pose: [...held.network()],
    pose: [...pose],
    length,
    squared_error: error,
    original: [...image],
    rebuilt: [...pixels],
    read_again: rereading(sculptor),
  };
}

// The three pictures with their scales and, once the network has read the rebuilt one, the lengths.
function rebuiltPoster(sculptor) {
  const { data, held, image, pixels, length, error, returned, root } = sculptor;
  const { names, again } = data;
  const { paper, ink } = kit.theme(root);
  const greys = ramped((t) => solid(`color-mix(in srgb, ${ink} ${100 * t}%, ${paper})`));
  const apart = pixels.map((x, i) => x - image[i]);
  const signs = { scale: "signed", low: -1, high: 1 };
  const parts = [
    ["Original", pictured(root, image), greys, ["0", "ink", "1"]],
    ["Rebuilt", pictured(root, pixels), greys, ["0", "ink", "1"]],
    ["Rebuilt − original", pictured(root, apart, signs), ramped((t) => kit.css("signed", t)), ["−1", "0", "+1"]],
  ];
  const told = { names, before: data.lengths, after: again.lengths, digit: held.digit };
  const width = 3 * POSTER_SIZE + 2 * POSTER_GAP;
  const pairs = POSTER_PAIRS - PAIR_FOOT + pairFoot(names, width);
  const numbers = `Length ‖v‖ ${kit.number(length)}, squared error ${kit.number(error, 1)}`;
  return {
    title: `Capsule ${names[held.digit]} of ${data.title}, rebuilt`,
    lines: [numbers, ...(returned ? [`Fed back to the network: ${again.words}`] : [])],
    width,
    height: PICTURES_HEIGHT + (returned ? pairs + 40 : 0),
    draw(sheet) {
      const { pen, colours } = sheet;
      parts.forEach(([title, canvas, shades, [low, middle, high]], k) => {
        const x = k * (POSTER_SIZE + POSTER_GAP);
        write(sheet, title, x, 14, { weight: 600, colour: colours.text });
        pen.drawImage(canvas, x, 22, POSTER_SIZE, POSTER_SIZE);
        pen.strokeStyle = colours.line;
        pen.strokeRect(x, 22, POSTER_SIZE, POSTER_SIZE);
        const ticks = [[0, low], [0.5, middle], [1, high]];
        drawRamp(sheet, { x, y: POSTER_SIZE + 30, width: POSTER_SIZE, shades, ticks });
      });
      if (!returned) return;
      const key = "Length of each capsule: left for the original, right for the rebuilt picture";
      write(sheet, key, 0, PICTURES_HEIGHT + 26);
      pen.translate(0, PICTURES_HEIGHT + 40);
      drawPairs({ ...sheet, height: pairs }, told);
    },
  };
}

const ramped = (shade) => Array.from({ length: 56 }, (_, k) => shade(k / 55));

// A picture large enough for a poster.
function pictured(root, values, scale = {}) {
  const canvas = document.createElement("canvas");
  kit.drawGrid(canvas, values, { fit: 2 * POSTER_SIZE, root, ...scale });
  return canvas;
}

async function saveRebuilt(kind, sculptor) {
  const name = rebuiltName(sculptor);
  if (kind === "csv") return kit.saveCsv(rebuiltTable(sculptor), `${name}.csv`);
  if (kind === "json") return kit.saveJson(rebuiltStory(sculptor), `${name}.json`);
  if (kind === "picture") {
    return kit.saveCanvas(pictured(sculptor.root, sculptor.pixels), `${name}.png`);
  }
  const poster = rebuiltPoster(sculptor);
  kit.saveBlob(await POSTERS[kind](sculptor.root, poster), `${name}-poster.${kind}`);
}
