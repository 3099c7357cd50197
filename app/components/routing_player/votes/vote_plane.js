// One digit's votes in its fixed plane: where each lies, and the picture at an iteration.
const VOTE_WINDOWS = {
  close: { x: [-0.6, 1.15], y: 0.55, ticks: [-0.5, 0, 0.5, 1] }, // most votes, the poses
  all: { x: [-3, 3], y: 1.885, ticks: [-3, -2, -1, 0, 1, 2, 3] }, // what was seen is below 2.9
};
const VOTE_MARGIN = { left: 36, right: 12, top: 24, bottom: 42 };
const VOTE_METER = 62; // height of the strip below a plane: how far the votes point one way
const FULL_VOTE = 8; // radius of a dot with coupling 1

const voteRadius = (coupling) => FULL_VOTE * Math.sqrt(coupling);

class VotePlane {
  // The plane of a digit, `width` wide on the sheet; `close`: without the few votes farther out.
  constructor(story, digit, close, width) {
    const { left, right, top, bottom } = VOTE_MARGIN;
    const { x, y, ticks } = VOTE_WINDOWS[close ? "close" : "all"];
    this.zoom = (width - left - right) / (x[1] - x[0]);
    Object.assign(this, { story, digit, ticks, width, low: [x[0], -y], high: [x[1], y] });
    this.box = { left, right: width - right, top, bottom: top + 2 * y * this.zoom };
    this.height = this.box.bottom + bottom + VOTE_METER;
    this.points = story.points.subarray(digit * story.I * 2, (digit + 1) * story.I * 2);
    this.poses = story.pose_points.subarray(digit * story.T * 2, (digit + 1) * story.T * 2);
    this.dots = Array.from({ length: story.I }, (_, i) => this.dot(...this.vote(i)));
  }

  // The coordinates of a capsule's vote.
  vote(capsule) {
    return [this.points[2 * capsule], this.points[2 * capsule + 1]];
  }

  // Those of the pose, at an iteration or between two.
  pose(t) {
    return [0, 1].map((k) => this.story.at(this.poses, 2, k, t));
  }

  at(x, y) {
    const { box, zoom, low, high } = this;
    return [box.left + (x - low[0]) * zoom, box.top + (high[1] - y) * zoom];
  }

  // Where a vote is drawn: {x, y, out}; one outside the window on its edge, in its direction, with
  // the angle in which it lies.
  dot(x, y) {
    const share = (value, k) => (value ? (value < 0 ? this.low : this.high)[k] / value : Infinity);
    const inside = Math.min(1, share(x, 0), share(y, 1));
    const [px, py] = this.at(x * inside, y * inside);
    return { x: px, y: py, out: inside < 1 ? Math.atan2(-y, x) : null };
  }

  // The capsule whose vote is drawn nearest to a point, at most `reach` away, or null.
  nearest(x, y, reach) {
    let [found, least] = [null, reach ** 2];
    this.dots.forEach((dot, capsule) => {
      const distance = (dot.x - x) ** 2 + (dot.y - y) ** 2;
      if (distance < least) [found, least] = [capsule, distance];
    });
    return found;
  }
}

// The plane at iteration t. `groups`: the capsules by colour; `marked`: those to ring; `alone`: the
// others step back.
function drawVotePlane(sheet, plane, t, { groups, marked, alone }) {
  drawVoteAxes(sheet, plane);
  const { pen } = sheet;
  const { story, digit, dots } = plane;
  drawVoteDots(sheet, plane, t, groups, alone ? 0.12 : 0.75);
  if (alone) {
    const own = new Set(marked);
    const some = groups.map(({ colour, capsules }) => ({
      colour, capsules: capsules.filter((i) => own.has(i)),
    }));
    drawVoteDots(sheet, plane, t, some, 1);
  }
  pen.globalAlpha = 1;
  drawPoseWay(sheet, plane, t);
  for (const capsule of marked) {
    const { x, y } = dots[capsule];
    const radius = voteRadius(story.couplingAt(capsule, digit, t)) + 3;
    if (marked.length === 1) drawOutlined(sheet, [plane.at(0, 0), [x, y]], 1.5, [3, 3]);
    drawVoteRing(sheet, x, y, radius, marked.length === 1 ? 2 : 1);
  }
  drawVoteMeter(sheet, plane, t);
}

// One path for each group: one for each dot would be slow.
function drawVoteDots({ pen }, { story, digit, dots }, t, groups, alpha) {
  pen.globalAlpha = alpha;
  for (const { colour, capsules } of groups) {
    pen.beginPath();
    for (const capsule of capsules) {
      const { x, y, out } = dots[capsule];
      const radius = voteRadius(story.couplingAt(capsule, digit, t));
      if (out !== null) addVoteWedge(pen, x, y, radius, out);
      else {
        pen.moveTo(x + radius, y);
        pen.arc(x, y, radius, 0, 2 * Math.PI);
      }
    }
    pen.fillStyle = colour;
    pen.fill();
  }
}

// The sign of a vote farther out: it points away; its area is that of a disc of this radius.
function addVoteWedge(pen, x, y, radius, angle) {
  const corner = (turn, far) => [
    x + far * radius * Math.cos(angle + turn), y + far * radius * Math.sin(angle + turn),
  ];
  pen.moveTo(...corner(0, 1.8));
  pen.lineTo(...corner(2.3, 1.5));
  pen.lineTo(...corner(-2.3, 1.5));
  pen.closePath();
}

