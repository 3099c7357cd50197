// Cut capsules, places or types out and see what is left: the server routes again without them.

class CutPanel extends Panel {
  constructor(player) {
    super(player, "cut");
    this.controls = new CutControls(this);
    this.map = new Stage(this.test("cut-map"));
    this.legend = new Stage(this.find(".legend"));
    this.bars = new Stage(this.test("cut-lengths"));
    this.pictures = [...this.test("cut-pictures").querySelectorAll("figure")].map((figure) => ({
      figure, stage: new Stage(figure.querySelector("[role=img]")),
      caption: figure.querySelector("figcaption"), note: figure.querySelector(".kit-note"),
    }));
    this.signs = new Stage(this.find(".signs"));
    chooseInTwins(this.bars, player);
  }

  get cut() {
    return new CutSet(this.player.chosen.cut);
  }

  // What the server answered last, unpacked once; null where nothing is cut. `waiting` says that
  // it is about another cut than the chosen one.
  get after() {
    const { data, chosen } = this.player;
    if (!chosen.cut || !data.cut) return null;
    if (this.unpacked?.of !== data.cut) {
      const { lengths, weighted, before, after, ...rest } = data.cut;
      const [long, maps] = [lengths, weighted].map(kit.floats);
      const opened = (side) => ({ ...side, image: side.image && kit.floats(side.image) });
      const { story } = this;
      this.unpacked = {
        of: data.cut, ...rest, before: opened(before), after: opened(after),
        lengthAt: (j, t) => story.at(long, story.J, j, t),
        mapAt: (j, t) => Float32Array.from({ length: story.P }, (_, place) =>
          story.at(maps, story.J * story.P, j * story.P + place, t)),
      };
    }
    return this.unpacked;
  }

  get waiting() {
    const { chosen, data } = this.player;
    return chosen.cut !== "" && chosen.cut !== data.cut?.cut;
  }

  // --- what stays while the iterations pass ----------------------------------------------------

  prepare() {
    const { story, player } = this;
    if (this.shownStory !== story) {
      this.shownStory = story;
      this.unpacked = null;
      this.contour = inkContour(story.image, Math.sqrt(story.image.length));
      this.controls.build();
    }
    this.scale = couplingScale(story, true);
    const { cut, after, waiting } = this;
    const name = story.names[player.digit];
    const side = Math.min(WIDEST, this.find(".board").parentElement.clientWidth - 2);
    this.map.fit(side, side);
    this.legend.fit(side, LEGEND);
    this.legend.draw((sheet) => drawCouplingLegend(sheet, story, this.scale));
    this.bars.fit(this.bars.canvas.parentElement.clientWidth, twinsHeight(story));
    this.test("cut-words").textContent = cutWords(story, cut, after, waiting);
    this.test("board-title").textContent =
      `The ${story.P} places over the middle of the ${story.terms.drawing}, couplings to ${name}`;
    this.test("board-note").textContent = cutMapWords(story, cut);
    this.test("cut-types-title").textContent = `The ${story.K} types; bar: share in what ${name} is sent`;
    this.controls.prepare(side);
    this.find(".outcome").classList.toggle("waiting", waiting);
    this.preparePictures(after);
  }

  preparePictures(after) {
    const { story } = this;
    const drawn = Boolean(after?.after.image); // a network without a decoder draws nothing
    this.test("cut-pictures").hidden = !drawn;
    if (!drawn) return;
    const shown = redrawn(story, after);
    shown.forEach(({ caption, values, note, draw }, k) => {
      const { figure, stage, ...place } = this.pictures[k];
      place.caption.textContent = caption;
      const side = Math.sqrt(values.length);
      const room = side * Math.max(1, Math.floor((figure.clientWidth - 2) / side));
      stage.fit(room, room);
      stage.draw(draw);
      stage.canvas.setAttribute("aria-label", `${caption}. ${note}`);
      place.note.textContent = note;
      const text = (row, column) =>
        `row ${row}, column ${column}: ${kit.number(values[row * side + column])}`;
      kit.hoverGrid(stage.canvas, place.note, text, { rest: note });
      if (k === 2) {
        this.signs.fit(room, REDRAWN_LEGEND);
        this.signs.draw(drawSigns);
      }
    });
  }

