// What one can take away of a journey: its film with the lengths as a figure, its numbers.
const TAKEN = { tile: 112, gap: 8, head: 20, foot: 24, chart: 250 }; // CSS pixels

function journeyPoster({ sculptor, way, share, pictures, target, readings }) {
  const { names, title } = sculptor.data;
  const { turning } = sculptor.journey;
  const { tile, gap, head, foot, chart } = TAKEN;
  const width = pictures.length * tile + (pictures.length - 1) * gap;
  const top = head + tile + foot + 24;
  const tiles = pictures.map((pixels) => {
    const canvas = document.createElement("canvas");
    kit.drawGrid(canvas, pixels, { fit: 2 * tile, root: sculptor.root });
    return canvas;
  });
  const end = way.inside ? "another pose of it" : `capsule ${names[way.to]}`;
  const how = turning ? "turning evenly" : "in a straight line";
  return {
    title: `From capsule ${names[way.from]} to ${end}`,
    lines: [
      `From the held pose of ${title} to ${target.title}, ${how}; drawn by the decoder`,
      "Below each picture: what the network reads in it, and how long that capsule is",
    ],
    width,
    height: top + 20 + chart,
    draw(sheet) {
      const { pen, colours } = sheet;
      tiles.forEach((canvas, k) => {
        const x = k * (tile + gap);
        const middle = { align: "center" };
        write(sheet, journeyPercent(k / (tiles.length - 1)), x + tile / 2, 12, middle);
        pen.imageSmoothingEnabled = false;
        pen.drawImage(canvas, x, head, tile, tile);
        const edge = [[x, head], [x + tile, head], [x + tile, head + tile], [x, head + tile]];
        polyline(sheet, edge, { colour: colours.line, width: 1, closed: true });
        const below = { ...middle, colour: colours.text, size: 13 };
        write(sheet, readings?.[k].join(" ") ?? "", x + tile / 2, head + tile + 18, below);
      });
      pen.save();
      pen.translate(0, top);
      write(sheet, LENGTHS_TITLE, 0, 8, { size: 13, weight: 600, colour: colours.text });
      pen.translate(0, 20);
      drawLengths({ ...sheet, height: chart }, { way, turning, share, names });
      pen.restore();
    },
  };
}
const LENGTHS_TITLE = "Length ‖v‖ on the way there";

// The way at the film's frames. Readings are empty until the network has given them.
function journeyTable({ sculptor, way, population }, shares, frames) {
  const { names } = sculptor.data;
  const { turning } = sculptor.journey;
  const digits = way.inside ? [way.from] : [way.from, way.to];
  const numbers = digits.flatMap((digit) =>
    Array.from({ length: way.size }, (_, k) => `capsule_${names[digit]}_v${k + 1}`));
  const head = [
    "share", "way", "length", "length_straight", "length_turning", "percent_of_digits_nearer",
    "reads", "reads_length", "reads_sure", ...numbers,
  ];
  const rows = shares.map((share, k) => {
    const read = frames?.[k];
    const farness = population ? population.farness(way.from, way.poseAt(share, turning)) : "";
    return [
      share, turning ? "turning" : "straight", way.length(share, turning),
      way.length(share, false), way.length(share, true), farness,
      ...(read ? [names[read.digit], read.length, read.sure] : ["", "", ""]),
      ...digits.flatMap((digit) => [...way.poseAt(share, turning, digit)]),
    ];
  });
  return [head, ...rows];
}

async function takeJourney(kind, panel) {
  const { sculptor, shares, frames } = panel;
  const { data, journey } = sculptor;
  const name = `capsnet-journey-${kit.fileName(data.title)}-to-${journey.to}`;
  const turning = journey.turning ? "-turning" : "";
  if (kind === "csv") {
    return kit.saveCsv(journeyTable(panel, shares, frames), `${name}${turning}.csv`);
  }
  const poster = await POSTERS[kind](sculptor.root, journeyPoster(panel));
  kit.saveBlob(poster, `${name}${turning}.${kind}`);
}
