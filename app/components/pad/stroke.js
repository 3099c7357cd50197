// The stroke under the pen: what of the pointer's path becomes [x, y, pressure] on a square of
// 0…GRID, pressure 0…100, with a null where the pen was off the pad.
const GRID = 1023;
const PEN = 0.06; // width of the pen in parts of the pad
const TREMBLE = (PEN * GRID) / 2; // a press that stays within the pen's own width is a dot
const NEAR = 4; // a point closer to the last one than this adds nothing
const MANY = 2000; // points of a stroke from which on it is kept more coarsely

const apart = (one, other) => Math.hypot(one[0] - other[0], one[1] - other[1]);
const whole = ([x, y, pressure]) => [Math.round(x), Math.round(y), Math.round(pressure)];

// The pieces of a stroke between the times that the pen was off the pad.
function piecesOf(stroke) {
  const pieces = [[]];
  for (const point of stroke) {
    if (point) pieces.at(-1).push(point);
    else pieces.push([]);
  }
  return pieces;
}

// The part of a step that lies on the pad, as shares of it: [enter, leave], or null.
function onPad(from, to) {
  let [enter, leave] = [0, 1];
  for (const axis of [0, 1]) {
    const step = to[axis] - from[axis];
    const crossings = [-from[axis] / step, (GRID - from[axis]) / step].sort((a, b) => a - b);
    if (step) [enter, leave] = [Math.max(enter, crossings[0]), Math.min(leave, crossings[1])];
    else if (from[axis] < 0 || from[axis] > GRID) return null;
  }
  return enter <= leave ? [enter, leave] : null;
}

class Stroke {
  constructor(point) {
    this.at = point; // where the pointer is, on the pad or off it
    this.points = [whole(point)];
    this.held = []; // points of a press that may stay a dot
    this.near = NEAR;
  }

  // Follow the pointer; true where that added to the line.
  extend(point) {
    const from = this.at;
    // A pen's pressure jumps from event to event; the line's width should not.
    this.at = [point[0], point[1], from[2] + (point[2] - from[2]) / 2];
    const part = onPad(from, this.at);
    if (!part) return false;
    const [first, last] = part.map((share) => from.map((v, k) => v + share * (this.at[k] - v)));
    if (part[0] > 0) {
      this.settle();
      this.points.push(null, whole(first));
    }
    return this.add(whole(last), part[1] < 1);
  }

  add(point, leaves) {
    if (this.held) {
      this.held.push(point);
      if (apart(point, this.points[0]) <= TREMBLE) return false;
      this.settle();
      return true;
    }
    if (apart(point, this.points.at(-1)) < (leaves ? 1 : this.near)) return false;
    this.points.push(point);
    if (this.points.length > MANY) this.coarsen();
    return true;
  }

  // It is a line, not a dot.
  settle() {
    this.points.push(...(this.held ?? []));
    this.held = null;
  }

  coarsen() {
    this.near *= 2;
    const kept = [];
    for (const point of this.points) {
      const last = kept.at(-1);
      if (!point || !last || apart(point, last) >= this.near) kept.push(point);
    }
    this.points = kept;
  }
}