  // --- what moves ------------------------------------------------------------------------------

  paint(t) {
    this.map.draw((sheet) => this.drawMap(sheet, t, FINGER));
    this.bars.draw((sheet) => this.drawBars(sheet, t));
  }

  drawMap(sheet, t, finger) {
    const { story, contour, scale, player, after, cut } = this;
    const cells = after ? after.mapAt(player.digit, t) : story.mapAt(player.digit, t, true);
    drawBoard(sheet, { story, contour, cells, scale, marked: player.focus.place, cut, finger });
  }

  drawBars(sheet, t) {
    const { story, player, after } = this;
    const { colours } = sheet;
    const routings = [
      { name: "with all capsules", colour: colours.muted, lengthAt: (j) => story.lengthAt(j, t) },
    ];
    if (after) {
      const name = `without ${after.count}`;
      routings.push({ name, colour: colours.accent, lengthAt: (j) => after.lengthAt(j, t) });
    }
    const at = `at iteration ${Math.round(t)}`;
    drawTwins(sheet, { story, routings, chosen: player.digit, at });
  }

  said(t) {
    const { story, after } = this;
    const leads = cutLeads(story, after, t);
    this.test("cut-lengths-note").textContent = leads;
    const pairs = story.names.map((name, j) => {
      const lengths = [story, ...(after ? [after] : [])].map((one) => kit.number(one.lengthAt(j, t)));
      return `${name}: ${lengths.join(" to ")}`;
    });
    this.bars.canvas.setAttribute(
      "aria-label",
      `Lengths before and after. ${leads} ${pairs.join(", ")}. Arrows choose a ${story.terms.digit}.`,
    );
  }

  // --- to take away ----------------------------------------------------------------------------

  figure() {
    const { story, after, cut } = this;
    const [side, gap, wide] = [WIDEST, 40, 420];
    const note = after
      ? `Without ${after.count} of ${story.I} primary capsules; network: ${after.before.words}; ` +
        `then: ${after.after.words}`
      : "Nothing is cut";
    const small = (wide - 2 * 24) / 3;
    const drawn = Boolean(after?.after.image);
    return {
      title: "Cut and see", note: cut.text.length > 60 ? note : `${note} (${cut.text || "–"})`,
      width: side + gap + wide,
      height: Math.max(side + 12 + LEGEND, twinsHeight(story) + (drawn ? small + 96 : 0)),
      draw: (sheet, t) => {
        const { pen, colours } = sheet;
        this.drawMap({ ...sheet, width: side }, t, 0);
        pen.save();
        pen.translate(0, side + 12);
        drawCouplingLegend({ ...sheet, width: side }, story, this.scale);
        pen.restore();
        pen.translate(side + gap, 0);
        this.drawBars({ ...sheet, width: wide }, t);
        if (!drawn) return;
        pen.translate(0, twinsHeight(story) + 16);
        redrawn(story, after).forEach(({ caption, note: below, draw }) => {
          write(sheet, caption, 0, 10, { size: 11, weight: 600, colour: colours.text });
          write(sheet, below, 0, small + 34, { size: 11 });
          pen.save();
          pen.translate(0, 18);
          draw({ ...sheet, width: small });
          pen.strokeStyle = colours.line;
          pen.strokeRect(0, 0, small, small);
          pen.restore();
          pen.translate(small + 24, 0);
        });
        pen.translate(-(small + 24), small + 44);
        drawSigns({ ...sheet, width: small });
      },
    };
  }

  table() {
    const { story, after } = this;
    const head = ["iteration", story.terms.digit, "length_with_all", "length_after_the_cut"];
    const rows = story.leaders.flatMap((_, k) =>
      story.names.map((name, j) => [
        k + 1, name, story.lengthAt(j, k + 1), after ? after.lengthAt(j, k + 1) : "",
      ]),
    );
    return [head, ...rows];
  }
}
