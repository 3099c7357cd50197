// One primary capsule, opened: from what it sees to what it adds to each digit, with every number.
const FIELD_WIDEST = 252; // CSS pixels of the drawing
const PIXELS_WIDEST = 316; // of the field, enlarged
const SAYS_SIZE = [440, 150];
const STRIPS_WIDEST = 640;

class CapsulePanel extends Panel {
  constructor(player) {
    super(player, "capsule");
    Object.assign(this, { number: 0, shown: "couplings" });
    const stage = (name) => new Stage(this.test(name));
    this.place = stage("capsule-place");
    this.field = stage("capsule-field");
    this.says = stage("capsule-says");
    this.strips = stage("capsule-strips");
    this.compared = stage("capsule-agreement");
    this.chart = stage("capsule-couplings");
    this.legend = new Stage(this.find(".strip-legend"));
    this.pick = (name) => this.find(`[data-pick="${name}"]`);
    this.listen();
  }

  // --- what is chosen ------------------------------------------------------------------------

  // The capsule stays open while one goes through its digits.
  open(changes) {
    this.player.choose({ capsule: this.player.capsule, ...changes });
  }

  // Look at a number of the vote for a digit.
  look(digit, number) {
    this.number = number;
    if (digit !== this.player.digit) return this.open({ digit });
    this.strips.draw((sheet) => this.drawVotes(sheet));
    this.sayStill();
    this.sayWeights();
  }

  listen() {
    const { player } = this;
    for (const name of ["type", "row", "column"]) {
      this.pick(name).onchange = () => {
        const { story } = this;
        const [type, row, column] = ["type", "row", "column"].map((n) => +this.pick(n).value);
        player.choose({ capsule: story.capsuleOf(type, row * story.grid + column) });
      };
    }
    this.pick("digit").onchange = () => this.open({ digit: Number(this.pick("digit").value) });
    this.test("pick-number").onchange = ({ target }) => this.look(player.digit, Number(target.value));
    this.test("pick-loudest").onclick = () => player.choose({ capsule: null });
    for (const button of this.root.querySelectorAll("[data-show]")) {
      button.onclick = () => {
        this.shown = button.dataset.show;
        this.fillTable();
      };
    }
    this.listenToPlace();
    this.listenToStrips();
    this.listenToChart();
  }

  listenToPlace() {
    const { player, place, field } = this;
    const under = (event) => {
      const { story } = this;
      const nearest = new MapLayout(story, place.width).nearest(...place.at(event));
      return { place: nearest, capsule: story.capsuleOf(story.typeOf(player.capsule), nearest) };
    };
    this.pointing(place.canvas, under);
    place.canvas.onclick = (event) => player.choose({ capsule: under(event).capsule });
    place.canvas.onkeydown = (event) => this.walk(event);
    const pixelAt = (event) => new FieldLayout(this.story, field.width).at(...field.at(event));
    field.canvas.onpointerdown = field.canvas.onpointermove = (event) =>
      this.sayPixel(pixelAt(event));
    field.canvas.onpointerleave = () => this.sayPixel(null);
  }

  listenToStrips() {
    const { player, strips } = this;
    const under = (event) =>
      new StripLayout(strips.width, this.story.names, this.story.D).at(...strips.at(event));
    strips.canvas.onclick = (event) => {
      const { row, k } = under(event);
      this.look(row, k ?? this.number);
    };
    strips.canvas.onpointermove = (event) => this.sayVote(under(event));
    strips.canvas.onpointerleave = () => this.sayVote(null);
    strips.canvas.onkeydown = (event) => {
      const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[
        event.key
      ];
      if (!step) return;
      event.preventDefault();
      const { J, D } = this.story;
      this.look((player.digit + step[0] + J) % J, (this.number + step[1] + D) % D);
    };
  }

  listenToChart() {
    const { player, chart } = this;
    const at = (event) =>
      new ChartLayout(this.couplings, this.story, chart.width).iterationAt(chart.at(event)[0]);
    chart.canvas.onpointerdown = (event) => player.scrub(at(event));
    chart.canvas.onpointermove = (event) => {
      if (event.buttons & 1) player.scrub(at(event));
      this.sayChart(at(event));
    };
    chart.canvas.onpointerleave = () => this.sayChart(null);
  }

  // --- what stays while the iterations pass ----------------------------------------------------

