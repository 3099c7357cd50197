// A pad that keeps strokes, not pixels.
const STEP = 32; // one arrow key
const MAX_OPS = 200; // the history that is kept from before the last clear
const PALM = 100; // CSS pixels; a wider contact is no finger
const PEN_REST = 1000; // ms after a pen was near in which a touch is the hand that holds it

class Pad {
  constructor(root) {
    this.root = root;
    this.find = (selector) => root.querySelector(selector);
    this.sheet = this.find(".sheet");
    // ops: what was done, a stroke's points or null for a clear; stroke: the one under the pen;
    // other: the picture that lies on the pad; over: the one that the stroke under the pen removed.
    Object.assign(this, { ops: [], redo: [], stroke: null, other: null, over: null });
    Object.assign(this, { title: "", wanted: "", words: "", note: "", penAt: -PEN_REST });
    this.cursor = { x: GRID / 2, y: GRID / 2, seen: false };
    this.courier = new Courier(() => ({ ops: this.done, redo: this.redo }));
    this.painter = new Painter(root, this.sheet);
    this.listen();
    this.watch = new ResizeObserver(() => this.paint());
    this.watch.observe(this.sheet);
  }

  // --- what Python sends ---------------------------------------------------------------------

  take({ data, setStateValue }) {
    const { courier } = this;
    courier.send = (message) => setStateValue("drawing", message);
    if (data.revision !== courier.revision) {
      courier.revision = data.revision;
      courier.seq = Math.max(courier.seq, data.seq);
      const { ops, redo } = courier.inherit(data.seq, data.revision) ?? data;
      Object.assign(this, { ops: [...ops], redo: [...redo] });
    }
    courier.answered(data.refused ? courier.seq : data.seq);
    // An older answer must not bring back what the visitor has just drawn over.
    if (!courier.waiting && !this.stroke) this.other = data.other;
    const { title, wanted, words, note } = data;
    Object.assign(this, { title, wanted, words, note });
    this.paint();
  }

  // --- drawing -------------------------------------------------------------------------------

  get strokes() {
    return this.ops.slice(this.ops.lastIndexOf(null) + 1);
  }

  // All that was done, the stroke under the pen included.
  get done() {
    if (!this.stroke) return this.ops;
    const cleared = this.over && this.strokes.length ? [null] : [];
    return [...this.ops, ...cleared, this.stroke.points];
  }

  begin(point) {
    this.stroke = new Stroke(point);
    [this.over, this.other] = [this.other, null];
    this.redo = [];
    this.courier.begin();
    this.paint();
  }

  extend(point) {
    if (!this.stroke.extend(point)) return;
    this.courier.live();
    this.paint();
  }

  end() {
    if (!this.stroke) return;
    this.ops = this.done;
    // Only what a clear has covered may be forgotten.
    while (this.ops.length > MAX_OPS && this.ops.includes(null)) this.ops.shift();
    this.stroke = this.over = null;
    this.courier.post(true);
    this.say(`Pen up. Stroke ${this.strokes.length} drawn`);
    this.paint();
  }

  // The stroke under the pen was none.
  drop() {
    [this.other, this.over, this.stroke] = [this.over, null, null];
    this.courier.post(true);
    this.paint();
  }

  act(name) {
    this.end();
    if (name === "undo" && this.ops.length) {
      this.redo.push(this.ops.at(-1));
      this.ops = this.ops.slice(0, -1);
      this.say("Undone");
    } else if (name === "redo" && this.redo.length) {
      this.ops = [...this.ops, this.redo.pop()];
      this.say("Redone");
    } else if (name === "clear" && this.strokes.length) {
      this.ops = [...this.ops, null];
      this.redo = [];
      this.say("Cleared");
    } else if (name === "back") {
      this.other = null;
      this.say("Your drawing is back");
    } else {
      return;
    }
    this.courier.post(true);
    this.paint();
  }

  say(words) {
    this.find("[aria-live]").textContent = words;
  }

  // --- pointer and keys ----------------------------------------------------------------------

  listen() {
    const { sheet } = this;
    sheet.onpointerdown = (event) => this.down(event);
    sheet.onpointermove = (event) => this.move(event);
    sheet.onpointerup = sheet.onpointercancel = (event) => this.lift(event);
    sheet.onlostpointercapture = (event) => this.lift(event);
    // A long press is a dot, not a menu.
    sheet.oncontextmenu = (event) => this.pointer && event.preventDefault();
    sheet.onfocus = () => {
      this.cursor.seen = sheet.matches(":focus-visible");
      this.paint();
    };
    sheet.onblur = () => {
      if (!this.pointer) this.end();
      this.cursor.seen = false;
      this.paint();
    };
    this.find(".pad").onkeydown = (event) => {
      if (this.command(event) || (event.target === sheet && this.key(event))) event.preventDefault();
    };
    for (const button of this.root.querySelectorAll("[data-do]")) {
      button.onclick = () => this.act(button.dataset.do);
    }
  }

