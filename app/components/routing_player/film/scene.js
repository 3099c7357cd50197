// What the animation shows: a figure made of the panels' own, with the lengths beside the map and the
// iterations below.
const FILM_WIDTH = 720;
const FILM_GAP = 24;
const STEPS_HEIGHT = 56;

// One figure of all; `others` are the figures below the map.
function sceneOf(story, digit, map, others) {
  const share = others.length ? 0.75 : 1; // of the map's own size
  const [mapWidth, mapHeight] = [map.width, map.height].map((size) => Math.ceil(size * share));
  const beside = mapWidth + FILM_GAP;
  const scaled = ({ width, height }) => Math.ceil((height * FILM_WIDTH) / width);
  const titled = 30;
  const total = others.reduce((sum, figure) => sum + titled + scaled(figure) + FILM_GAP, 0);
  return {
    title: others.length ? "Couplings, lengths and votes" : "Couplings and lengths",
    note:
      `Left: couplings to ${story.digit(digit)}; framed: one place and what it sees. ` +
      `Right: the length of each ${story.terms.digit} capsule.`,
    width: FILM_WIDTH,
    height: mapHeight + FILM_GAP + total + STEPS_HEIGHT,
    draw: (sheet, t) => {
      const { pen } = sheet;
      inset(sheet, map, t, 0, 0, mapWidth);
      pen.save();
      pen.translate(beside, 0);
      drawLengths({ ...sheet, width: FILM_WIDTH - beside, height: mapHeight }, story, digit, t);
      pen.restore();
      let y = mapHeight + FILM_GAP;
      for (const figure of others) {
        write(sheet, figure.title, 0, y + 14, { weight: 600, colour: sheet.colours.text, size: 13 });
        inset(sheet, figure, t, 0, y + titled, FILM_WIDTH);
        y += titled + scaled(figure) + FILM_GAP;
      }
      pen.save();
      pen.translate(0, y);
      drawSteps({ ...sheet, height: STEPS_HEIGHT }, story, t);
      pen.restore();
    },
  };
}

// Another figure at a place of the sheet, scaled to a width.
function inset(sheet, { width, height, draw }, t, x, y, wide) {
  const { pen } = sheet;
  pen.save();
  pen.translate(x, y);
  pen.scale(wide / width, wide / width);
  draw({ ...sheet, width, height }, t);
  pen.restore();
}

// The lengths of all digit capsules as bars from 0 to 1; dashed: with routing switched off.
function drawLengths(sheet, story, digit, t) {
  const { pen, width, height, colours } = sheet;
  const room = roomFor(story.names, 14, 110);
  const [left, right, axis] = [room + 15, width - 44, height - 30];
  const x = ramp(0, 1, left, right);
  const row = axis / story.J;
  const [leader] = story.ranked(t);
  for (const value of [0, 0.5, 1]) {
    polyline(sheet, [[x(value), 0], [x(value), axis]], { colour: colours.line, width: 1 });
    write(sheet, value, x(value), axis + 14, { size: 11, align: "center" });
  }
  write(sheet, "length ‖v‖; dashed: routing off", (left + right) / 2, axis + 29, {
    size: 11, align: "center",
  });
  story.names.forEach((name, j) => {
    const [top, middle] = [j * row, (j + 0.5) * row];
    const length = story.lengthAt(j, t);
    const bold = j === digit ? { weight: 700, colour: colours.accent } : { weight: 600 };
    write(sheet, name, 0, middle, { size: 14, base: "middle", room, ...bold });
    pen.fillStyle = j === leader ? colours.accent : colours.muted;
    pen.fillRect(left, top + 0.2 * row, x(length) - left, 0.6 * row);
    const off = x(story.off[j]);
    polyline(sheet, [[off, top + 0.08 * row], [off, top + 0.92 * row]], {
      colour: colours.text, width: 2, dash: [4, 3],
    });
    const said = j === leader ? { weight: 700, colour: colours.text } : {};
    write(sheet, kit.number(length), width, middle, { align: "right", base: "middle", ...said });
  });
}

// The iterations on a line, and where it is now.
function drawSteps(sheet, story, t) {
  const { width, colours } = sheet;
  const x = ramp(1, story.T, 10, width - 10);
  polyline(sheet, [[x(1), 12], [x(story.T), 12]], { colour: colours.line, width: 4 });
  polyline(sheet, [[x(1), 12], [x(t), 12]], { colour: colours.accent, width: 4 });
  disc(sheet, x(t), 12, 8, colours.accent, colours.background);
  for (let step = 1; step <= story.T; step++) {
    const now = step === Math.ceil(t) ? { weight: 700, colour: colours.text } : {};
    write(sheet, step, x(step), 36, { size: 13, align: "center", ...now });
  }
  write(sheet, `trained with r = ${story.trained}`, x(story.trained), 52, {
    size: 12, align: "center", colour: colours.accent,
  });
}
