// The votes for two digits side by side: those for one point one way, those for another cancel out.
const VOTE_KEY_WIDTHS = { place: [252, 336], type: [256, 352] }; // beside the words, below them
const VOTES_NARROW = 760; // as in votes.css
const VOTE_REACH = { mouse: 12, touch: 24 }; // how far a vote may be from the pointer
const VOTES_EXPORTED = { plane: 500, gap: 36 };

class VotesPanel extends Panel {
  constructor(player) {
    super(player, "votes");
    Object.assign(this, { close: true, by: "place", type: null });
    this.stages = [0, 1].map((k) => new Stage(this.test(`votes-plot-${k}`)));
    this.keyStage = new Stage(this.test("votes-key"));
    this.legend = new Stage(this.find(".votes-legend"));
    this.listen();
    this.listenToKey();
  }

  get pair() {
    return [this.player.digit, this.player.rival];
  }

  // --- what the visitor does -----------------------------------------------------------------

  listen() {
    const { player } = this;
    this.stages.forEach((stage, k) => {
      const under = (event) => {
        const reach = VOTE_REACH[event.pointerType] ?? VOTE_REACH.touch;
        const capsule = this.planes[k].nearest(...stage.at(event), reach);
        return capsule === null ? null : { place: this.story.placeOf(capsule), capsule };
      };
      this.pointing(stage.canvas, under);
      stage.canvas.onclick = (event) => {
        const found = under(event);
        if (found) player.choose({ capsule: found.capsule });
      };
      stage.canvas.onkeydown = (event) => this.walk(event);
    });
    for (const button of this.root.querySelectorAll("[data-vote]")) {
      const name = button.dataset.vote;
      button.onclick = () => this.turn(name === "close" ? { close: !this.close } : { by: name });
    }
    // Choosing the other one's digit swaps them.
    ["digit", "rival"].forEach((name, k) => {
      this.test(`votes-${name}`).onchange = ({ target }) => {
        const [chosen, other] = [Number(target.value), this.pair[1 - k]];
        const swapped = chosen === other ? this.pair[k] : other;
        const [digit, rival] = k ? [swapped, chosen] : [chosen, swapped];
        player.choose({ digit, rival });
      };
    });
  }