  down(event) {
    const late = this.pointer?.type === "touch" && event.pointerType === "pen";
    if (event.button !== 0 || (this.pointer && !late) || this.isHand(event)) return;
    if (late) this.drop(); // the hand lay down before its pen
    this.end();
    this.pointer = { id: event.pointerId, type: event.pointerType };
    this.cursor.seen = false;
    this.begin(this.pointOf(event));
    try {
      this.sheet.setPointerCapture(event.pointerId);
    } catch {
      // It was lifted already; what it drew stays.
    }
  }

  move(event) {
    if (event.pointerType === "pen") this.penAt = performance.now();
    if (event.pointerId !== this.pointer?.id || !this.stroke) return;
    if (this.isHand(event)) {
      this.pointer = null;
      this.drop();
      return;
    }
    const events = event.getCoalescedEvents?.() ?? [];
    for (const each of events.length ? events : [event]) this.extend(this.pointOf(each));
  }

  lift(event) {
    if (event.pointerId !== this.pointer?.id) return;
    this.pointer = null;
    this.end();
  }

  // A touch that is the side of a hand, by its size or because a pen is near.
  isHand({ pointerType, width, height }) {
    const near = performance.now() - this.penAt < PEN_REST;
    return pointerType === "touch" && (near || Math.max(width, height) > PALM);
  }

  // Where the pointer is, on the pad or off it.
  pointOf({ clientX, clientY, pointerType, pressure }) {
    const box = this.sheet.getBoundingClientRect();
    return [
      (GRID * (clientX - box.left)) / box.width,
      (GRID * (clientY - box.top)) / box.height,
      100 * (pointerType === "pen" ? pressure : 0.5),
    ];
  }

  // Ctrl or Command with Z, Shift Z or Y, anywhere on the pad and its buttons; true where it was.
  command({ ctrlKey, metaKey, shiftKey, key }) {
    const name = { z: shiftKey ? "redo" : "undo", y: "redo" }[key.toLowerCase()];
    if (!(ctrlKey || metaKey) || !name) return false;
    this.act(name);
    return true;
  }

  // Drawing by keyboard; true where the key meant something.
  key({ ctrlKey, metaKey, shiftKey, key }) {
    const moves = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const { cursor } = this;
    if (ctrlKey || metaKey) return false;
    if (key === "Delete" || key === "Backspace") this.act("clear");
    else if (key === "Escape") this.end();
    else if (key === " " && this.stroke) this.end();
    else if (key === " ") {
      this.begin([cursor.x, cursor.y, 50]);
      this.say(`Pen down at the ${this.where()}`);
    } else if (moves[key]) {
      const before = this.where();
      const along = moves[key].map((part) => part * (shiftKey ? 3 * STEP : STEP));
      cursor.x = Math.min(GRID, Math.max(0, cursor.x + along[0]));
      cursor.y = Math.min(GRID, Math.max(0, cursor.y + along[1]));
      if (this.stroke) this.extend([cursor.x, cursor.y, 50]);
      if (this.where() !== before) this.say(`${this.stroke ? "Drawing, " : ""}${this.where()}`);
    } else return false;
    cursor.seen = true;
    this.paint();
    return true;
  }

  // The cursor's place in words: one of nine.
  where() {
    const third = (place) => Math.min(2, Math.floor((3 * place) / GRID));
    const row = ["top", "", "bottom"][third(this.cursor.y)];
    const column = ["left", "", "right"][third(this.cursor.x)];
    return [row, column].filter(Boolean).join(" ") || "middle";
  }

  // --- what one sees -------------------------------------------------------------------------

  paint() {
    this.painter.paint(() => {
      const all = this.over ? [] : this.strokes;
      const strokes = this.stroke ? [...all, this.stroke.points] : all;
      this.label(strokes.length);
      const { other, cursor } = this;
      return { strokes: other ? [] : strokes, other, cursor, penDown: Boolean(this.stroke) };
    });
  }

  // What the buttons and the lines under the drawing say.
  label(count) {
    const button = (name) => this.find(`[data-do="${name}"]`);
    const write = (selector, words) => {
      const line = this.find(selector);
      if (line.textContent !== words) line.textContent = words;
    };
    button("undo").disabled = Boolean(this.other) || !this.ops.length;
    button("redo").disabled = Boolean(this.other) || !this.redo.length;
    button("clear").disabled = Boolean(this.other) || !this.strokes.length;
    button("back").hidden = !(this.other && this.ops.length);
    // A button that has done all it can hands the keys back to the pad.
    if (this.root.activeElement?.disabled) this.sheet.focus({ preventScroll: true });
    const own = count ? "Your drawing" : `Draw one ${this.wanted}, large`;
    write(".invitation", this.other ? `${this.title}. Draw over it to begin your own.` : own);
    write(".reads", this.words.charAt(0).toUpperCase() + this.words.slice(1));
    write(".problem", this.note);
    this.find(".problem").hidden = !this.note;
    const strokes = `${count} ${count === 1 ? "stroke" : "strokes"}`;
    this.sheet.setAttribute("aria-label", `Drawing pad, ${this.other ? this.title : strokes}`);
  }
}

export default function (component) {
  const root = component.parentElement;
  kit.applyTheme(root);
  const pad = kit.once(root, () => new Pad(root));
  pad.take(component);
  return () => {
    pad.watch.disconnect();
    pad.courier.stop();
  };
}
