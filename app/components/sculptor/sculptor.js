// One pose in the hand, several panels that show it. The decoder (network/) draws at every movement;
// what is held goes to Python when the hand rests, for the link and for what only the network knows.
const REST = 200; // ms without a movement after which the hand rests

const PANELS = [
  CapsulesPanel, StagePanel, LoopPanel, SlidersPanel, GridPanel, EffectsPanel, JourneyPanel,
];

class Sculptor {
  constructor(root) {
    this.root = root;
    this.find = (selector) => root.querySelector(selector);
    this.section = this.find(".sculptor");
    this.view = { reach: "paper", basis: "dimensions", order: "number" };
    this.journey = { to: "", turning: false };
    this.seq = 0; // of the last message
    this.asked = 0; // of the last one about what is looked at now; 0 is none
    this.panels = PANELS.map((Kind) => new Kind(this));
    kit.ways(this.find(".kit-ways"), this.panels.map((panel) => panel.root));
    this.listen();
  }

  get network() {
    return globalThis.capsnetNetworks?.get(this.data.network);
  }

  get decoder() {
    return this.network?.decoder;
  }

  // How the sliders take the pose apart.
  get basis() {
    const axes = this.view.basis === "axes" && this.bases.axes.population;
    return this.bases[axes ? "axes" : "dimensions"];
  }

  // --- to and from Python --------------------------------------------------------------------

  // What Python says is held counts only where something else than the hand has changed it: an
  // answer must not move a slider.
  take(component) {
    const { data, setStateValue } = component;
    this.data = data;
    kit.fill(this.section, data.terms);
    this.back = Float64Array.from(kit.floats(data.again.pose));
    this.plain = Float64Array.from(kit.floats(data.again.plain));
    this.send = (value) => setStateValue("pose", value);
    // Poses of a grid for the network to read: see app/state_sweep.py.
    this.sweep = (wish) => setStateValue("sweep", wish);
    // {do: "pin" | "unpin" | "swap"} or {do: "look", sample}: see state_pair.take.
    this.ask = (wish) => setStateValue("wish", { ...wish, click: Date.now() });
    const subject = `${data.network} ${data.input} ${data.revision}`;
    const theme = kit.isDark(this.root);
    const turned = theme !== this.dark;
    this.dark = theme;
    if (subject === this.subject) {
      if (turned) this.prepare();
      return this.answer();
    }
    const same = this.data.input === this.shown?.input && this.data.network === this.shown?.network;
    this.subject = subject;
    this.begin(same ? this.held.past : []);
    this.shown = data;
  }

  // Show another input, or the same as a link has it; `past` are the steps that Undo knows.
  begin(past) {
    const { held, image, poses, names } = this.data;
    const { reach, basis, order, journey } = held;
    clearTimeout(this.resting);
    this.resting = 0;
    this.seq = Math.max(this.seq, this.data.again.seq);
    this.asked = 0;
    Object.assign(this, { view: { reach, basis, order }, journey });
    this.image = kit.floats(image);
    const known = kit.floats(poses);
    this.held = new Held(known, known.length / names.length, held, past);
    this.bases = { dimensions: new Dimensions(this), axes: new Axes(this) };
    this.pixels = kit.floats(this.data.again.pixels);
    this.prepare();
    this.rested();
  }

  answer() {
    for (const panel of this.panels) panel.answered();
  }

  // Whether Python has not answered yet to what is held.
  get waiting() {
    return Boolean(this.frame || this.resting || this.data.again.seq < this.asked);
  }

  // What takes the network longer (sculptor.readings), once it is about what is held now.
  get readings() {
    const { input, network, seq, ...found } = globalThis.capsnetReadings ?? {};
    const here = input === this.data.input && network === this.data.network;
    return here && !this.waiting && seq >= this.asked ? found : null;
  }

  // The pose of the held capsule that came back when the network read the rebuilt picture; null
  // until it has read the one that is shown.
  get returned() {
    return this.waiting ? null : this.back;
  }

  // What went into the loop and what came back: the held pose, and the network's own.
  get returns() {
    return { held: this.pose, back: this.back, own: this.held.network(), plain: this.plain };
  }

  tell() {
    clearTimeout(this.resting);
    this.resting = 0;
    if (this.frame) this.redraw();
    this.held.rest();
    this.asked = this.seq += 1;
    const { view, journey, seq } = this;
    const { input, network } = this.data;
    const { dimension } = this.held;
    this.send({ ...this.held.told, dimension, ...view, journey, seq, input, network });
    this.rested();
    const words = `Length ${kit.number(this.length)}, squared error ${kit.number(this.error, 1)}`;
    this.find("[data-testid=sculptor-status]").textContent = words;
  }

