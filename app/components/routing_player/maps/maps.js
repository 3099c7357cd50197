// Where the votes for a digit come from: its map over the drawing, all digits as small maps, and on
// demand the types behind each place.
const WIDEST = 448; // CSS pixels of the big map
const LEGEND = 46;

class MapsPanel extends Panel {
  constructor(player) {
    super(player, "maps");
    Object.assign(this, { close: true, open: false, columns: [] });
    this.big = new Stage(this.test("coupling-map"));
    this.types = new Stage(this.test("types-map"));
    this.legend = new Stage(this.find(".legend"));
    this.listen();
  }

  listen() {
    const acts = {
      weighted: () => this.player.choose({ weighted: !this.player.chosen.weighted }),
      close: () => this.turn({ close: !this.close }),
      open: () => this.turn({ open: !this.open }),
    };
    for (const button of this.root.querySelectorAll("[data-map]")) {
      button.onclick = () => acts[button.dataset.map]();
    }
    const placeAt = (event) => this.layout.nearest(...this.big.at(event));
    const loudestAt = (place) => {
      const { story, player } = this;
      const there = Array.from({ length: story.K }, (_, type) => story.capsuleOf(type, place));
      player.choose({ capsule: story.loudest(player.digit, there) });
    };
    this.pointing(this.big.canvas, (event) => ({ place: placeAt(event), capsule: null }));
    this.big.canvas.onclick = (event) => loudestAt(placeAt(event));
    const capsuleAt = (event) => {
      const found = this.typesLayout.at(this.story, ...this.types.at(event));
      return found && { place: found.place, capsule: this.story.capsuleOf(found.type, found.place) };
    };
    this.pointing(this.types.canvas, capsuleAt);
    this.types.canvas.onclick = (event) => {
      const found = capsuleAt(event);
      if (found) this.player.choose({ capsule: found.capsule });
    };
    for (const { canvas } of [this.big, this.types]) {
      canvas.onkeydown = (event) => this.walk(event);
    }
  }

  turn(changes) {
    Object.assign(this, changes);
    this.prepare();
    this.said(this.player.clock.iteration);
    this.paint(this.player.clock.shown);
  }

  prepare() {
    const { story, player } = this;
    if (this.shownStory !== story) {
      this.shownStory = story;
      this.contour = inkContour(story.image, Math.sqrt(story.image.length));
      this.columns = buildColumns(this.test("digit-buttons"), story, (digit) =>
        player.choose({ digit }),
      );
      this.shares = buildShares(this.test("place-couplings"), story);
    }
    this.scale = couplingScale(story, this.close);
    const side = Math.sqrt(story.image.length);
    const room = Math.min(WIDEST, this.find(".big").clientWidth - 2);
    this.big.fit(side * Math.floor(room / side), side * Math.floor(room / side));
    this.layout = new MapLayout(story, this.big.width);
    this.legend.fit(this.big.width, LEGEND);
    this.legend.draw((sheet) => drawCouplingLegend(sheet, story, this.scale));
    for (const { stage } of this.columns) {
      const cell = Math.max(1, Math.floor(stage.canvas.parentElement.clientWidth / story.grid));
      stage.fit(cell * story.grid, cell * story.grid);
    }
    this.shares.room = this.find(".whole").clientWidth;
    this.find(".types").hidden = !this.open;
    if (this.open) {
      const width = this.find(".types").clientWidth;
      this.typesLayout = new TypesLayout(story, width);
      this.types.fit(width, this.typesLayout.height);
    }
    for (const name of ["weighted", "close", "open"]) {
      const pressed = name === "weighted" ? player.chosen.weighted : this[name];
      this.find(`[data-map="${name}"]`).setAttribute("aria-pressed", pressed);
    }
    this.test("open-types").textContent = `Open the ${story.K} types`;
    this.test("map-title").textContent =
      `Couplings to ${story.digit(player.digit)}, over the ${story.terms.drawing}`;
    this.test("map-note").textContent = mapWords(story, player.chosen.weighted, this.scale);
    this.test("types-title").textContent =
      `The ${story.K} types, couplings to ${story.digit(player.digit)}`;
    this.test("types-note").textContent = typesWords(player.chosen.weighted);
    this.test("verdict-changes").textContent = changesWords(story);
  }

