// From the places or the types to the digits: a ribbon is as wide as the coupling-weighted length
// of the votes it stands for.
const ORIGIN_WIDEST = 224; // CSS pixels of the map beside the ribbons

class FlowPanel extends Panel {
  constructor(player) {
    super(player, "flow");
    Object.assign(this, { kind: "places", change: false, alone: false, under: null });
    this.stage = new Stage(this.test("ribbons"));
    this.origin = new Stage(this.test("origin-map"));
    this.listen();
  }

  listen() {
    for (const button of this.root.querySelectorAll("[data-flow]")) {
      const name = button.dataset.flow;
      button.onclick = () =>
        this.turn(name === "change" ? { change: !this.change } : { kind: name });
    }
    const { canvas } = this.stage;
    const found = (event) =>
      this.layout.under(...this.stage.at(event), this.player.clock.shown, this.player.digit);
    canvas.onpointermove = (event) => event.pointerType === "mouse" && this.hover(found(event));
    canvas.onpointerleave = () => this.hover(null);
    canvas.onclick = (event) => this.click(found(event));
    canvas.onkeydown = (event) => this.walk(event);
    const place = (event) => this.places.nearest(...this.origin.at(event));
    this.pointing(this.origin.canvas, (event) => ({ place: place(event), capsule: null }));
    this.origin.canvas.onclick = (event) => {
      const { story, player } = this;
      const there = flowSources(story, "places").capsules(place(event));
      player.choose({ capsule: story.loudest(player.digit, there) });
    };
  }

  turn(changes) {
    Object.assign(this, changes, { under: null });
    this.prepare();
    this.show();
  }

  show() {
    this.paint(this.player.clock.shown);
    this.said(this.player.clock.iteration);
  }

  // The pointer is over {source}, {digit} or a ribbon of both; a place is pointed at in all panels.
  hover(found) {
    if (JSON.stringify(found) === JSON.stringify(this.under)) return;
    this.under = found;
    const place = this.kind === "places" ? found?.source : undefined;
    this.player.point(place === undefined ? null : { place, capsule: null });
    this.show();
  }

  // Choose a digit, or open a source: its ribbons stand alone until it is clicked again.
  click(found) {
    if (found?.source === undefined) {
      this.alone = false;
      if (found) this.player.choose({ digit: found.digit });
      else this.show();
      return;
    }
    const again = this.alone && this.sources.of(this.chosen) === found.source;
    this.open(found.source, !again);
  }

  open(source, alone) {
    const { story, player, sources } = this;
    this.alone = alone;
    player.choose({ capsule: story.loudest(player.digit, sources.capsules(source)) });
  }

  walk(event) {
    if (event.key === "Escape" && this.alone) {
      this.alone = false;
      this.show();
    } else {
      const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
      if (!by) return;
      const next = this.sources.of(this.chosen) + by;
      if (next >= 0 && next < this.sources.count) this.open(next, true);
      this.test("flow-live").textContent = this.words(this.player.clock.iteration);
    }
    event.preventDefault();
  }

  // The capsule that was chosen, whatever is pointed at.
  get chosen() {
    const { story, player } = this;
    return { place: story.placeOf(player.capsule), capsule: player.capsule };
  }

  // The source whose ribbons stand alone: what is pointed at, here or in another panel, else the
  // one that was opened.
  get apart() {
    const { player, sources } = this;
    if (this.under?.source !== undefined) return this.under.source;
    if (this.under) return null;
    if (player.pointed) return sources.of(player.pointed);
    return this.alone ? sources.of(this.chosen) : null;
  }

  // The digit that stands out.
  get digit() {
    return this.under?.digit ?? this.player.digit;
  }

  prepare() {
    const { story, player, kind, change } = this;
    this.sources = flowSources(story, kind);
    const width = this.find(".ribbons").clientWidth;
    this.layout = new FlowLayout(story, this.sources, change, width);
    this.stage.fit(width, this.layout.height);
    const side = Math.sqrt(story.image.length);
    const beside = this.find(".origin").clientWidth; // in a narrow page the map shares its row
    const narrow = beside > 1.2 * ORIGIN_WIDEST;
    const room = narrow ? 0.7 * ORIGIN_WIDEST : Math.min(ORIGIN_WIDEST, beside - 2);
    this.origin.fit(side * Math.floor(room / side), side * Math.floor(room / side));
    this.places = new MapLayout(story, this.origin.width);
    for (const button of this.root.querySelectorAll("[data-flow]")) {
      const name = button.dataset.flow;
      button.setAttribute("aria-pressed", name === "change" ? change : name === kind);
    }
    this.test("ribbons-title").textContent = flowTitle(story, kind, change);
    this.test("flow-note").textContent = flowNote(story, this.sources, change);
  }

  picture(t) {
    const { story, layout, sources, change, digit, apart } = this;
    const marked = sources.of(this.player.focus);
    return { story, layout, sources, change, t, digit, apart, marked };
  }

  paint(t) {
    const { story, change, digit } = this;
    this.stage.draw((sheet) => drawFlow(sheet, this.picture(t)));
    const cells = flowOrigin(story, this.originType, digit, t, change);
    const marked = this.player.focus.place;
    this.origin.draw((sheet) =>
      drawOrigin(sheet, { story, cells, change, colour: sheet.colours.accent, marked }),
    );
  }

  // The type whose places the map shows; all of them where a place is looked at.
  get originType() {
    return this.kind === "types" ? this.apart ?? this.sources.of(this.player.focus) : null;
  }

  said(t) {
    const { story, change, digit, originType } = this;
    const words = this.words(t);
    this.test("flow-told").textContent = flowTold(story, this.layout, this.player.digit, t);
    this.test("flow-words").textContent = words;
    const from = originType === null ? "each place" : `type ${originType}, place by place,`;
    this.test("origin-title").textContent =
      `What ${from} ${change ? "sends more or less" : "sends"} to ${story.names[digit]}`;
    this.test("origin-note").textContent = originNote(change);
    this.origin.canvas.setAttribute("aria-label", this.test("origin-title").textContent);
    this.stage.canvas.setAttribute(
      "aria-label",
      `${flowTitle(story, this.kind, change)}. ${words} Arrows up and down walk over the ` +
        `${this.kind}, figures choose a ${story.terms.digit}.`,
    );
  }

  words(t) {
    const { digit, apart } = this;
    return apart === null
      ? digitFlowWords(this, digit, t)
      : sourceFlowWords(this, apart, digit, t);
  }

  figure() {
    const { story, sources, change, player } = this;
    const layout = new FlowLayout(story, sources, change, 920);
    return {
      title: flowTitle(story, this.kind, change),
      note:
        `Bold: ${story.digit(player.digit)}; a ribbon is the coupling-weighted length of ` +
        `votes, of which those that point different ways cancel out`,
      width: layout.width,
      height: layout.height,
      draw: (sheet, t) => drawFlow(sheet, { ...this.picture(t), layout, t }),
    };
  }

  table() {
    const { story, sources } = this;
    const place = sources.kind === "places";
    const head = ["iteration", ...(place ? ["row", "column"] : ["type"]), story.terms.digit, "flow"];
    const rows = [];
    for (let t = 1; t <= story.T; t++) {
      flowsAt(story, sources, t).forEach((flow, k) => {
        const source = Math.floor(k / story.J);
        const from = place ? rowAndColumn(story, source) : [source];
        rows.push([t, ...from, story.names[k % story.J], flow]);
      });
    }
    return [head, ...rows];
  }
}
