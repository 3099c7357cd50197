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
      const longest = j === winner ? ", the longest" : "";
      button.setAttribute("aria-label", `Capsule ${name}, length ${length.textContent}${longest}`);
    });
    const words = this.words();
    const note = this.test("losing-note");
    if (note.textContent !== words) note.textContent = words; // not to be announced twice
    this.mark();
  }

  // Which one is held, and which were moved.
  mark() {
    [...this.box.children].forEach((button, j) => {
      button.setAttribute("aria-pressed", j === this.held.digit);
      button.classList.toggle("edited", this.held.edits.has(j));
    });
  }

  paint() {
    this.mark();
  }

  // What one should know before one believes the picture.
  words() {
    const { names, winner, lengths, sure_length: sure, blank } = this.data;
    const { digit } = this.held;
    const name = names[digit];
    const length = kit.number(lengths[digit]);
    if (blank) return "Nothing is drawn: these poses are what the network makes of an empty page.";
    if (digit !== winner) {
      return (
        `Capsule ${name} lost: its length is ${length}, that of capsule ${names[winner]} is ` +
        `${kit.number(lengths[winner])}. In training the decoder saw only the capsule of the true ` +
        `digit, so what it draws here need not look like a ${name}.`
      );
    }
    if (lengths[winner] >= sure) return "";
    return `Even the longest capsule is short (${length}), and the picture may look like nothing.`;
  }
}
