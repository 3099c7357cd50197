// What the visitor cuts with: a button for each place and each type, cuts to try, and what is cut.
const CHIPS = 6; // so many parts of a cut are shown one by one, unless the visitor asks for all

class CutControls {
  constructor(panel) {
    Object.assign(this, { panel, player: panel.player, allChips: false });
    this.find = (selector) => panel.find(selector);
    this.test = (name) => panel.test(name);
  }

  get story() {
    return this.player.story;
  }

  get cut() {
    return this.panel.cut;
  }

  turn(text) {
    this.player.choose({ cut: text });
  }

  // After a change; the board is `side` wide.
  prepare(side) {
    this.placeButtons(side);
    this.prepareTypes();
    refill(this.test("cut-presets"), (row) => this.fillPresets(row));
    this.prepareChips();
  }

  prepareChips() {
    refill(this.test("cut-chips"), (row) => this.fillChips(row));
  }

  // Once for each input: the buttons.
  build() {
    const { story } = this;
    const buttons = (parent, count, kind) => {
      parent.replaceChildren();
      return Array.from({ length: count }, (_, index) => {
        const button = element(parent, "button");
        button.type = "button";
        button.dataset.testid = `cut-${kind}${index}`;
        button.onclick = () => this.turn(this.cut.turned(kind, index));
        return button;
      });
    };
    this.places = buttons(this.find(".places"), story.P, "p");
    this.places.forEach((button, place) => {
      button.onpointerenter = button.onfocus = () => this.player.point({ place, capsule: null });
      button.onpointerleave = button.onblur = () => this.player.point(null);
    });
    this.types = buttons(this.find(".types-out"), story.K, "t");
    this.types.forEach((button, type) => {
      button.textContent = type;
      button.bar = element(element(button, "span", "part"), "span");
    });
    walkButtons(this.find(".places"), () => story.grid);
    const across = () => getComputedStyle(this.find(".types-out")).gridTemplateColumns.split(" ").length;
    walkButtons(this.find(".types-out"), across);
  }

  placeButtons(side) {
    const { story, cut } = this;
    const layout = new BoardLayout(story, side, FINGER);
    this.places.forEach((button, place) => {
      const [x, y, size] = layout.cell(place);
      const [left, top, width, height] = [x, y, size, size].map((length) => `${length}px`);
      Object.assign(button.style, { left, top, width, height });
      button.setAttribute("aria-pressed", cut.p.has(place));
      button.setAttribute("aria-label", `Cut ${cutPartName(story, "p", place)}`);
      button.title = `Place ${rowAndColumn(story, place).join(", ")} sees ${fieldWords(story, place)}`;
    });
  }

  prepareTypes() {
    const { story, cut, player } = this;
    const shares = typeShares(story, player.digit);
    const most = Math.max(...shares);
    this.types.forEach((button, type) => {
      button.bar.style.width = `${(100 * shares[type]) / (most || 1)}%`;
      button.setAttribute("aria-pressed", cut.t.has(type));
      button.setAttribute("aria-label", `Cut type ${type}`);
      button.title = typeOutTitle(story, type, shares[type], player.digit);
    });
    const best = shares.indexOf(most);
    this.test("cut-types-note").textContent = `${typeOutTitle(story, best, most, player.digit)}.`;
  }

  fillPresets(row) {
    const { story, player, cut } = this;
    const add = (testid, words, title, pressed, act) => {
      const button = element(row, "button", "kit-button", words);
      Object.assign(button, { type: "button", title, onclick: act });
      button.dataset.testid = testid;
      if (pressed !== null) button.setAttribute("aria-pressed", pressed);
      return button;
    };
    const { capsule } = player;
    const out = cut.c.has(capsule);
    add("cut-opened", `The opened capsule, ${capsuleName(story, capsule)}`, "", out, () =>
      this.turn(this.cut.turned("c", capsule)));
    for (const preset of cutPresets(story, player.digit)) {
      const random = preset.key === "random";
      const pressed = random ? null : preset.text !== "" && preset.text === cut.text;
      const act = () => this.turn(pressed ? "" : preset.text);
      const button = add(`cut-${preset.key}`, preset.words, preset.why, pressed, act);
      if (!random) button.disabled = !preset.text;
    }
  }

  fillChips(row) {
    const { story, cut } = this;
    const add = (testid, words, act) => {
      const button = element(row, "button", "kit-button", words);
      Object.assign(button, { type: "button", onclick: act });
      button.dataset.testid = testid;
      return button;
    };
    const { parts } = cut;
    if (!parts.length) {
      element(row, "span", "kit-note", "Nothing is cut.");
      return;
    }
    element(row, "span", "kit-title", `Out: ${cut.count(story)} of ${story.I} capsules`);
    for (const [kind, index] of this.allChips ? parts : parts.slice(0, CHIPS)) {
      const name = cutPartName(story, kind, index);
      const chip = add(`chip-${kind}${index}`, name, () => this.turn(this.cut.turned(kind, index)));
      chip.setAttribute("aria-label", `Take back ${name}`);
      element(chip, "span", "cross", "×");
    }
    const more = parts.length - CHIPS;
    if (more > 0) {
      add("chips-all", this.allChips ? "Show fewer" : `and ${more} more`, () => {
        this.allChips = !this.allChips;
        this.prepareChips();
      });
    }
    add("cut-restore", "Restore all", () => this.turn(""));
  }
}
