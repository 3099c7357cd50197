// The routing of a pinned input beside that of the current one, under the same clock.
const SECOND_FIT = 56; // CSS pixels of a sample

class PairPanel extends Panel {
  constructor(player) {
    super(player, "pair");
    this.maps = ["pinned-map", "current-map"].map((name) => new Stage(this.test(name)));
    this.legend = new Stage(this.find(".legend"));
    this.bars = new Stage(this.test("pair-lengths"));
    this.charted = [];
    chooseInTwins(this.bars, player);
    for (const button of this.root.querySelectorAll("[data-pair]")) {
      button.onclick = () => player.ask({ do: button.dataset.pair });
    }
    const [pinned, current] = this.maps;
    for (const stage of [pinned, current]) {
      const place = (event) => new MapLayout(this.story, stage.width).nearest(...stage.at(event));
      stage.canvas.onpointermove = (event) =>
        event.pointerType === "mouse" && player.point({ place: place(event), capsule: null });
      stage.canvas.onpointerleave = () => player.point(null);
    }
  }

  // --- what stays while the iterations pass ----------------------------------------------------

  prepare() {
    const { story, player } = this;
    const { pair } = player.data;
    this.pinned = pair ? new Pinned(story, pair) : null;
    const { pinned } = this;
    this.test("pair-words").textContent = pairWords(story, pinned);
    this.test("pair-pin").textContent = pinned ? "Pin this one instead" : "Pin this input";
    this.test("pair-pin").hidden = pinned?.same;
    this.test("pair-swap").hidden = !pinned || pinned.same;
    this.test("pair-unpin").hidden = !pinned;
    this.find(".seconds").hidden = !pinned?.samples.indices.length;
    this.find(".pairing").hidden = !this.compared;
    this.find(".saves").hidden = !this.compared;
    if (pinned) this.prepareSamples();
    if (this.compared) this.prepareComparison();
  }

  get compared() {
    return Boolean(this.pinned && !this.pinned.same);
  }

  prepareSamples() {
    const { samples, sample, pinned: kept } = this.pinned;
    const row = this.find(".second-row");
    if (this.offered !== samples.indices.join()) {
      this.offered = samples.indices.join();
      row.replaceChildren();
      const images = kit.bytes(samples.images);
      const size = images.length / samples.indices.length;
      samples.indices.forEach((index, k) => {
        const button = element(row, "button");
        button.type = "button";
        button.dataset.testid = `second-${index}`;
        button.onclick = () => this.player.ask({ do: "look", sample: index });
        const pixels = images.subarray(size * k, size * (k + 1));
        kit.drawGrid(element(button, "canvas"), pixels, { high: 255, fit: SECOND_FIT });
      });
      walkButtons(row, () => getComputedStyle(row).gridTemplateColumns.split(" ").length);
    }
    samples.indices.forEach((index, k) => {
      const button = row.children[k];
      button.setAttribute("aria-pressed", index === sample);
      button.classList.toggle("kept", index === kept);
      const words = `${this.story.terms.one[samples.labels[k]]}${index === kept ? ", pinned" : ""}`;
      button.setAttribute("aria-label", `Sample ${index}: ${words}`);
      button.title = `${words[0].toUpperCase()}${words.slice(1)} (test image ${index})`;
    });
  }

  prepareComparison() {
    const { story, player, pinned } = this;
    const { digit } = player;
    this.scale = couplingScale(story, true);
    this.contour = inkContour(story.image, Math.sqrt(story.image.length));
    for (const { canvas } of this.maps) canvas.parentElement.style.width = "100%";
    for (const stage of this.maps) {
      const room = stage.canvas.parentElement.clientWidth;
      stage.fit(room, room);
    }
    this.legend.fit(Math.min(WIDEST, this.find(".two").clientWidth), LEGEND);
    this.legend.draw((sheet) => drawCouplingLegend(sheet, story, this.scale));
    this.bars.fit(this.bars.canvas.parentElement.clientWidth, twinsHeight(story));
    const to = `couplings to ${story.names[digit]}`;
    this.test("pinned-title").textContent = `Pinned: ${pinned.title}, ${to}`;
    this.test("pinned-words").textContent = `The network: ${pinned.words}`;
    this.test("current-title").textContent = `This input: ${story.title}, ${to}`;
    this.test("current-words").textContent = `The network: ${pinned.here}`;
    this.charts = pairCharts(story, pinned, digit);
    if (!this.charted.length) this.charted = this.charts.map((chart, k) => this.buildChart(chart, k));
    this.charts.forEach((chart, k) => {
      const { figure, title, note, stage } = this.charted[k];
      title.textContent = chart.title;
      note.textContent = chart.note;
      stage.fit(figure.clientWidth, CHART_HEIGHT);
    });
  }

  buildChart({ key }, k) {
    const figure = element(this.find(".both-curves"), "figure");
    const title = element(figure, "figcaption", "kit-title");
    const canvas = element(figure, "canvas");
    canvas.setAttribute("role", "img");
    canvas.dataset.testid = `pair-${key}-chart`;
    const note = element(figure, "p", "kit-note");
    const stage = new Stage(canvas);
    const iterationAt = (event) =>
      new ChartLayout(this.charts[k], this.story, stage.width).iterationAt(stage.at(event)[0]);
    canvas.onpointerdown = (event) => this.player.scrub(iterationAt(event));
    canvas.onpointermove = (event) => {
      const t = iterationAt(event);
      if (event.buttons & 1) this.player.scrub(t);
      note.textContent = `Iteration ${t}: ${this.values(this.charts[k], t)}`;
    };
    canvas.onpointerleave = () => (note.textContent = this.charts[k].note);
    return { figure, title, note, stage };
  }

