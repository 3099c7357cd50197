// The loop closed: what the network reads in the rebuilt picture, and which pose comes back. Faint
// until it has seen the picture that is shown.
const PAIRS_HEIGHT = 96; // CSS pixels
const SETTLED = 5e-4; // a pose that came back as near as this is the one that is held

class LoopPanel extends Panel {
  constructor(sculptor) {
    super(sculptor, "loop");
    this.pairs = new Stage(this.test("pairs"));
    this.marked = null; // the capsule whose lengths are told
    // The loop gone through by hand, again and again: {held, start, steps} with what is held now,
    // the pose of the first round and how far each one led.
    this.rounds = null;
    this.test("hold-returned").onclick = () => this.holdReturned();
    for (const button of this.root.querySelectorAll("[data-save]")) {
      button.onclick = () => saveRebuilt(button.dataset.save, sculptor);
    }
    this.listen();
  }

  listen() {
    const { canvas } = this.pairs;
    canvas.onpointermove = canvas.onpointerdown = (event) => {
      this.mark(pairAt(this.pairs, this.data.names.length, this.pairs.at(event)[0]));
    };
    canvas.onpointerleave = canvas.onblur = () => this.mark(null);
    canvas.onkeydown = ({ key }) => {
      const { length } = this.data.names;
      const by = { ArrowRight: 1, ArrowLeft: length - 1 }[key];
      if (by) this.mark(((this.marked ?? this.held.digit) + by) % length);
    };
  }

  prepare() {
    const width = this.root.clientWidth;
    this.pairs.fit(width, PAIRS_HEIGHT - PAIR_FOOT + pairFoot(this.data.names, width));
  }

  paint() {
    const { waiting } = this.sculptor;
    this.root.classList.toggle("waiting", waiting);
    const stays = this.rounds?.held === this.held.snapshot();
    if (!stays) this.rounds = null;
    const { held, back } = this.sculptor.returns;
    this.test("hold-returned").disabled = waiting || closeness(held, back).distance < SETTLED;
    if (!waiting) this.tell();
  }

  rested() {
    this.paint();
  }

  answered() {
    this.paint();
  }

  tell() {
    const { again, names } = this.data;
    const other = again.digit !== this.held.digit;
    this.root.classList.toggle("other", other || !again.sure);
    const words = sentence(again.words);
    if (this.test("again").textContent !== words) this.test("again").textContent = words;
    this.test("came-back").textContent = cameBack(this.sculptor);
    this.test("rounds").textContent = roundWords(this.rounds, this.sculptor.returns);
    this.test("pairs").setAttribute("aria-label", pairsLabel(names, again.lengths));
    this.draw();
  }

  draw() {
    const { names, lengths, again } = this.data;
    const told = { names, before: lengths, after: again.lengths, digit: this.held.digit };
    this.pairs.draw((sheet) => drawPairs(sheet, { ...told, marked: this.marked }));
    this.test("pair-words").textContent = pairWords(told, this.marked);
  }

  mark(capsule) {
    if (capsule === this.marked) return;
    this.marked = capsule;
    this.draw();
  }

  holdReturned() {
    const { returned, pose } = this.sculptor;
    if (!returned) return;
    const { start, steps } = this.rounds ?? { start: pose, steps: [] };
    this.sculptor.put(returned);
    const step = closeness(pose, returned).distance;
    this.rounds = { held: this.held.snapshot(), start, steps: [...steps, step] };
  }
}
