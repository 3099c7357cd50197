// Pairs of bars: the length of each digit capsule in two routings, on one scale.
const TWIN = { row: 30, bar: 10, widest: 110, right: 106, head: 26, foot: 42 };

const twinsHeight = (story) => TWIN.head + TWIN.row * story.J + TWIN.foot;

// The digit whose pair is at a height, or null.
function twinAt(story, y) {
  const j = Math.floor((y - TWIN.head) / TWIN.row);
  return j >= 0 && j < story.J ? j : null;
}

// `routings`: one or two {name, colour, lengthAt(j)}, the upper bar first; `chosen` the digit that
// stands out; `at` says which iteration it is.
function drawTwins(sheet, { story, routings, chosen, at }) {
  const { pen, width, colours } = sheet;
  const room = roomFor(story.names, 13, TWIN.widest);
  const x = ramp(0, 1, room + 18, width - TWIN.right);
  const bottom = TWIN.head + TWIN.row * story.J;
  let legend = 0;
  for (const { name, colour } of routings) {
    pen.fillStyle = colour;
    pen.fillRect(legend, 3, 12, 10);
    write(sheet, name, legend + 18, 12);
    legend += 18 + pen.measureText(name).width + 18;
  }
  for (const tick of [0, 0.25, 0.5, 0.75, 1]) {
    polyline(sheet, [[x(tick), TWIN.head], [x(tick), bottom]], { colour: colours.line, width: 1 });
    write(sheet, tick, x(tick), bottom + 15, { size: 11, align: "center" });
  }
  const axis = `length ‖v‖, ${at}`;
  write(sheet, axis, (x(0) + x(1)) / 2, bottom + 32, { size: 11, align: "center" });
  const longest = routings.map(({ lengthAt }) => longestOf(story, lengthAt));
  story.names.forEach((name, j) => {
    const middle = TWIN.head + TWIN.row * (j + 0.5);
    const mark = j === chosen ? { weight: 700, colour: colours.accent } : { colour: colours.text };
    const fitted = { size: 13, base: "middle", align: "right", room };
    write(sheet, name, room + 8, middle, { ...fitted, ...mark });
    routings.forEach(({ colour, lengthAt }, k) => {
      const top = middle - (routings.length * (TWIN.bar + 1) - 1) / 2 + k * (TWIN.bar + 1);
      pen.fillStyle = colour;
      pen.fillRect(x(0), top, lengthAt(j) && Math.max(1, x(lengthAt(j)) - x(0)), TWIN.bar);
      const leads = j === longest[k];
      write(sheet, kit.number(lengthAt(j)), width - TWIN.right + 34 + 46 * k, middle, {
        base: "middle", align: "center", weight: leads ? 700 : 400,
        colour: leads ? colours.text : colours.soft,
      });
    });
  });
}

// The longest digit; null where all lengths are 0.
function longestOf(story, lengthAt) {
  const longest = [...story.names.keys()].reduce((a, b) => (lengthAt(b) > lengthAt(a) ? b : a));
  return lengthAt(longest) ? longest : null;
}

// "5 leads with 0.95"
function leadWords(story, lengthAt) {
  const j = longestOf(story, lengthAt);
  return j === null ? "every length is 0" : `${story.names[j]} leads with ${kit.number(lengthAt(j))}`;
}

// Let a canvas of twins choose the digit: by a click, by the arrows up and down.
function chooseInTwins(stage, player) {
  const { canvas } = stage;
  canvas.onclick = (event) => {
    const digit = twinAt(player.story, stage.at(event)[1]);
    if (digit !== null) player.choose({ digit });
  };
  canvas.onkeydown = (event) => {
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (!step) return;
    event.preventDefault();
    player.choose({ digit: Math.min(player.story.J - 1, Math.max(0, player.digit + step)) });
  };
}