  // The values of a chart's lines: "pinned 0.93, this input 0.95".
  values({ lines, digits, unit }, t) {
    const said = ({ value, kind }) => {
      const number = Number.isNaN(value(t)) ? "–" : kit.number(value(t), digits);
      const whose = kind === "pinned" ? "pinned" : "this input";
      return lines.length > 1 ? `${whose} ${number}${unit}` : `${number}${unit}`;
    };
    return lines.map(said).join(", ");
  }

  // --- what moves ------------------------------------------------------------------------------

  paint(t) {
    if (!this.compared) return;
    const [there, here] = this.maps;
    there.draw((sheet) => this.drawMap(sheet, t, true));
    here.draw((sheet) => this.drawMap(sheet, t, false));
    this.bars.draw((sheet) => this.drawBars(sheet, t));
    this.charts.forEach((chart, k) =>
      this.charted[k].stage.draw((sheet) => drawChart(sheet, chart, this.plain, t)));
  }

  // The charts' axis of iterations, without the marks of the current input.
  get plain() {
    const { T, trained, leaders } = this.story;
    return { T, trained, leaders, changes: [] };
  }

  drawMap(sheet, t, there) {
    const { story, pinned, player, scale } = this;
    const marked = player.focus.place;
    const cells = there ? pinned.mapAt(player.digit, t) : story.mapAt(player.digit, t, true);
    const [drawn, contour] = there ? [pinned.drawn, pinned.contour] : [story, this.contour];
    drawCouplingMap(sheet, { story: drawn, contour, cells, scale, marked });
  }

  drawBars(sheet, t) {
    const { story, pinned, player } = this;
    const { warn, accent } = sheet.colours;
    const routings = [
      { name: "pinned", colour: warn, lengthAt: (j) => pinned.lengthAt(j, t) },
      { name: "this input", colour: accent, lengthAt: (j) => story.lengthAt(j, t) },
    ];
    const at = `at iteration ${Math.round(t)}`;
    drawTwins(sheet, { story, routings, chosen: player.digit, at });
  }

  said(t) {
    if (!this.compared) return;
    const { story, pinned, player } = this;
    this.test("pair-alike").textContent = alikeWords(story, pinned, player.digit, t);
    this.test("pair-usual").textContent = usualWords(story, pinned.usual);
    const leads = [pinned, story].map((one) => leadWords(story, (j) => one.lengthAt(j, t)));
    const words = `At iteration ${t}: pinned, ${leads[0]}; this input, ${leads[1]}.`;
    this.test("pair-lengths-note").textContent = words;
    const pairs = story.names.map((name, j) =>
      `${name}: ${[pinned, story].map((one) => kit.number(one.lengthAt(j, t))).join(" and ")}`);
    this.bars.canvas.setAttribute(
      "aria-label",
      `Lengths of both. ${words} ${pairs.join(", ")}. Arrows choose a ${story.terms.digit}.`,
    );
    this.charts.forEach((chart, k) =>
      this.charted[k].stage.canvas.setAttribute(
        "aria-label", `${chart.title}; iteration ${t}: ${this.values(chart, t)}`));
    ["pinned", "current"].forEach((name, k) => {
      const about = this.test(`${name}-title`).textContent;
      this.maps[k].canvas.setAttribute("aria-label", about);
    });
  }

  // --- to take away ----------------------------------------------------------------------------

  figure() {
    if (!this.compared) return null;
    const { story, pinned, player, scale } = this;
    const [side, gap] = [336, 28];
    const width = 3 * side + 2 * gap;
    const top = Math.max(side + 20 + LEGEND, twinsHeight(story)) + 24;
    return {
      title: "Two inputs",
      note: `Left: pinned, ${pinned.title} (${pinned.words}); right: ${story.title} (${pinned.here}); ` +
        `couplings to ${story.names[player.digit]}`,
      width,
      height: top + CHART_HEIGHT + 24,
      draw: (sheet, t) => {
        const { pen, colours } = sheet;
        const at = (x, y, part) => {
          pen.save();
          pen.translate(x, y);
          part({ ...sheet, width: side });
          pen.restore();
        };
        at(0, 0, (part) => this.drawMap(part, t, true));
        at(side + gap, 0, (part) => this.drawMap(part, t, false));
        at(0, side + 16, (part) => drawCouplingLegend(part, story, scale));
        at(2 * (side + gap), 0, (part) => this.drawBars(part, t));
        this.charts.forEach((chart, k) => at(k * (side + gap), top, (part) => {
          write(part, chart.title, 0, 10, { size: 13, weight: 600, colour: colours.text });
          pen.translate(0, 18);
          drawChart(part, chart, this.plain, t);
        }));
      },
    };
  }

  table() {
    if (!this.compared) return null;
    const { story, pinned } = this;
    const head = [
      "iteration", story.terms.digit, "length_pinned", "length_this", "coupling_correlation",
      "coupling_mean_difference", "entropy_pinned_bits", "entropy_this_bits",
    ];
    const known = (value) => (Number.isNaN(value) ? "" : value);
    const rows = story.leaders.flatMap((_, k) =>
      story.names.map((name, j) => [
        k + 1, name, pinned.lengthAt(j, k + 1), story.lengthAt(j, k + 1),
        known(pinned.alikeAt(j, k + 1)), pinned.apartAt(j, k + 1), pinned.entropyAt(k + 1),
        story.entropy[k],
      ]),
    );
    return [head, ...rows];
  }
}