  prepare() {
    const { story, player } = this;
    const another = this.opened?.story !== story;
    if (another) this.fillPicks();
    if (another || this.opened.capsule !== player.capsule) {
      this.opened = new OpenedCapsule(story, player.capsule);
      this.pixels = this.opened.field();
    }
    this.couplings = couplingChart(this.opened, player.digit);
    this.fit();
    this.says.draw((sheet) => drawSays(sheet, this.opened.says));
    this.strips.draw((sheet) => this.drawVotes(sheet));
    this.legend.draw((sheet) => drawStripLegend(sheet, story));
    this.sayStill();
    this.sayWeights();
    this.fillTable();
    this.told = null;
  }

  fillPicks() {
    const { story } = this;
    const fill = (select, words) =>
      select.replaceChildren(...words.map((word, value) => new Option(word, value)));
    const count = (length, from = 0) => Array.from({ length }, (_, k) => k + from);
    fill(this.pick("type"), count(story.K));
    for (const name of ["row", "column"]) fill(this.pick(name), count(story.grid));
    fill(this.pick("digit"), story.names);
    fill(this.test("pick-number"), count(story.D, 1));
    this.number = Math.min(this.number, story.D - 1);
  }

  fit() {
    const { story } = this;
    const room = this.find(".deed-shown").clientWidth;
    const whole = (most, count) => count * Math.floor(Math.min(most, room - 2) / count);
    const side = whole(FIELD_WIDEST, Math.sqrt(story.image.length));
    this.place.fit(side, side);
    const pixels = FIELD_MARGIN + whole(PIXELS_WIDEST - FIELD_MARGIN, story.extent);
    this.field.fit(pixels, pixels);
    this.says.fit(Math.min(room, SAYS_SIZE[0]), SAYS_SIZE[1]);
    const width = Math.min(room, STRIPS_WIDEST);
    this.strips.fit(width, new StripLayout(width, story.names, story.D).height);
    this.compared.fit(width, new StripLayout(width, COMPARED, story.D).height);
    this.legend.fit(width, 32);
    this.chart.fit(width, CHART_HEIGHT);
  }

  sayStill() {
    const { story, player, opened, pixels } = this;
    const [row, column] = rowAndColumn(story, opened.place);
    const values = { type: story.typeOf(opened.capsule), row, column, digit: player.digit };
    for (const [name, value] of Object.entries(values)) this.pick(name).value = value;
    this.test("pick-number").value = this.number;
    this.test("pick-loudest").textContent = `The one that gives ${story.names[player.digit]} most`;
    this.test("pick-loudest").setAttribute("aria-pressed", player.chosen.capsule === null);
    this.test("capsule-sees").textContent = seesWords(opened, pixels);
    this.test("capsule-range").textContent = rangeWords(story);
    this.test("capsule-votes").textContent = ownVotesWords(opened, player.digit);
    this.place.canvas.setAttribute(
      "aria-label",
      `Field of the capsule of ${capsuleName(story, opened.capsule)}: ` +
        `${fieldWords(story, opened.place)}. Arrow keys walk over the places, page up and down over ` +
        `the types.`,
    );
    const numbers = [...opened.says].map((value) => kit.number(value, 3)).join(", ");
    this.says.canvas.setAttribute("aria-label", `The numbers of u: ${numbers}`);
    this.sayPixel(null);
    this.sayVote(null);
    this.sayChart(null);
  }

  // The pixel of the field that is pointed at, or how to.
  sayPixel(pixel) {
    const { opened, pixels, field } = this;
    field.draw((sheet) => drawFieldPixels(sheet, { ...opened, pixels, marked: pixel }));
    this.test("capsule-pixel").textContent = pixelWords(opened, pixels, pixel);
  }

  // The number of a vote that is pointed at, {row, k}, or the chosen one.
  sayVote(under) {
    const { opened, player, number, story: { terms } } = this;
    const words = voteNumberWords(opened, under?.row ?? player.digit, under ? under.k : number);
    this.test("capsule-vote").textContent = words;
    if (under) return;
    const label = `Votes for all ${terms.digits}. ${words} Arrow keys choose.`;
    this.strips.canvas.setAttribute("aria-label", label);
  }

  sayChart(under) {
    const { opened, player, story: { terms } } = this;
    const words = couplingWords(opened, player.digit, under);
    this.test("capsule-couplings-note").textContent = words;
    const label = `Coupling to each ${terms.digit} in each iteration. ${words}`;
    this.chart.canvas.setAttribute("aria-label", label);
  }

