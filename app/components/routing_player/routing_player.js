// The player: one clock moves the maps, the lengths and both charts; nothing asks the server.
const SETTLED_MS = 800; // after the last change the server is told, for the link
const OPENING_MS = 700; // the first visit plays by itself after this
const WIDEST = 448; // CSS pixels of the big map

class Player {
  constructor(root) {
    this.root = root;
    this.find = (selector) => root.querySelector(selector);
    this.test = (name) => this.find(`[data-testid="${name}"]`);
    this.clock = new Clock((shown) => this.paint(shown), () => this.changed());
    this.big = new BigMap(root, this.test("coupling-map"));
    this.range = this.test("iteration");
    Object.assign(this, { close: true, weighted: true, chosen: null, place: null, columns: [] });
    this.listen();
    this.watch = new ResizeObserver(() => this.layout());
    this.watch.observe(this.find(".player"));
  }

  get digit() {
    return this.chosen ?? this.story.answer;
  }

  get choice() {
    return { digit: this.chosen, iteration: this.clock.iteration, weighted: this.weighted };
  }

  // --- what Python sends ---------------------------------------------------------------------

  take({ data, setStateValue }) {
    this.send = (choice) => setStateValue("choice", choice);
    if (this.story?.key === data.key) {
      this.layout();
      return;
    }
    const first = !this.story;
    const { digit, iteration, weighted } = data.opening;
    this.story = new Story(data);
    this.clock.last = this.range.max = this.story.T;
    Object.assign(this, { chosen: digit, weighted });
    this.place ??= Math.floor(this.story.P / 2) + Math.floor(this.story.grid / 2) - this.story.grid;
    this.columns = buildColumns(this.test("digit-buttons"), this.story, (j) => this.choose(j));
    this.shares = buildShares(this.test("place-couplings"), this.story);
    buildTicks(this.find(".ticks"), this.story);
    this.layout();
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
      loop: () => (this.clock.loop = !this.clock.loop),
      weighted: () => (this.weighted = !this.weighted),
      close: () => (this.close = !this.close),
    };
    this.act = (name) => {
      clearTimeout(this.opening);
      acts[name]();
      if (["loop", "weighted", "close"].includes(name)) this.layout();
    };
    for (const button of this.root.querySelectorAll("[data-do]")) {
      button.onclick = () => this.act(button.dataset.do);
    }
    for (const button of this.root.querySelectorAll("[data-save]")) {
      button.onclick = () => saveAs(button.dataset.save, this.root, this);
    }
    this.range.oninput = () => this.scrub(Number(this.range.value));
    this.test("speed").onchange = (event) => (this.clock.speed = Number(event.target.value));
    this.find(".player").onkeydown = (event) => this.key(event);
    this.big.canvas.onpointermove = this.big.canvas.onpointerdown = (event) => {
      const box = this.big.canvas.getBoundingClientRect();
      this.look(this.big.placeAt(event.clientX - box.left, event.clientY - box.top));
    };
    for (const svg of this.root.querySelectorAll("svg[data-chart]")) {
      svg.onpointerdown = svg.onpointermove = (event) => {
        if (event.buttons & 1) this.scrub(this.charts[svg.dataset.chart].iterationAt(event.clientX));
      };
    }
  }

  scrub(iteration) {
    clearTimeout(this.opening);
    this.clock.pause();
    this.clock.go(iteration);
  }

  choose(digit) {
    this.chosen = digit === this.story.answer ? null : digit;
    this.layout();
  }

  look(place) {
    if (place === this.place) return;
    this.place = place;
    this.paint(this.clock.shown);
    this.words();
  }

  // On the map the arrows walk over the places; elsewhere left and right step, space plays and a
  // figure chooses its digit.
  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { target, key } = event;
    const { grid, names } = this.story;
    const by = { ArrowLeft: -1, ArrowRight: 1 }[key];
    if (target === this.big.canvas && key.startsWith("Arrow")) {
      const [row, column] = [Math.floor(this.place / grid), this.place % grid];
      const down = { ArrowUp: -1, ArrowDown: 1 }[key] ?? 0;
      const inside = (k) => Math.min(grid - 1, Math.max(0, k));
      this.look(inside(row + down) * grid + inside(column + (by ?? 0)));
    } else if (by && !target.matches("input, select")) this.act(by < 0 ? "back" : "forward");
    else if (key === " " && !target.matches("button, select")) this.act("play");
    else if (names.includes(key) && !target.matches("select")) this.choose(names.indexOf(key));
    else return;
    event.preventDefault();
  }

  // --- what is drawn -------------------------------------------------------------------------

  // After a change of size, theme, digit or scale.
  layout() {
    const { story, digit, columns } = this;
    if (!story) return;
    this.scale = couplingScale(story, this.close);
    this.big.prepare(story, Math.min(WIDEST, this.find(".big").clientWidth - 2));
    for (const { canvas } of columns) sizeCanvas(canvas, story.grid, canvas.parentElement.clientWidth);
    this.charts = {
      lengths: lengthsChart(this.find('[data-chart="lengths"]'), story, digit),
      entropy: entropyChart(this.find('[data-chart="entropy"]'), story, this.close),
    };
    this.find('[data-note="lengths"]').textContent = lengthsWords(story, digit);
    this.find('[data-note="entropy"]').textContent = entropyWords(story);
    buildLegend(this.find(".legend"), story, this.scale);
    this.test("map-note").textContent = mapWords(story, this.weighted, this.scale);
    this.test("verdict-changes").textContent = changesWords(story);
    this.changed();
    this.paint(this.clock.shown);
  }

  // The moving pictures, at an iteration or between two.
  paint(t) {
    const { story, scale, columns } = this;
    if (!story) return;
    columns.forEach(({ canvas, fill }, j) => {
      paintMap(canvas, story.mapAt(j, t, this.weighted), story.grid, scale);
      fill.style.transform = `scaleY(${story.lengthAt(j, t)})`;
    });
    this.big.paint(story.mapAt(this.digit, t, this.weighted), scale, this.place);
    for (const chart of Object.values(this.charts)) chart.move(t);
    paintShares(this.shares, story, this.place, t, scale);
  }

  // After a new iteration: what is said and pressed.
  changed() {
    if (!this.story || !this.charts) return;
    const { clock, story, digit } = this;
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
    this.test("map-title").textContent = `Couplings to digit ${story.names[digit]}, over the drawing`;
    this.test("entropy").textContent =
      `${kit.number(story.entropy[t - 1], 3)} of ${kit.number(story.most, 3)} bits`;
    this.columns.forEach((column, j) => markColumn(column, story, j, t, digit, leader));
    this.press();
    this.words();
    this.settle();
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
    button("weighted").setAttribute("aria-pressed", this.weighted);
    button("close").setAttribute("aria-pressed", this.close);
  }

  words() {
    const { story, place, digit, clock } = this;
    const [row, column] = [Math.floor(place / story.grid), place % story.grid];
    const value = story.mapAt(digit, clock.iteration, this.weighted)[place];
    this.test("place-words").textContent = placeWords(story, place);
    this.big.canvas.setAttribute(
      "aria-label",
      `Couplings to ${story.names[digit]} over the drawing. Place ${row}, ${column}: ` +
        `${kit.number(value, 3)}. Arrow keys move over the places.`,
    );
  }

  settle() {
    clearTimeout(this.settling);
    this.settling = setTimeout(() => {
      if (this.clock.playing) return;
      if (JSON.stringify(this.choice) === this.told) return;
      this.told = JSON.stringify(this.choice);
      this.send(this.choice);
    }, SETTLED_MS);
  }

  stop() {
    for (const timer of [this.settling, this.opening]) clearTimeout(timer);
    this.clock.stop();
    this.watch.disconnect();
  }
}

export default function (component) {
  const root = component.parentElement;
  kit.applyTheme(root);
  const player = kit.once(root, () => new Player(root));
  player.take(component);
  return () => player.stop();
}
