// The player: one clock and one choice move all panels; nothing asks the server. What the visitor
// chose is told to Python a moment later, for the link and for what only the network can answer.
const SETTLED_MS = 400;
const RESTED_MS = 600; // after the last change panels out of sight follow; longer than a glide
const OPENING_MS = 700; // the first visit plays by itself after this
const NOTHING = { digit: null, rival: null, weighted: true, capsule: null, cut: "" };

class Player {
  constructor(root) {
    this.root = root;
    this.find = (selector) => root.querySelector(selector);
    this.test = (name) => this.find(`[data-testid="${name}"]`);
    this.clock = new Clock((shown) => this.paint(shown), () => this.changed());
    this.range = this.test("iteration");
    this.chosen = NOTHING;
    this.pointed = null;
    this.panels = PANELS.map((Kind) => new Kind(this));
    kit.ways(this.find(".kit-ways"), this.panels.map((panel) => panel.root));
    this.listen();
    this.watch = new ResizeObserver(([{ contentRect: { width } }]) => {
      if (width === this.width) return; // words that come and go change the height alone
      this.width = width;
      this.prepare();
    });
    this.watch.observe(this.find(".player"));
    this.arrived = () => this.take(this.component);
    addEventListener("capsnet-trace", this.arrived);
  }

  // --- what is chosen ------------------------------------------------------------------------

  get digit() {
    return this.chosen.digit ?? this.story.answer;
  }

  // The digit to compare with: the longest other one, where none was chosen.
  get rival() {
    const { digit, chosen, story } = this;
    if (chosen.rival !== null && chosen.rival !== digit) return chosen.rival;
    return story.ranked(Math.min(story.trained, story.T)).find((j) => j !== digit);
  }

  get capsule() {
    return this.chosen.capsule ?? this.story.loudest(this.digit);
  }

  // The capsule that is pointed at, else the chosen one: {place, capsule}. `capsule` is null where
  // a whole place is pointed at.
  get focus() {
    return this.pointed ?? { place: this.story.placeOf(this.capsule), capsule: this.capsule };
  }

  get choice() {
    return { ...this.chosen, iteration: this.clock.iteration };
  }

  // Take up what changed of {digit, rival, weighted, capsule, cut}.
  choose(changes) {
    this.chosen = { ...this.chosen, ...changes };
    if (this.chosen.digit === this.story.answer) this.chosen.digit = null;
    this.prepare();
    this.settle();
  }

  // The pointer is over a capsule or over a place; null when it has left.
  point(to) {
    if (JSON.stringify(to) === JSON.stringify(this.pointed)) return;
    this.pointed = to;
    this.paint(this.clock.shown);
    this.changed();
  }

  // --- what Python sends ---------------------------------------------------------------------

  take(component) {
    this.component = component;
    const { data, setStateValue } = component;
    this.send = (choice) => setStateValue("choice", choice);
    this.ask = (wish) => setStateValue("pair", { ...wish, click: Date.now() });
    kit.fill(this.find(".player"), data.terms);
    const sent = globalThis.capsnetTraces?.get(data.key);
    if (!sent) return;
    this.data = data; // `weights`, `cut` and `pair`: what the network answered to the choice
    if (this.story?.key !== data.key || this.revision !== data.revision) this.begin(data, sent);
    else this.prepare();
  }

  begin(data, sent) {
    const first = !this.story;
    this.revision = data.revision;
    const { iteration, ...chosen } = data.opening;
    this.story = this.find(".player").story = new Story(data, sent);
    this.chosen = { ...NOTHING, ...chosen };
    this.pointed = null;
    this.clock.last = this.range.max = this.story.T;
    buildTicks(this.find(".ticks"), this.story);
    this.prepare();
    const plays = first && iteration === null && !kit.calm();
    this.clock.go(iteration ?? (plays ? 1 : this.story.trained));
    this.told = JSON.stringify(this.choice);
    if (plays) this.opening = setTimeout(() => this.clock.play(), OPENING_MS);
  }

  // --- what the visitor does -----------------------------------------------------------------

  listen() {
    const acts = {
      play: () => (this.clock.playing ? this.clock.pause() : this.clock.play()),
      back: () => this.clock.step(-1),
      forward: () => this.clock.step(1),
      loop: () => {
        this.clock.loop = !this.clock.loop;
        this.press();
      },
    };
    this.act = (name) => {
      clearTimeout(this.opening);
      acts[name]();
    };
    for (const button of this.root.querySelectorAll("[data-do]")) {
      button.onclick = () => this.act(button.dataset.do);
    }
    this.range.oninput = () => this.scrub(Number(this.range.value));
    this.test("speed").onchange = (event) => (this.clock.speed = Number(event.target.value));
    this.find(".player").onkeydown = (event) => this.key(event);
    // Where nothing has the focus, the keys are the player's as well.
    this.keyed = (event) => event.target === document.body && this.story && this.key(event);
    document.addEventListener("keydown", this.keyed);
  }