  // û_d = Σ_k W_kd u_k, once the network has sent the opened capsule's W, [8, J, 16].
  sayWeights() {
    const { opened, player, story, number } = this;
    const sent = player.data.weights;
    const here = sent?.capsule === opened.capsule;
    const terms = this.test("vote-terms");
    terms.hidden = !here;
    this.test("weights-wait").textContent = here ? "" : "The network is sending this capsule's W …";
    if (!here) return;
    const all = kit.floats(sent.values);
    const at = (k) => all[(k * story.J + player.digit) * story.D + number];
    const weights = Array.from(opened.says, (_, k) => at(k));
    const sum = productsOf(weights, opened.says);
    const name = `û${subscripted(number + 1)}, their sum`;
    const left = `W<sub>k,${number + 1}</sub>`;
    fillProducts(terms, sum, { left, right: "u<sub>k</sub>", name, reach: reachOf([sum]) });
  }

  fillTable() {
    const { opened, shown, story, player } = this;
    const { note, write, summed } = LEDGERS[shown];
    const table = this.test("capsule-table");
    fillLedger(table, { names: story.names, rows: opened[shown], write, summed });
    this.test("capsule-table-note").textContent = note(story.terms);
    for (const button of this.root.querySelectorAll("[data-show]")) {
      button.setAttribute("aria-pressed", button.dataset.show === shown);
    }
    markLedger(table, player.clock.iteration, player.digit);
    const room = this.find(".ledger-room");
    room.scrollLeft = table.rows[0].cells[player.digit + 1].offsetLeft - room.clientWidth / 2;
  }

  // --- what moves ------------------------------------------------------------------------------

  paint(t) {
    const { opened, story, player, couplings } = this;
    this.place.draw((sheet) => drawField(sheet, opened, player.focus.place));
    this.compared.draw((sheet) => drawCompared(sheet, opened, player.digit, t));
    this.chart.draw((sheet) => drawChart(sheet, couplings, story, t));
    const share = opened.between(opened.shares, player.digit, t);
    const [from, to] = [0, share].sort((a, b) => a - b).map((part) => 50 + 50 * clampedPart(part));
    Object.assign(this.find(".deed-part i").style, {
      left: `${from}%`, width: `${to - from}%`, background: barColour(share),
    });
  }

  drawVotes(sheet) {
    drawVotes(sheet, this.opened, this.player.digit, this.number);
  }

  said(t) {
    const { opened, player } = this;
    if (t === this.told) return;
    this.told = t;
    const { digit } = player;
    const live = { ...stillNumbers(opened, digit), ...liveNumbers(opened, digit, t) };
    for (const slot of this.root.querySelectorAll("[data-say]")) {
      slot.textContent = live[slot.dataset.say];
    }
    this.test("capsule-words").textContent = openingWords(opened, digit, t);
    this.test("capsule-agrees").textContent = agreesWords(opened, digit, t);
    this.test("capsule-divides").textContent = dividesWords(opened, digit, t);
    this.test("capsule-adds").textContent = addsWords(opened, digit, t);
    this.compared.canvas.setAttribute("aria-label", `Vote and pose. ${agreesWords(opened, digit, t)}`);
    this.sayProducts(digit, t);
    markLedger(this.test("capsule-table"), t, digit);
  }

  // a_t = Σ_d û_d v_d, on the scale of all iterations.
  sayProducts(digit, t) {
    const { opened } = this;
    const sums = opened.agreements.map((_, k) =>
      productsOf(opened.votes[digit], opened.pose(digit, k + 1)),
    );
    const name = `a${subscripted(t)} = û·v, their sum`;
    const heads = { left: "û<sub>d</sub>", right: "v<sub>d</sub>", name, reach: reachOf(sums) };
    fillProducts(this.test("agreement-terms"), sums[t - 1], heads);
  }

  // --- what one takes away ---------------------------------------------------------------------

  figure() {
    const { opened, player, story, pixels } = this;
    return {
      title: `Primary capsule of ${capsuleName(story, opened.capsule)}`,
      note: `Number ${opened.capsule} of ${story.I}; chosen: ${story.digit(player.digit)}`,
      ...capsulePoster(opened, pixels, (sheet) => this.drawVotes(sheet), this.couplings),
    };
  }

  table() {
    return capsuleRows(this.opened);
  }
}