  // A colour of the key rings its votes; a finger turns that on and off.
  listenToKey() {
    const { canvas } = this.keyStage;
    const under = (event) => this.key.at(...this.keyStage.at(event));
    canvas.onpointermove = (event) => event.pointerType === "mouse" && this.ring(under(event));
    canvas.onpointerleave = (event) => event.pointerType === "mouse" && this.ring(null);
    canvas.onblur = () => this.ring(null);
    canvas.onclick = (event) => {
      const cell = under(event);
      this.ring(event.pointerType !== "mouse" && cell === this.ringed ? null : cell);
    };
    canvas.onkeydown = (event) => {
      const { columns: line, colours } = this.key;
      const step = { ArrowUp: -line, ArrowDown: line, ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (event.key === "Escape") this.ring(null);
      if (!step) return;
      event.preventDefault();
      const next = this.ringed === null ? 0 : this.ringed + step;
      if (next >= 0 && next < colours.length) this.ring(next);
    };
  }

  // The place or type whose votes are ringed, or null.
  get ringed() {
    const { pointed } = this.player;
    if (this.by === "type") return this.type;
    return pointed && pointed.capsule === null ? pointed.place : null;
  }

  ring(cell) {
    if (cell === this.ringed) return;
    if (this.by === "place") {
      this.player.point(cell === null ? null : { place: cell, capsule: null });
      return;
    }
    this.type = cell;
    this.show();
  }

  turn(changes) {
    Object.assign(this, changes, { type: null });
    this.prepare();
    this.show();
  }

  show() {
    this.said(this.player.clock.iteration);
    this.paint(this.player.clock.shown);
  }

  // --- what is marked ------------------------------------------------------------------------

  // The ringed capsules; `alone` where they are pointed at as a whole and the others step back.
  get marked() {
    const { story, player, type } = this;
    const count = (size) => Array.from({ length: size }, (_, k) => k);
    if (type !== null) {
      const capsules = count(story.P).map((place) => story.capsuleOf(type, place));
      return { capsules, name: `type ${type}`, alone: true };
    }
    const { place, capsule } = player.focus;
    if (capsule !== null) return { capsules: [capsule], alone: false };
    const capsules = count(story.K).map((k) => story.capsuleOf(k, place));
    return { capsules, name: `place ${rowAndColumn(story, place).join(", ")}`, alone: true };
  }

  // The cell of the key that goes with it.
  get markedCell() {
    const { place, capsule } = this.player.focus;
    if (this.by === "place") return place;
    return this.type ?? (capsule === null ? null : this.story.typeOf(capsule));
  }

  // --- what is drawn -------------------------------------------------------------------------

  prepare() {
    const { story, by, close } = this;
    if (this.shownStory !== story) {
      Object.assign(this, { shownStory: story, type: null, keys: new Map() });
      this.contour = inkContour(story.image, Math.sqrt(story.image.length));
      for (const name of ["digit", "rival"]) {
        const select = this.test(`votes-${name}`);
        select.replaceChildren(...story.names.map((digit, j) => new Option(digit, j)));
      }
    }
    this.planes = this.pair.map((digit, k) => {
      this.test(k ? "votes-rival" : "votes-digit").value = digit;
      const width = this.stages[k].canvas.parentElement.clientWidth;
      return new VotePlane(story, digit, close, width);
    });
    this.planes.forEach((plane, k) => {
      this.stages[k].fit(plane.width, plane.height);
      this.test(`votes-plane-${k}`).textContent = votePlaneWords(plane);
    });
    const wide = this.root.clientWidth;
    this.legend.fit(wide, layoutVoteSigns(story, wide).height);
    this.legend.draw((sheet) => drawVoteLegend(sheet, story));
    const width = Math.min(wide - 2, VOTE_KEY_WIDTHS[by][wide > VOTES_NARROW ? 0 : 1]);
    this.key = this.keyOf(width);
    this.keyStage.fit(width, this.key.height);
    for (const button of this.root.querySelectorAll("[data-vote]")) {
      const { vote } = button.dataset;
      button.setAttribute("aria-pressed", vote === "close" ? close : vote === by);
    }
    this.test("votes-key-title").textContent =
      by === "place" ? "Colour: the place a vote comes from" : "Colour: the type a vote comes from";
    this.test("votes-note").textContent = votesNote(story);
  }

  // The key to the colours, made once for each size and theme.
  keyOf(width) {
    const { story, by, contour, keys } = this;
    const dark = kit.isDark(this.player.root);
    const name = `${by} ${width} ${dark}`;
    const make = {
      place: () => new VotePlaceKey(story, contour, width, dark),
      type: () => new VoteTypeKey(story, width, dark),
    }[by];
    if (!keys.has(name)) keys.set(name, make());
    return keys.get(name);
  }

  paint(t) {
    const { key, marked } = this;
    const look = { groups: key.groups, marked: marked.capsules, alone: marked.alone };
    this.planes.forEach((plane, k) =>
      this.stages[k].draw((sheet) => drawVotePlane(sheet, plane, t, look)),
    );
    this.keyStage.draw((sheet) => key.draw(sheet, this.markedCell));
  }

  said(t) {
    const { story, pair, by } = this;
    this.test("votes-words").textContent = votesWords(story, pair, t);
    const words = votesMarkedWords(story, pair, t, this.marked);
    this.test("vote-words").textContent = words;
    this.stages.forEach(({ canvas }, k) =>
      canvas.setAttribute("aria-label", votePlaneLabel(story, pair[k], t)),
    );
    const ringed = this.ringed === null ? "" : ` ${words}`;
    this.keyStage.canvas.setAttribute("aria-label", `Colours of the ${by}s.${ringed}`);
  }

  // --- what one can take away ----------------------------------------------------------------

  figure() {
    const { story, pair, close } = this;
    const { plane: width, gap } = VOTES_EXPORTED;
    const planes = pair.map((digit) => new VotePlane(story, digit, close, width));
    const key = this.keyOf(VOTE_KEY_WIDTHS[this.by][0]);
    const look = { groups: key.groups, marked: [], alone: false };
    const whole = 2 * width + gap;
    const signs = layoutVoteSigns(story, whole).height;
    const [high, head] = [planes[0].height + 24, 24];
    return {
      title: `Votes for ${story.names[pair[0]]} and for ${story.names[pair[1]]}`,
      note: `One dot a primary capsule, its area the coupling, its colour the ${this.by}`,
      width: whole,
      height: high + signs + head + key.height,
      draw: (sheet, t) => {
        const { pen } = sheet;
        planes.forEach((plane, k) => {
          pen.save();
          pen.translate(k * (width + gap), 0);
          write(sheet, `Votes for ${story.names[plane.digit]}`, 0, 14, {
            size: 13, weight: 600, colour: sheet.colours.text,
          });
          pen.translate(0, 24);
          drawVotePlane({ ...sheet, width, height: plane.height }, plane, t, look);
          pen.restore();
        });
        pen.translate(0, high);
        drawVoteLegend(sheet, story);
        write(sheet, `Colour: the ${this.by} a vote comes from`, 0, signs + 14);
        pen.translate(0, signs + head);
        key.draw({ ...sheet, width: VOTE_KEY_WIDTHS[this.by][0] }, null);
      },
    };
  }

  table() {
    const { story } = this;
    const iterations = story.leaders.map((_, k) => k + 1);
    const head = [
      "digit", "type", "row", "column", "x", "y", "vote_length",
      ...iterations.map((t) => `coupling_${t}`),
    ];
    const row = (digit, capsule) => [
      story.names[digit], story.typeOf(capsule), ...rowAndColumn(story, story.placeOf(capsule)),
      ...story.points.subarray((digit * story.I + capsule) * 2).subarray(0, 2),
      story.voteLengths[capsule * story.J + digit],
      ...iterations.map((t) => story.couplingAt(capsule, digit, t)),
    ];
    const capsules = Array.from({ length: story.I }, (_, i) => i);
    return [head, ...this.pair.flatMap((digit) => capsules.map((i) => row(digit, i)))];
  }
}
