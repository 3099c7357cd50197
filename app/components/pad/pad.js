// A pad that keeps strokes, not pixels: [x, y, pressure] on a square of 0…1023, pressure 0…100.
const GRID = 1023;
const PEN = 0.06; // width of the pen in parts of the pad
const NEAR = 4; // a point closer to the last one than this adds nothing
const STEP = 32; // one arrow key
const MAX_OPS = 200; // the history that is kept
const LOST_AFTER = 4000; // ms without an answer after which a finished drawing is sent once more
const LIVE_EVERY = 350; // ms between messages while the pen is down …
const LIVE_WITHIN = 150; // … which stop where an answer takes longer than this

class Pad {
  constructor(root) {
    this.root = root;
    this.find = (selector) => root.querySelector(selector);
    this.sheet = this.find(".sheet");
    Object.assign(this, { ops: [], redo: [], seq: 0, revision: null, stroke: null, other: null });
    this.cursor = { x: GRID / 2, y: GRID / 2, seen: false };
    this.answered = true;
    this.sentAt = 0;
    this.roundTrip = 0;
    this.listen();
    this.watch = new ResizeObserver(() => this.paint());
    this.watch.observe(this.sheet);
  }

  // --- what Python sends ---------------------------------------------------------------------

  take({ data, setStateValue }) {
    this.sendValue = (value) => setStateValue("drawing", value);
    if (data.revision !== this.revision) {
      Object.assign(this, { ops: [...data.ops], redo: [...data.redo], revision: data.revision });
      this.seq = Math.max(this.seq, data.seq);
    }
    if (data.seq >= this.seq && !this.answered) {
      this.answered = true;
      this.roundTrip = performance.now() - this.sentAt;
    }
    // An older answer must not bring back what the visitor has just drawn over.
    if (this.answered && !this.stroke) this.other = data.other;
    this.title = data.title;
    this.paint();
  }

  send(finished, again = false) {
    this.seq += 1;
    this.sentAt = performance.now();
    this.answered = false;
    const drawn = this.stroke ? [...this.ops, this.stroke] : this.ops;
    this.sendValue({ ops: drawn, redo: this.redo, seq: this.seq, finished });
    clearTimeout(this.lost);
    const remind = () => this.answered || this.stroke || this.send(true, true);
    if (finished && !again) this.lost = setTimeout(remind, LOST_AFTER);
  }

  sendLive() {
    const due = performance.now() - this.sentAt > LIVE_EVERY;
    if (this.answered && due && this.roundTrip < LIVE_WITHIN) this.send(false);
  }

  // --- drawing -------------------------------------------------------------------------------

  get strokes() {
    return this.ops.slice(this.ops.lastIndexOf(null) + 1);
  }

  begin(point) {
    if (this.other && this.strokes.length) this.ops.push(null);
    this.other = null;
    this.redo = [];
    this.stroke = [point];
    this.sentAt = performance.now();
    this.paint();
  }

  extend(point) {
    const [x, y] = this.stroke[this.stroke.length - 1];
    if (Math.hypot(point[0] - x, point[1] - y) < NEAR) return;
    this.stroke.push(point);
    this.paint();
    this.sendLive();
  }

  end() {
    if (!this.stroke) return;
    this.ops = [...this.ops, this.stroke].slice(-MAX_OPS);
    this.stroke = null;
    this.send(true);
    this.say(`Stroke ${this.strokes.length} drawn`);
    this.paint();
  }

  act(name) {
    this.end();
    if (name === "undo" && this.ops.length) {
      this.redo.push(this.ops.pop());
      this.say("Undone");
    } else if (name === "redo" && this.redo.length) {
      this.ops.push(this.redo.pop());
      this.say("Redone");
    } else if (name === "clear" && this.strokes.length) {
      this.ops.push(null);
      this.redo = [];
      this.say("Cleared");
    } else if (name === "back") {
      this.other = null;
      this.say("Your drawing is back");
    } else {
      return;
    }
    this.send(true);
    this.paint();
  }

  say(words) {
    this.find("[aria-live]").textContent = words;
  }

  // --- pointer and keys ----------------------------------------------------------------------

  listen() {
    const { sheet } = this;
    sheet.onpointerdown = (event) => {
      if (event.button !== 0 || this.pointer !== undefined) return;
      this.end();
      this.pointer = event.pointerId;
      sheet.setPointerCapture(event.pointerId);
      this.cursor.seen = false;
      this.begin(this.pointOf(event));
    };
    sheet.onpointermove = (event) => {
      if (event.pointerId !== this.pointer || !this.stroke) return;
      const events = event.getCoalescedEvents?.() ?? [];
      for (const each of events.length ? events : [event]) this.extend(this.pointOf(each));
    };
    const lift = (event) => {
      if (event.pointerId !== this.pointer) return;
      this.pointer = undefined;
      this.end();
    };
    sheet.onpointerup = lift;
    sheet.onpointercancel = lift;
    sheet.onlostpointercapture = lift;
    sheet.onkeydown = (event) => this.key(event);
    sheet.onfocus = () => {
      this.cursor.seen = sheet.matches(":focus-visible");
      this.paint();
    };
    sheet.onblur = () => {
      this.end();
      this.cursor.seen = false;
      this.paint();
    };
    for (const button of this.root.querySelectorAll("[data-do]")) {
      button.onclick = () => this.act(button.dataset.do);
    }
  }

