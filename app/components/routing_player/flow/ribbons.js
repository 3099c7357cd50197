// The flow as ribbons. `picture` is what to show: {story, layout, sources, change, t, digit,
// apart, marked}; `digit` stands out; of the source `apart` all ribbons do, with their numbers, and
// the others fade; `marked` is a source to mark. Both may be null.
function drawFlow(sheet, picture) {
  const lanes = picture.layout.at(picture.t);
  for (const rank of [FADED, BESIDE, FIRST]) drawRibbons(sheet, picture, lanes, rank);
  drawSources(sheet, picture, lanes);
  drawDigits(sheet, picture, lanes);
  if (picture.apart !== null) drawEnds(sheet, picture, lanes);
  drawFlowLegend(sheet, picture);
}

const [FADED, BESIDE, FIRST] = [0, 1, 2];

function rankOf({ digit, apart }, source, to) {
  if (apart === null) return to === digit ? FIRST : FADED;
  if (source !== apart) return FADED;
  return to === digit ? FIRST : BESIDE;
}

const [MORE, LESS] = [0.86, 0.14].map((part) => kit.css("signed", part));
const changeColour = (change) => (change > 0 ? MORE : LESS);

// The ribbons of one rank. Hundreds are about a pixel wide: these are drawn as lines of one pixel
// with as much ink, which a browser paints many times faster than thin areas.
function drawRibbons({ pen, colours }, picture, { flows, starts, ends, thick }, rank) {
  const { story, layout, change, apart } = picture;
  const [from, to] = [layout.left + FLOW.node, layout.right - FLOW.node];
  const faded = apart !== null ? 0.1 : change ? 0.4 : 0.26;
  const alpha = [faded, 0.6, 0.85][rank];
  const colour = [colours.muted, colours.soft, colours.accent][rank];
  pen.lineWidth = 1;
  for (let k = 0; k < flows.length; k++) {
    const size = thick[k];
    if (size < 0.02 || rankOf(picture, Math.floor(k / story.J), k % story.J) !== rank) continue;
    pen.fillStyle = pen.strokeStyle = change ? changeColour(flows[k]) : colour;
    pen.beginPath();
    if (size < 2 && size * alpha <= 1) {
      pen.globalAlpha = size * alpha;
      addCurve(pen, from, starts[k] + size / 2, to, ends[k] + size / 2);
      pen.stroke();
    } else {
      pen.globalAlpha = alpha;
      addCurve(pen, from, starts[k], to, ends[k]);
      pen.lineTo(to, ends[k] + size);
      addCurve(pen, to, ends[k] + size, from, starts[k] + size, true);
      pen.fill();
    }
  }
  pen.globalAlpha = 1;
}

function addCurve(pen, from, start, to, end, goesOn = false) {
  const middle = (from + to) / 2;
  if (!goesOn) pen.moveTo(from, start);
  pen.bezierCurveTo(middle, start, middle, end, to, end);
}

function drawSources(sheet, { story, layout, sources, change, digit, apart, marked }, lanes) {
  const { pen, colours } = sheet;
  const { froms, left } = layout;
  const number = change ? signedNumber : (value) => kit.number(value);
  write(sheet, sources.head, left - 8, 12, { size: 11, align: "right" });
  if (layout.wide) write(sheet, `to ${story.names[digit]}`, 0, 12, { size: 11, room: 52 });
  froms.forEach(({ top, size }, s) => {
    const stands = s === apart || s === marked;
    const style = stands
      ? { size: 11, weight: 600, colour: colours.accent, base: "middle" }
      : { size: 11, base: "middle" };
    pen.fillStyle = stands ? colours.accent : colours.soft;
    pen.fillRect(left, lanes.leave[s], FLOW.node, Math.max(1, lanes.filled[s] - lanes.leave[s]));
    const middle = top + size / 2;
    write(sheet, sources.label(s), left - 8, middle, { ...style, align: "right" });
    if (layout.wide) write(sheet, number(lanes.flows[s * story.J + digit]), 0, middle, style);
    if (s === marked) drawPointer(sheet, left - 1, middle);
  });
}

// A small triangle that points at a source's node.
function drawPointer({ pen, colours }, x, y) {
  pen.fillStyle = colours.accent;
  pen.beginPath();
  for (const [dx, dy] of [[-6, -4], [0, 0], [-6, 4]]) pen.lineTo(x + dx, y + dy);
  pen.fill();
}