  // --- what the visitor does -----------------------------------------------------------------

  // Hold this pose of the capsule; numbers that are none are passed over.
  put(pose) {
    if (!pose.every(Number.isFinite)) return;
    this.held.put(pose);
    this.changed();
  }

  // Move one number of the basis.
  move(k, value) {
    if (!Number.isFinite(value)) return;
    this.choose(k);
    this.put(this.basis.with(k, value));
  }

  // Mark one number of the basis.
  choose(k) {
    if (this.held.dimension === k) return;
    this.held.dimension = k;
    this.redrawSoon();
  }

  // Hold another capsule, in a pose of one's own where there is one.
  hold(digit, pose = null) {
    this.held.digit = digit;
    if (pose) this.held.put(pose);
    this.prepare();
    this.changed();
  }

  // Back to the network's value: in one number, or in all.
  reset(k = null) {
    const { basis } = this;
    this.put(k === null ? this.held.network() : basis.with(k, basis.home(k)));
  }

  // Set the sliders up otherwise: {reach}, {basis}, {order}.
  show(changes) {
    Object.assign(this.view, changes);
    this.prepare();
    this.changed();
  }

  // Let the journey lead elsewhere: {to}, {turning}.
  travel(changes) {
    this.journey = { ...this.journey, ...changes };
    this.prepare();
    this.changed();
  }

  recall(way) {
    this.held[way](); // "undo" or "redo"
    this.prepare();
    this.changed();
  }

  // The pose has moved: redraw at the next frame, tell Python when the hand rests.
  changed() {
    this.redrawSoon();
    clearTimeout(this.resting);
    this.resting = setTimeout(() => this.tell(), REST);
  }

  redrawSoon() {
    this.frame ||= requestAnimationFrame(() => this.redraw());
  }

  listen() {
    this.watch = new ResizeObserver(([{ contentRect: { width } }]) => {
      if (width === this.width) return; // words that come and go change the height alone
      this.width = width;
      if (this.held) this.prepare();
    });
    this.watch.observe(this.section);
    this.arrived = () => {
      if (!this.held) return;
      this.prepare();
      this.rested();
    };
    addEventListener("capsnet-network", this.arrived);
    this.read = () => this.held && this.answer();
    addEventListener("capsnet-readings", this.read);
    this.section.onkeydown = (event) => this.key(event);
    // A slider that is let go of, a number that is typed: nothing more to wait for.
    this.section.onchange = () => this.resting && this.tell();
    // For scripts and tests: the pixels of any pose.
    this.section.decode = (digit, pose) => this.decoder.decode(digit, pose);
    this.section.sculptor = this;
  }

  // Undo and redo, except where a text field has its own.
  key(event) {
    if (event.defaultPrevented || !(event.ctrlKey || event.metaKey)) return;
    if (event.target.matches("input[type=number], input[type=text]")) return;
    const letter = event.key.toLowerCase();
    if (letter !== "z" && letter !== "y") return;
    event.preventDefault();
    this.recall(letter === "y" || event.shiftKey ? "redo" : "undo");
  }

  leave() {
    this.watch.disconnect();
    removeEventListener("capsnet-network", this.arrived);
    removeEventListener("capsnet-readings", this.read);
    cancelAnimationFrame(this.frame);
    clearTimeout(this.resting);
    for (const panel of this.panels) panel.stop();
  }

  // --- the page ------------------------------------------------------------------------------

  // After a change of input, capsule, view, network file, size or theme.
  prepare() {
    forgetLook();
    this.draw();
    for (const panel of this.panels) {
      panel.stale = true;
      if (panel.seen) panel.refresh();
    }
    this.redraw();
  }

  // The picture of the held pose and its numbers.
  draw() {
    this.pose = this.held.pose;
    this.length = Math.hypot(...this.pose);
    this.decoder?.decode(this.held.digit, this.pose, this.pixels);
    this.error = squaredError(this.pixels, this.image);
  }

  redraw() {
    const began = performance.now();
    cancelAnimationFrame(this.frame);
    this.frame = 0;
    this.draw();
    for (const panel of this.panels) if (panel.seen) panel.paint();
    const detail = { ms: performance.now() - began, pixels: this.pixels };
    this.section.dispatchEvent(new CustomEvent("redrawn", { detail }));
  }

  rested() {
    for (const panel of this.panels) if (panel.seen) panel.rested();
  }
}

export default function (component) {
  const root = component.parentElement;
  kit.applyTheme(root);
  const sculptor = kit.once(root, () => new Sculptor(root));
  sculptor.take(component);
  return () => sculptor.leave();
}