  scrub(iteration) {
    clearTimeout(this.opening);
    this.clock.pause();
    this.clock.go(iteration);
  }

  // Left and right step, space plays, a digit's own key or the number of one of the first ten classes
  // chooses it; where a panel uses a key itself, it has prevented the default.
  key(event) {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    const { target, key } = event;
    const by = { ArrowLeft: "back", ArrowRight: "forward" }[key];
    if (by && !target.matches("input, select")) this.act(by);
    else if (key === " " && !target.matches("button, select, input, summary")) this.act("play");
    else if (this.named(key) >= 0 && !target.matches("select, input")) {
      this.choose({ digit: this.named(key) });
    } else return;
    event.preventDefault();
  }

  // The class that a key names; −1 where it names none.
  named(key) {
    const { names } = this.story;
    const own = names.findIndex((name) => name.toLowerCase() === key.toLowerCase());
    return own < 0 && /^\d$/.test(key) && key < names.length ? Number(key) : own;
  }

  // --- what is drawn -------------------------------------------------------------------------

  // After a change of trace, choice, size or theme. A panel out of sight takes it up later; at first
  // all are laid out, so that the page does not grow while one scrolls.
  prepare() {
    if (!this.story) return;
    forgetLook();
    for (const panel of this.panels) {
      panel.stale = true;
      if (panel.seen || !panel.laid) panel.refresh();
    }
    this.changed();
    this.paint(this.clock.shown);
  }

  // The figure of the panel of this name, or null where it has none.
  figureOf(name) {
    const panel = this.panels.find((one) => one.name === name);
    panel.refresh();
    return panel.figure();
  }

  // The moving pictures, at an iteration or between two.
  paint(t) {
    if (!this.story) return;
    for (const panel of this.panels) if (panel.seen) panel.paint(t);
  }

  // After a new iteration: what is said and pressed.
  changed() {
    if (!this.story) return;
    const { clock, story } = this;
    const [t, leader] = [clock.iteration, story.leaders[clock.iteration - 1]];
    const [seen, why] = iterationWords(story, t);
    this.range.value = t;
    this.range.style.setProperty("--part", (t - 1) / (story.T - 1));
    this.range.setAttribute("aria-valuetext", `${t} of ${story.T}`);
    this.test("iteration-words").textContent = seen;
    this.test("iteration-words").classList.toggle("differs", leader !== story.answer);
    this.test("iteration-note").textContent = why;
    const length = kit.number(story.lengthAt(leader, t));
    const said = `Iteration ${t}: ${story.names[leader]} leads with ${length}`;
    if (this.test("announcement").textContent !== said) this.test("announcement").textContent = said;
    for (const panel of this.panels) if (panel.seen) panel.said(t);
    this.followLater();
    this.press();
    if (!clock.playing) this.settle();
  }

  // Panels out of sight follow when the clock rests: somebody may read or search the page.
  followLater() {
    clearTimeout(this.following);
    this.following = setTimeout(() => {
      for (const panel of this.panels) if (!panel.seen) panel.follow();
    }, RESTED_MS);
  }

  press() {
    const { clock } = this;
    const button = (name) => this.find(`[data-do="${name}"]`);
    button("play").setAttribute("aria-label", clock.playing ? "Pause" : "Play");
    button("play").title = `${clock.playing ? "Pause" : "Play"} (space)`;
    button("play").classList.toggle("playing", clock.playing);
    button("back").disabled = clock.iteration === 1;
    button("forward").disabled = clock.iteration === clock.last;
    button("loop").setAttribute("aria-pressed", clock.loop);
  }

  settle() {
    clearTimeout(this.settling);
    this.settling = setTimeout(() => {
      if (JSON.stringify(this.choice) === this.told) return;
      this.told = JSON.stringify(this.choice);
      this.send(this.choice);
    }, SETTLED_MS);
  }

  stop() {
    for (const timer of [this.settling, this.opening, this.following]) clearTimeout(timer);
    removeEventListener("capsnet-trace", this.arrived);
    document.removeEventListener("keydown", this.keyed);
    for (const panel of this.panels) panel.stop();
    this.clock.stop();
    this.watch.disconnect();
  }
}

const PANELS = [
  MapsPanel, VotesPanel, FlowPanel, CurvesPanel, CapsulePanel, CutPanel, PairPanel, FilmPanel,
];

export default function (component) {
  const root = component.parentElement;
  kit.applyTheme(root);
  const player = kit.once(root, () => new Player(root));
  player.take(component);
  return () => player.stop();
}
