// Sliders on the pose of one digit capsule. The decoder (decoder/) draws at every movement; what is
// held goes to Python when the hand rests.
const REACH = 0.25; // how far the paper moves a dimension (section 5.1)
const GRAIN = 1000; // offsets are whole thousandths, as the link keeps them
const NEARBY = 0.08; // standard deviation of a random step
const REST = 200; // ms without a movement after which Python is told

const sentence = (words) => words[0].toUpperCase() + words.slice(1);

class Sculptor {
  constructor(root) {
    this.root = root;
    this.find = (selector) => root.querySelector(selector);
    this.section = this.find(".sculptor");
    this.pixels = new Float32Array(SIDE * SIDE);
    this.stale = new Set();
    this.stage = new Stage(this.find);
    this.stage.resize(this.section.clientWidth);
    this.rows = new Rows(this.find(".rows"), this);
    this.film = new Film(this.find, this);
    this.listen();
  }

  get decoder() {
    return globalThis.capsnetDecoders?.get(this.data.network);
  }

  reference(k) {
    return this.poses[this.digit * this.offsets.length + k];
  }

  limits(k) {
    return this.wide ? [-1 - this.reference(k), 1 - this.reference(k)] : [-REACH, REACH];
  }

  // --- to and from Python --------------------------------------------------------------------

  // Python's `held` counts only for another input or network: an answer must not move a slider.
  take({ data, setStateValue }) {
    this.data = data;
    this.send = (value) => setStateValue("pose", value);
    const subject = `${data.network} ${data.input}`;
    if (subject !== this.subject) {
      const { digit, offsets, wide, dimension, seq } = data.held;
      Object.assign(this, { subject, digit, wide, dimension, seq, offsets: [...offsets] });
      [this.image, this.poses] = [kit.floats(data.image), kit.floats(data.poses)];
      clearTimeout(this.resting);
      this.rows.build(offsets.length);
    }
    this.paintAll();
  }

  tell() {
    this.resting = 0;
    this.seq += 1;
    const { digit, offsets, wide, dimension, seq } = this;
    const { input, network } = this.data;
    this.send({ digit, offsets: [...offsets], wide, dimension, seq, input, network });
    const words = `Length ${kit.number(this.length)}, squared error ${kit.number(this.error, 1)}`;
    this.find("[aria-live]").textContent = words;
  }

  // --- what the visitor does -----------------------------------------------------------------

  move(k, offset) {
    this.choose(k);
    if (!Number.isFinite(offset)) return;
    this.offsets[k] = this.within(k, offset);
    this.changed([k]);
  }

  within(k, offset) {
    const [low, high] = this.limits(k);
    return Math.round(Math.min(high, Math.max(low, offset)) * GRAIN) / GRAIN;
  }

  choose(k) {
    if (this.dimension === k) return;
    const last = this.dimension;
    this.dimension = k;
    this.repaint([k, last]);
  }

  hold(digit) {
    if (digit === this.digit) return;
    this.digit = digit;
    this.offsets.fill(0);
    this.changed();
  }

  act(name) {
    const normal = () =>
      Math.sqrt(-2 * Math.log(1 - Math.random())) * Math.cos(2 * Math.PI * Math.random());
    if (name === "reset") this.offsets.fill(0);
    if (name === "random") {
      this.offsets.forEach((_, k) => (this.offsets[k] = this.within(k, NEARBY * normal())));
    }
    this.changed();
  }

  // Redraw at the next frame, these dimensions' rows with it.
  repaint(rows) {
    for (const k of rows) this.stale.add(k);
    this.frame ||= requestAnimationFrame(() => this.redraw());
  }

  // The same, and tell Python when the hand rests.
  changed(rows = this.offsets.keys()) {
    this.repaint(rows);
    clearTimeout(this.resting);
    this.resting = setTimeout(() => this.tell(), REST);
  }

  listen() {
    for (const button of this.section.querySelectorAll("[data-do]")) {
      const { do: name } = button.dataset;
      button.onclick = () => (name in SAVES ? SAVES[name](this) : this.act(name));
    }
    for (const button of this.section.querySelectorAll("[data-wide]")) {
      button.onclick = () => {
        this.wide = button.dataset.wide === "true";
        this.changed();
      };
    }
    this.watch = new ResizeObserver(() => {
      if (this.stage.resize(this.section.clientWidth)) this.paintAll();
    });
    this.watch.observe(this.section);
    this.arrived = () => this.paintAll();
    addEventListener("capsnet-decoder", this.arrived);
    // For scripts and tests: the pixels of any pose, and those that are shown.
    const spare = new Float32Array(this.pixels.length);
    this.section.decode = (digit, pose) => this.decoder.decode(digit, pose, spare);
    this.find(".rebuilt canvas").pixels = () => this.pixels;
  }