// Each digit: what is sent to it, what arrives, and its length.
function drawDigits(sheet, { story, layout, change, t, digit }, lanes) {
  const { pen, colours } = sheet;
  const { tos, right, wide, unit } = layout;
  const columns = (wide ? [68, 124, 166] : [46, 88, 122]).map((x) => right + layout.room + x);
  const name = right + (wide ? 20 : 13);
  const heads = change && wide ? ["Δ sent", "Δ arrives", "‖v‖"] : ["sent", "arrives", "‖v‖"];
  heads.forEach((words, k) => write(sheet, words, columns[k], 12, { size: 11, align: "right" }));
  if (wide) {
    write(sheet, "0", columns[2] + 10, 12, { size: 11 });
    write(sheet, "1", sheet.width - 2, 12, { size: 11, align: "right" });
  }
  tos.forEach(({ top, size }, j) => {
    const chosen = j === digit;
    const style = {
      size: 12, base: "middle", colour: chosen ? colours.text : colours.soft,
      weight: chosen ? 600 : 400,
    };
    const [now, before] = [t, 1].map((when) =>
      ["sent", "arrived"].map((name) => layout.sum(name, j, when)),
    );
    pen.fillStyle = chosen ? colours.accent : colours.soft;
    const node = Math.max(1, lanes.reached[j] - lanes.arrive[j]);
    pen.fillRect(right - FLOW.node, lanes.arrive[j], FLOW.node, node);
    if (!change) {
      pen.fillStyle = colours.text;
      pen.fillRect(right + 3, top, 5, now[1] * unit);
      const mark = top + before[0] * unit;
      polyline(sheet, [[right - FLOW.node - 8, mark], [right + 10, mark]], {
        colour: colours.text, width: 1.25, dash: [3, 2],
      });
    }
    const even = change ? size : Math.max(FLOW.least.digit, before[0] * unit);
    const middle = top + even / 2;
    const named = { size: FLOW.name, weight: chosen ? 700 : 500, room: layout.room };
    write(sheet, story.names[j], name, middle, { ...style, ...named });
    const values = change
      ? now.map((value, k) => signedNumber(value - before[k]))
      : [kit.number(now[0], 1), kit.number(now[1], wide ? 2 : 1)];
    const length = story.lengthAt(j, t);
    [...values, kit.number(length)].forEach((words, k) =>
      write(sheet, words, columns[k], middle, { ...style, align: "right" }),
    );
    if (wide) drawLength(sheet, columns[2] + 10, middle, length, chosen);
  });
}

// A length as a bar from 0 to 1.
function drawLength(sheet, x, y, length, chosen) {
  const { pen, colours, width } = sheet;
  const whole = width - x - 2;
  pen.fillStyle = colours.line;
  pen.fillRect(x, y - 4, whole, 8);
  pen.fillStyle = chosen ? colours.accent : colours.soft;
  pen.fillRect(x, y - 4, whole * length, 8);
}

// The numbers of one source's ribbons, where they end.
function drawEnds(sheet, { story, layout, change, digit, apart }, { flows, ends, thick }) {
  const { pen, colours } = sheet;
  for (let j = 0; j < story.J; j++) {
    const k = apart * story.J + j;
    const words = change ? signedNumber(flows[k]) : kit.number(flows[k]);
    const [x, y] = [layout.right - FLOW.node - 6, ends[k] + thick[k] / 2];
    pen.globalAlpha = 0.85;
    pen.fillStyle = colours.background;
    pen.fillRect(x - 38, y - 8, 42, 16);
    pen.globalAlpha = 1;
    write(sheet, words, x, y, {
      size: 12, align: "right", base: "middle", weight: j === digit ? 700 : 500,
      colour: j === digit ? colours.accent : colours.text,
    });
  }
}

function drawFlowLegend(sheet, { story, layout, change, digit }) {
  const { pen, colours } = sheet;
  const y = layout.height - 16;
  const sample = change ? 1 : 5; // the flow that a swatch stands for
  const amount = kit.number(sample, 1);
  const entries = change
    ? [
        [`${amount} more`, changeColour(1), 1],
        [`${amount} less`, changeColour(-1), 1],
      ]
    : [
        [`${amount} to ${story.digit(digit)}`, colours.accent, 0.85],
        [layout.wide ? `${amount} to another ${story.terms.digit}` : "to others", colours.muted, 0.5],
        [layout.wide ? `${amount} arriving` : "arriving", colours.text, 1],
      ];
  let x = 0;
  for (const [words, colour, alpha] of entries) {
    pen.globalAlpha = alpha;
    pen.fillStyle = colour;
    pen.fillRect(x, y - (sample * layout.unit) / 2, 20, sample * layout.unit);
    pen.globalAlpha = 1;
    write(sheet, words, x + 26, y, { size: 11, base: "middle" });
    x += 26 + pen.measureText(words).width + 18;
  }
  if (change) return;
  polyline(sheet, [[x, y], [x + 20, y]], { colour: colours.text, width: 1.25, dash: [3, 2] });
  write(sheet, layout.wide ? "sent with even coupling" : "if even", x + 26, y, {
    size: 11, base: "middle",
  });
}

// +0.42, −0.07, 0.00
function signedNumber(value, digits = 2) {
  const words = kit.number(value, digits);
  if (!/[1-9]/.test(words)) return kit.number(0, digits);
  return value > 0 ? `+${words}` : words;
}

// The places of the drawing as squares, their area what each sends to a digit.
const ORIGIN_FULL = 3.6; // a flow that fills its square
const ORIGIN_CHANGE_FULL = (ORIGIN_FULL * FLOW.unit) / FLOW.changeUnit;

function drawOrigin(sheet, { story, cells, change, colour, marked }) {
  const layout = new MapLayout(story, sheet.width);
  const { pen, colours } = sheet;
  drawInk(sheet, story.image, 0.55);
  const full = change ? ORIGIN_CHANGE_FULL : ORIGIN_FULL;
  cells.forEach((value, place) => {
    const [x, y, size] = layout.cell(place);
    const side = size * Math.sqrt(Math.min(1, Math.abs(value) / full));
    pen.strokeStyle = colours.muted;
    pen.lineWidth = 0.75;
    pen.strokeRect(x, y, size, size);
    pen.fillStyle = change ? changeColour(value) : colour;
    pen.fillRect(x + (size - side) / 2, y + (size - side) / 2, side, side);
  });
  if (marked !== null) drawFrame(sheet, layout.cell(marked), -1);
}
