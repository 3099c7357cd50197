// Four charts over all iterations, and what routing adds on this input.
class CurvesPanel extends Panel {
  constructor(player) {
    super(player, "curves");
    this.places = [];
  }

  prepare() {
    const { story, player } = this;
    this.charts = chartsOf(story, player.digit);
    if (!this.places.length) this.places = this.charts.map((chart) => this.build(chart));
    const width = this.places[0].figure.clientWidth;
    this.charts.forEach((chart, k) => {
      const { stage, title } = this.places[k];
      title.textContent = chart.title;
      stage.fit(width, CHART_HEIGHT);
    });
    this.test("routing-off").textContent = offWords(story);
  }

  build({ key }) {
    const figure = element(this.find(".curves"), "figure", "");
    const title = element(figure, "figcaption", "kit-title");
    const canvas = element(figure, "canvas", "");
    canvas.setAttribute("role", "img");
    canvas.dataset.testid = `${key}-chart`;
    const note = element(figure, "p", "kit-note");
    note.dataset.testid = `${key}-note`;
    const stage = new Stage(canvas);
    const place = { figure, title, stage, note, under: null };
    const iterationAt = (event) => {
      const chart = this.charts[this.places.indexOf(place)];
      return new ChartLayout(chart, this.story, stage.width).iterationAt(stage.at(event)[0]);
    };
    canvas.onpointerdown = (event) => this.player.scrub(iterationAt(event));
    canvas.onpointermove = (event) => {
      place.under = iterationAt(event);
      if (event.buttons & 1) this.player.scrub(place.under);
      this.say(place);
    };
    canvas.onpointerleave = () => {
      place.under = null;
      this.say(place);
    };
    return place;
  }

  paint(t) {
    this.charts.forEach((chart, k) =>
      this.places[k].stage.draw((sheet) => drawChart(sheet, chart, this.story, t)),
    );
  }

  said() {
    for (const place of this.places) this.say(place);
  }

  // Below a chart: what it says, or the values where the pointer is.
  say(place) {
    const { story } = this;
    const chart = this.charts[this.places.indexOf(place)];
    const at = (t) =>
      chart.lines
        .map(({ value, digit }) => [value(t), digit])
        .sort((a, b) => b[0] - a[0])
        .slice(0, 4)
        .map(([value, digit]) => `${story.names[digit] ?? ""} ${kit.number(value, chart.digits)}`.trim())
        .join(" · ");
    const under = place.under && `Iteration ${place.under}: ${at(place.under)}${chart.unit}`;
    place.note.textContent = under ?? chart.note;
    const now = at(this.player.clock.iteration);
    place.stage.canvas.setAttribute(
      "aria-label",
      `${chart.title} over ${story.T} iterations; at iteration ${this.player.clock.iteration}: ` +
        `${now}${chart.unit}`,
    );
  }

  figure() {
    const { story, charts } = this;
    const [width, gap] = [420, 30];
    return {
      title: "Lengths, entropy, change and agreement",
      note:
        `Bold: ${story.digit(this.player.digit)}; dashed: routing off; dotted: the trained r; band: ` +
        `10 to 90 % of the capsules; ▲: another capsule becomes the longest`,
      width: 2 * width + gap,
      height: 2 * (CHART_HEIGHT + 30),
      draw: (sheet, t) => {
        charts.forEach((chart, k) => {
          sheet.pen.save();
          sheet.pen.translate((k % 2) * (width + gap), Math.floor(k / 2) * (CHART_HEIGHT + 30));
          write(sheet, chart.title, 0, 14, { size: 13, weight: 600, colour: sheet.colours.text });
          sheet.pen.translate(0, 22);
          drawChart({ ...sheet, width }, chart, story, t);
          sheet.pen.restore();
        });
      },
    };
  }

  table() {
    const { story } = this;
    const head = [
      "iteration", ...story.names.map((name) => `length_${name}`), "longest",
      "entropy_mean_bits", "entropy_10_percent_bits", "entropy_90_percent_bits",
      "mean_logit_change", ...story.names.map((name) => `agreement_${name}`),
    ];
    const row = (values, k) => story.names.map((_, j) => values[k * story.J + j]);
    const rows = story.leaders.map((leader, k) => [
      k + 1, ...row(story.lengths, k), story.names[leader],
      story.entropy[k], story.entropy_low[k], story.entropy_high[k],
      story.logit_change[k], ...row(story.agreement, k),
    ]);
    return [head, ...rows];
  }
}