  leave() {
    this.watch.disconnect();
    removeEventListener("capsnet-decoder", this.arrived);
    cancelAnimationFrame(this.frame);
    if (this.resting) clearTimeout(this.resting);
  }

  // --- the page ------------------------------------------------------------------------------

  paintAll() {
    for (const k of this.offsets.keys()) this.stale.add(k);
    this.dark = kit.isDark(this.root); // asked here only: in a frame it would force a layout
    this.stage.still(this.root, this.image, this.data.title);
    this.redraw();
  }

  redraw() {
    const began = performance.now();
    cancelAnimationFrame(this.frame);
    this.frame = 0;
    this.pose = Float32Array.from(this.offsets, (offset, k) => this.reference(k) + offset);
    this.length = Math.hypot(...this.pose);
    if (this.decoder) this.decoder.decode(this.digit, this.pose, this.pixels);
    else this.pixels.set(kit.floats(this.data.again.pixels));
    this.error = this.stage.paint(this.pixels, this.image, this.length);
    if (this.stale.size === this.offsets.length) this.label();
    for (const k of this.stale) this.rows.paint(k);
    this.stale.clear();
    this.find("[data-do=reset]").disabled = this.offsets.every((offset) => offset === 0);
    this.again();
    this.film.paint();
    const detail = { ms: performance.now() - began, pixels: this.pixels };
    this.section.dispatchEvent(new CustomEvent("redrawn", { detail }));
  }

  // Words and buttons that stay the same while one slider moves.
  label() {
    const { names, winner, lengths, sure_length: sure, blank } = this.data;
    this.capsules();
    const name = names[this.digit];
    const length = kit.number(lengths[this.digit]);
    let words = "";
    if (blank) words = "Nothing is drawn: these poses are what the network makes of an empty page.";
    else if (this.digit !== winner) {
      words = `Capsule ${name} lost: its length is ${length}, that of capsule ${names[winner]} is ` +
        `${kit.number(lengths[winner])}. In training the decoder saw only the capsule of the true ` +
        `digit, so what it draws here need not look like a ${name}.`;
    } else if (lengths[winner] < sure) {
      words = `Even the longest capsule is short (${length}), and the picture may look like nothing.`;
    }
    this.put(".losing", words);
    this.put(".rebuilt figcaption", `Rebuilt from capsule ${name}`);
    this.stage.canvas("rebuilt").setAttribute("aria-label", `Rebuilt from capsule ${name}`);
    this.stage.canvas("difference").setAttribute("aria-label", "Rebuilt minus original");
    for (const button of this.section.querySelectorAll("[data-wide]")) {
      button.setAttribute("aria-pressed", String(this.wide) === button.dataset.wide);
    }
  }

  // What the network reads in the rebuilt picture; faint until it has seen the one that is shown.
  again() {
    const { again, held, names } = this.data;
    const box = this.find(".again");
    const waiting = Boolean(this.frame || this.resting || held.seq < this.seq);
    const other = again.digit !== this.digit;
    this.put(".again dd", sentence(again.words));
    box.classList.toggle("waiting", waiting);
    box.classList.toggle("other", other || !again.sure);
    box.title = other ? `No longer a ${names[this.digit]} to the network` : "";
  }

  capsules() {
    const { names, lengths, winner } = this.data;
    const box = this.find(".capsules");
    while (box.children.length < names.length) {
      const button = document.createElement("button");
      const digit = box.children.length;
      Object.assign(button, { type: "button", innerHTML: "<b></b><span></span><i></i>" });
      button.dataset.testid = `capsule-${digit}`;
      button.onclick = () => this.hold(digit);
      box.append(button);
    }
    names.forEach((name, j) => {
      const button = box.children[j];
      const [letter, length] = button.children;
      letter.textContent = name;
      length.textContent = kit.number(lengths[j]);
      button.className = `kit-button capsule${j === winner ? " winner" : ""}`;
      button.style.setProperty("--length", lengths[j]);
      button.setAttribute("aria-pressed", j === this.digit);
      const longest = j === winner ? ", the longest" : "";
      button.setAttribute("aria-label", `Capsule ${name}, length ${length.textContent}${longest}`);
    });
  }

  // Write only what changed, so that nothing is announced twice.
  put(where, words) {
    const spot = this.find(where);
    if (spot.textContent !== words) spot.textContent = words;
  }
}

export default function (component) {
  const root = component.parentElement;
  kit.applyTheme(root);
  const sculptor = kit.once(root, () => new Sculptor(root));
  sculptor.take(component);
  return () => sculptor.leave();
}
