// Which digit capsule is held, by its length for the input.
class CapsulesPanel extends Panel {
  constructor(sculptor) {
    super(sculptor, "capsules");
    this.box = this.test("capsules");
    this.box.onclick = (event) => {
      const chosen = event.target.closest("button");
      if (chosen) sculptor.hold(Number(chosen.dataset.digit));
    };
  }

  prepare() {
    const { names, lengths, winner } = this.data;
    this.box.classList.toggle("long", names.some((name) => name.length > 2));
    while (this.box.children.length < names.length) {
      const button = document.createElement("button");
      const digit = this.box.children.length;
      Object.assign(button, { type: "button", innerHTML: "<b></b><span></span><i></i>" });
      button.dataset.digit = digit;
      button.dataset.testid = `capsule-${digit}`;
      this.box.append(button);
    }
    while (this.box.children.length > names.length) this.box.lastChild.remove();
    names.forEach((name, j) => {
      const button = this.box.children[j];
      const [letter, length] = button.children;
      letter.textContent = name;
      length.textContent = kit.number(lengths[j]);
      button.className = `kit-button capsule${j === winner ? " winner" : ""}`;
      button.style.setProperty("--length", lengths[j]);
    });
    const words = this.words();
    const note = this.test("losing-note");
    if (note.textContent !== words) note.textContent = words; // not to be announced twice
    this.labels = names.map((name, j) => {
      const longest = j === winner ? ", the longest" : "";
      return `Capsule ${name}, length ${kit.number(lengths[j])}${longest}`;
    });
    this.marked = null;
    this.mark();
  }

  // Which one is held, and which were moved.
  mark() {
    const { digit, edits } = this.held;
    const marked = [digit, ...edits.keys()].join();
    if (marked === this.marked) return;
    this.marked = marked;
    [...this.box.children].forEach((button, j) => {
      button.setAttribute("aria-pressed", j === digit);
      button.classList.toggle("edited", edits.has(j));
      const kept = edits.has(j) ? ". Moved: it keeps what was done to it" : "";
      button.title = this.labels[j] + kept;
      button.setAttribute("aria-label", this.labels[j] + (edits.has(j) ? ", moved" : ""));
    });
    this.test("edited-note").hidden = !edits.size;
  }

  paint() {
    this.mark();
  }

  // What one should know before one believes the picture.
  words() {
    const { names, winner, lengths, sure_length: sure, blank, terms } = this.data;
    const { digit } = this.held;
    const name = names[digit];
    const length = kit.number(lengths[digit]);
    if (blank) return "Nothing is drawn: these poses are what the network makes of an empty page.";
    if (digit !== winner) {
      return (
        `Capsule ${name} lost: its length is ${length}, that of capsule ${names[winner]} is ` +
        `${kit.number(lengths[winner])}. In training the decoder saw only the capsule of the true ` +
        `${terms.digit}, so what it draws here need not look like ${terms.one[digit]}.`
      );
    }
    if (lengths[winner] >= sure) return "";
    return `Even the longest capsule is short (${length}): the network is not sure, and the picture may be poor.`;
  }
}