  paint(t) {
    const { story, scale, player } = this;
    const { weighted } = player.chosen;
    const { place, capsule } = player.focus;
    this.columns.forEach(({ stage, fill }, j) => {
      const cells = story.mapAt(j, t, weighted);
      stage.draw((sheet) =>
        drawCells(sheet, cells, { x: 0, y: 0, size: sheet.width, grid: story.grid }, scale),
      );
      fill.style.transform = `scaleY(${story.lengthAt(j, t)})`;
    });
    this.big.draw((sheet) => this.drawBig(sheet, t));
    if (this.open) {
      const { digit } = player;
      this.types.draw((sheet) =>
        drawTypes(sheet, { story, digit, t, weighted, scale, marked: capsule }),
      );
    }
    paintShares(this.shares, sharesAt(story, place, capsule, t), scale);
  }

  drawBig(sheet, t) {
    const { story, contour, scale, player } = this;
    const cells = story.mapAt(player.digit, t, player.chosen.weighted);
    drawCouplingMap(sheet, { story, contour, cells, scale, marked: player.focus.place });
  }

  said(t) {
    const { story, player, columns } = this;
    const { place, capsule } = player.focus;
    columns.forEach((column, j) => markColumn(column, story, j, t, player.digit));
    this.test("place-words").textContent = placeWords(story, place, capsule);
    const [row, column] = rowAndColumn(story, place);
    const value = story.mapAt(player.digit, t, player.chosen.weighted)[place];
    this.big.canvas.setAttribute(
      "aria-label",
      `Couplings to ${story.names[player.digit]} over the ${story.terms.drawing}. ` +
        `Place ${row}, ${column}: ${kit.number(value, 3)}. Arrow keys move over the places, page up and down over the types.`,
    );
    if (capsule === null) return;
    this.types.canvas.setAttribute(
      "aria-label",
      `Couplings to ${story.names[player.digit]} of each type. Capsule of ` +
        `${capsuleName(story, capsule)}: ${kit.number(story.couplingAt(capsule, player.digit, t), 3)}.`,
    );
  }

  figure() {
    const { story, player, scale } = this;
    const width = WIDEST;
    const how = player.chosen.weighted ? "weighted by vote length" : "every capsule alike";
    return {
      title: `Couplings to ${story.digit(player.digit)}`,
      note: `Mean of the ${story.K} types at each place, ${how}; dashed: what the framed place sees`,
      width,
      height: width + 12 + LEGEND,
      draw: (sheet, t) => {
        this.drawBig(sheet, t);
        sheet.pen.translate(0, width + 12);
        drawCouplingLegend(sheet, story, scale);
      },
    };
  }

  table() {
    const { story } = this;
    const { digit } = story.terms;
    const head = ["iteration", digit, "row", "column", "coupling_weighted", "coupling_plain"];
    const rows = [];
    for (let t = 1; t <= story.T; t++) {
      for (let j = 0; j < story.J; j++) {
        const maps = [true, false].map((weighted) => story.mapAt(j, t, weighted));
        for (let place = 0; place < story.P; place++) {
          const values = maps.map((map) => map[place]);
          rows.push([t, story.names[j], ...rowAndColumn(story, place), ...values]);
        }
      }
    }
    return [head, ...rows];
  }
}

// The couplings [J] of one capsule, or the mean over those of a place.
function sharesAt(story, place, capsule, t) {
  if (capsule !== null) return story.names.map((_, j) => story.couplingAt(capsule, j, t));
  const size = story.J * story.P;
  return story.names.map((_, j) => story.at(story.plain, size, j * story.P + place, t));
}

function placeWords(story, place, capsule) {
  const [row, column] = rowAndColumn(story, place);
  const sees = `sees ${fieldWords(story, place)} (outlined).`;
  if (capsule !== null) {
    const name = capsuleName(story, capsule);
    return `The capsule of ${name} ${sees} Its coupling to each ${story.terms.digit}:`;
  }
  return (
    `Place ${row}, ${column} ${sees} Mean coupling of its ${story.K} capsules to each ` +
    `${story.terms.digit}; click to choose the one that tells the ${story.terms.digit} most:`
  );
}

function mapWords(story, weighted, scale) {
  const mean = weighted
    ? `Each place shows the mean coupling of its ${story.K} capsules, weighted by the length ‖û‖ ` +
      `of their votes, so that capsules whose votes are short and whose couplings stay even do ` +
      `not hide the rest; the ${story.terms.digits} then need not add up to 1.`
    : `Each place shows the mean coupling of its ${story.K} capsules, all counting alike; over the ` +
      `${story.terms.digits} they add up to 1.`;
  return `${mean} ${scale.words}`;
}

const typesWords = (weighted) =>
  weighted
    ? `One square a primary capsule: its colour the coupling, its area the length of its vote (full ` +
      `from ${FULL}). Choose one to open it; arrow keys walk, page up and down change the type.`
    : `One square a primary capsule, its colour the coupling, however short its vote. Choose one to ` +
      `open it; arrow keys walk, page up and down change the type.`;
