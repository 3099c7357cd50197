// Where a journey can lead: the samples that came with the network, and the pinned input.
const THERE_FIT = 56; // CSS pixels of a sample

// Make a child of a tag; with a class and words where given.
function journeyChild(parent, tag, name = "", words = "") {
  const made = document.createElement(tag);
  if (name) made.className = name;
  if (words) made.textContent = words;
  parent.append(made);
  return made;
}

// Buttons in rows are one stop of the Tab key: the arrows move the focus among them.
function journeyWalk(row) {
  row.addEventListener("keydown", (event) => {
    const buttons = [...row.querySelectorAll("button")];
    const columns = buttons.filter(({ offsetTop }) => offsetTop === buttons[0].offsetTop).length;
    const steps = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: columns, ArrowUp: -columns };
    const step = steps[event.key];
    if (!step) return;
    event.preventDefault();
    const next = buttons[buttons.indexOf(event.target) + step];
    if (!next) return;
    for (const button of buttons) button.tabIndex = button === next ? 0 : -1;
    next.focus();
  });
}

class Destinations {
  constructor(panel) {
    Object.assign(this, { panel, row: panel.find(".theres") });
    const { sculptor } = panel;
    this.row.onclick = (event) => {
      const chosen = event.target.closest("button")?.dataset.to;
      if (chosen) sculptor.travel({ to: chosen === sculptor.journey.to ? "" : chosen });
    };
    journeyWalk(this.row);
    for (const button of panel.root.querySelectorAll("[data-pin]")) {
      button.onclick = () => this.press(button.dataset.pin);
    }
  }

  get pinned() {
    return this.panel.data.pinned;
  }

  press(wish) {
    const { sculptor } = this.panel;
    if (wish === "go") return sculptor.travel({ to: "pinned" });
    sculptor.ask({ do: wish });
    if (wish === "pin") sculptor.travel({ to: "pinned" });
    if (wish === "unpin" && sculptor.journey.to === "pinned") sculptor.travel({ to: "" });
  }

  // Where the journey leads: {title, words, digit, pose [D]}, or null where it leads nowhere.
  get target() {
    const { sculptor } = this.panel;
    const { to } = sculptor.journey;
    if (to === "pinned") {
      const { pinned } = this;
      return pinned && { ...pinned, pose: kit.floats(pinned.pose) };
    }
    const { samples } = sculptor.network ?? {};
    const k = samples ? samples.indices.findIndex((index) => `sample-${index}` === to) : -1;
    if (k < 0) return null;
    const { size, poses } = sculptor.held;
    const all = samples.poses.subarray(k * poses.length, (k + 1) * poses.length);
    const poseOf = (digit) => all.subarray(digit * size, (digit + 1) * size);
    const lengths = Array.from({ length: poses.length / size }, (_, digit) => normOf(poseOf(digit)));
    const digit = lengths.indexOf(Math.max(...lengths));
    return { title: samples.titles[k], words: samples.words[k], digit, pose: poseOf(digit) };
  }

  prepare() {
    this.prepareSamples();
    this.preparePinned();
  }

  prepareSamples() {
    const { sculptor } = this.panel;
    const { samples } = sculptor.network ?? {};
    if (!samples) return this.row.replaceChildren();
    this.row.parentElement.hidden = !samples.indices.length;
    const pixels = samples.images.length / samples.indices.length;
    while (this.row.children.length < samples.indices.length) {
      const button = journeyChild(this.row, "button");
      button.type = "button";
      button.tabIndex = this.row.children.length > 1 ? -1 : 0;
      journeyChild(button, "canvas");
    }
    samples.indices.forEach((index, k) => {
      const button = this.row.children[k];
      const here = sculptor.data.sample === index ? ", the input you look at" : "";
      Object.assign(button.dataset, { to: `sample-${index}`, testid: `there-${index}` });
      button.setAttribute("aria-pressed", sculptor.journey.to === button.dataset.to);
      const one = sculptor.data.terms.one[samples.labels[k]];
      button.setAttribute("aria-label", `To sample ${index}: ${one}${here}`);
      button.title = `${sentence(one)} (${samples.titles[k]}): ${samples.words[k]}${here}`;
      const image = samples.images.subarray(k * pixels, (k + 1) * pixels);
      kit.drawGrid(button.firstChild, image, { fit: THERE_FIT });
    });
  }

  preparePinned() {
    const { panel, pinned } = this;
    const { to } = panel.sculptor.journey;
    const same = pinned?.same;
    const button = (wish) => panel.find(`[data-pin="${wish}"]`);
    panel.test("pin-words").textContent = pinWords(pinned, same);
    button("pin").textContent = pinned ? "Pin this one instead" : "Pin this input";
    button("pin").hidden = same;
    for (const wish of ["go", "unpin"]) button(wish).hidden = !pinned;
    button("swap").hidden = !pinned || same;
    button("go").setAttribute("aria-pressed", to === "pinned");
    const small = button("go").querySelector("canvas");
    if (pinned) kit.drawGrid(small, kit.floats(pinned.image), { fit: SIDE });
  }
}