function drawVoteAxes(sheet, plane) {
  const { colours } = sheet;
  const { box, low, high, ticks, story } = plane;
  const small = { size: 11 };
  for (const tick of ticks) {
    const [x, y] = plane.at(tick, tick);
    const line = { colour: tick ? colours.line : colours.muted, width: 1 };
    polyline(sheet, [[x, box.top], [x, box.bottom]], line);
    const words = kit.number(tick, Number.isInteger(tick) ? 0 : 1);
    write(sheet, words, x, box.bottom + 15, { ...small, align: "center" });
    if (tick < low[1] || tick > high[1]) continue;
    polyline(sheet, [[box.left, y], [box.right, y]], line);
    write(sheet, words, box.left - 6, y, { ...small, align: "right", base: "middle" });
  }
  if (plane.zoom <= 0) return; // no room
  const middle = (box.left + box.right) / 2;
  const along = `x: agreement û·v/‖v‖ with the pose of iteration ${story.T}`;
  write(sheet, along, middle, box.bottom + 32, { ...small, align: "center" });
  write(sheet, "y: across it, the way the pose turns", box.left, box.top - 9, small);
  // No pose is longer than 1; where the window is lower than that, a part of the circle shows.
  const { pen } = sheet;
  const turn = high[1] < 1 ? Math.asin(high[1]) : Math.PI;
  pen.beginPath();
  pen.arc(...plane.at(0, 0), plane.zoom, -turn, turn);
  pen.lineWidth = 1.5;
  pen.setLineDash([6, 4]);
  pen.strokeStyle = colours.soft;
  pen.stroke();
  pen.setLineDash([]);
}

// The way of the pose so far, and the arrow to where it is.
function drawPoseWay(sheet, plane, t) {
  const { colours } = sheet;
  const passed = Array.from({ length: Math.floor(t) }, (_, k) => plane.at(...plane.pose(k + 1)));
  const tip = plane.at(...plane.pose(t));
  drawOutlined(sheet, [...passed, tip], 1.5);
  for (const [x, y] of passed) disc(sheet, x, y, 3, colours.text, colours.background);
  const [x, y] = passed[0];
  const apart = Math.hypot(tip[0] - x, tip[1] - y) > 24;
  if (apart) write(sheet, 1, x - 7, y, { size: 11, align: "right", base: "middle" });
  drawPoseArrow(sheet, plane.at(0, 0), tip);
}

function drawPoseArrow(sheet, from, to) {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  const length = Math.hypot(dx, dy);
  if (!length) return;
  const head = Math.min(13, length);
  const [ux, uy] = [dx / length, dy / length];
  const base = [to[0] - head * ux, to[1] - head * uy];
  const side = (by) => [base[0] - by * head * uy, base[1] + by * head * ux];
  drawOutlined(sheet, [from, base], 3);
  const { pen, colours } = sheet;
  pen.beginPath();
  for (const [x, y] of [to, side(0.42), side(-0.42)]) pen.lineTo(x, y);
  pen.closePath();
  pen.fillStyle = colours.text;
  pen.fill();
}

// A line that stands out from the dots.
function drawOutlined(sheet, points, width, dash = []) {
  const { colours } = sheet;
  polyline(sheet, points, { colour: colours.background, width: width + 2 });
  polyline(sheet, points, { colour: colours.text, width, dash });
}

function drawVoteRing({ pen, colours }, x, y, radius, width) {
  for (const [colour, wide] of [[colours.background, width + 2], [colours.text, width]]) {
    pen.beginPath();
    pen.arc(x, y, radius, 0, 2 * Math.PI);
    pen.lineWidth = wide;
    pen.strokeStyle = colour;
    pen.stroke();
  }
}

// How far the votes point one way, 0…1, with the mark of even couplings.
function drawVoteMeter(sheet, { story, digit, box, height }, t) {
  const { colours, pen } = sheet;
  const one = story.at(story.concentration, story.J, digit, t);
  const y = height - VOTE_METER + 26;
  const x = ramp(0, 1, box.left, box.right);
  const bold = { size: 13, weight: 600, colour: colours.text };
  write(sheet, `votes point one way: ${kit.number(one)}`, box.left, y - 8, bold);
  const length = `pose ${kit.number(story.lengthAt(digit, t))} long`;
  write(sheet, length, box.right, y - 8, { ...bold, align: "right" });
  pen.fillStyle = colours.line;
  pen.fillRect(box.left, y, box.right - box.left, 8);
  pen.fillStyle = colours.accent;
  pen.fillRect(box.left, y, x(one) - box.left, 8);
  drawEvenMark(sheet, x(story.concentration[digit]), y + 4); // of iteration 1
  write(sheet, "0: cancel out", box.left, y + 24, { size: 11 });
  write(sheet, "1: all the same way", box.right, y + 24, { size: 11, align: "right" });
}

// Where the votes would stand with even couplings.
function drawEvenMark(sheet, x, y) {
  const upright = [[x, y - 7], [x, y + 7]];
  polyline(sheet, upright, { colour: sheet.colours.text, width: 2, dash: [3, 2] });
}