  pointOf(event) {
    const box = this.sheet.getBoundingClientRect();
    const place = (at, size) => Math.round(GRID * Math.min(1, Math.max(0, at / size)));
    return [
      place(event.clientX - box.left, box.width),
      place(event.clientY - box.top, box.height),
      Math.round(100 * (event.pointerType === "pen" ? event.pressure : 0.5)),
    ];
  }

  key(event) {
    const moves = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const held = event.ctrlKey || event.metaKey;
    const { cursor } = this;
    const here = () => [Math.round(cursor.x), Math.round(cursor.y), 50];
    if (held && event.key.toLowerCase() === "z") this.act(event.shiftKey ? "redo" : "undo");
    else if (held && event.key.toLowerCase() === "y") this.act("redo");
    else if (held) return;
    else if (event.key === "Delete" || event.key === "Backspace") this.act("clear");
    else if (event.key === "Escape") this.end();
    else if (event.key === " ") {
      if (this.stroke) this.end();
      else {
        this.begin(here());
        this.say("Pen down");
      }
    } else if (moves[event.key]) {
      const [dx, dy] = moves[event.key];
      const step = event.shiftKey ? 3 * STEP : STEP;
      cursor.x = Math.min(GRID, Math.max(0, cursor.x + step * dx));
      cursor.y = Math.min(GRID, Math.max(0, cursor.y + step * dy));
      if (this.stroke) this.extend(here());
    } else return;
    event.preventDefault();
    cursor.seen = true;
    this.paint();
  }

  // --- painting ------------------------------------------------------------------------------

  paint() {
    if (this.waiting) return;
    this.waiting = requestAnimationFrame(() => {
      this.waiting = 0;
      this.paintNow();
    });
  }

  paintNow() {
    const { sheet } = this;
    const side = Math.round(sheet.clientWidth * (window.devicePixelRatio || 1));
    if (!side) return;
    if (sheet.width !== side) sheet.width = sheet.height = side;
    const pen = sheet.getContext("2d");
    const { ink, accent } = kit.theme(this.root);
    pen.clearRect(0, 0, side, side);
    const shown = this.other ? [] : this.stroke ? [...this.strokes, this.stroke] : this.strokes;
    if (!this.other) this.paintGuide(pen, side, ink);
    pen.strokeStyle = pen.fillStyle = ink;
    for (const stroke of shown) kit.paintStroke(pen, stroke, side / GRID, PEN * GRID);
    if (this.cursor.seen) this.paintCursor(pen, side, accent);
    const other = this.find(".other");
    other.hidden = !this.other;
    if (this.other) kit.drawGrid(other, this.other, { high: 255, fit: sheet.clientWidth });
    this.label(shown.length);
  }

  paintGuide(pen, side, ink) {
    pen.save();
    pen.strokeStyle = ink;
    pen.globalAlpha = 0.14;
    pen.lineWidth = Math.max(1, side / 400);
    pen.setLineDash([side / 80, side / 60]);
    pen.strokeRect(side * 0.18, side * 0.12, side * 0.64, side * 0.76);
    pen.restore();
  }

  paintCursor(pen, side, accent) {
    const [x, y] = [(this.cursor.x / GRID) * side, (this.cursor.y / GRID) * side];
    pen.save();
    pen.strokeStyle = pen.fillStyle = accent;
    pen.lineWidth = Math.max(2, side / 200);
    pen.beginPath();
    pen.arc(x, y, (side * PEN) / 2 + 3, 0, 2 * Math.PI);
    pen.stroke();
    if (this.stroke) {
      pen.globalAlpha = 0.35;
      pen.fill();
    }
    pen.restore();
  }

  // What the buttons and the line under the drawing say.
  label(shown) {
    const button = (name) => this.find(`[data-do="${name}"]`);
    button("undo").disabled = Boolean(this.other) || !this.ops.length;
    button("redo").disabled = Boolean(this.other) || !this.redo.length;
    button("clear").disabled = Boolean(this.other) || !this.strokes.length;
    button("back").hidden = !(this.other && this.ops.length);
    const own = shown ? "Your drawing" : "Draw one digit, large";
    const words = this.other ? `${this.title}. Draw over it to begin your own.` : own;
    const note = this.find(".invitation");
    if (note.textContent !== words) note.textContent = words;
  }
}

export default function (component) {
  const root = component.parentElement;
  kit.applyTheme(root);
  const pad = kit.once(root, () => new Pad(root));
  pad.take(component);
  return () => {
    pad.watch.disconnect();
    clearTimeout(pad.lost);
  };
}
