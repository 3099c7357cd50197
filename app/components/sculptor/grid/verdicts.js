// What the network reads in the pictures of the grid: asked of Python, held against what is shown.
class GridVerdicts {
  constructor(panel) {
    this.panel = panel;
    this.wanted = false; // to be asked for when the hand has come to rest
    this.question = null; // {click, seq, source, lines} and, once answered, {readings}
    this.shown = null;
    panel.test("grid-read").onclick = () => this.ask();
  }

  ask() {
    const { sculptor, frames } = this.panel;
    this.wanted = Boolean(sculptor.resting);
    if (this.wanted) return;
    frames.aim();
    const click = Date.now();
    const { data: { input, network }, held: { digit }, seq } = sculptor;
    const bytes = new Uint8Array(frames.poses().buffer);
    const poses = btoa(String.fromCharCode(...bytes));
    sculptor.sweep({ click, digit, poses, seq, input, network });
    this.question = { click, seq, source: frames.source, lines: frames.wanted };
    this.tell();
  }

  // Python has answered, maybe to this.
  hear(answer) {
    const { question } = this;
    if (!question || question.readings || answer?.click !== question.click) return;
    const { digits, lengths, sure } = answer;
    question.readings = digits.map((row, k) =>
      row.map((digit, s) => ({ digit, length: lengths[k][s], sure: sure[k][s] })),
    );
    this.tell();
  }

  // Whether the question is about the pictures that are wanted now, and is answered or will be:
  // Python drops one from before the last message.
  get asked() {
    const { question, panel: { frames, sculptor } } = this;
    if (!question || !frames.wants(question)) return false;
    return Boolean(question.readings) || question.seq === sculptor.seq;
  }

  // What the network reads, [k][s]; null where that is not known of these pictures.
  get readings() {
    return (this.asked && this.question.readings) || null;
  }

  // Say and mark what is read; nothing where the pose has moved on.
  tell() {
    const { panel, readings, asked } = this;
    const { sculptor, rows } = panel;
    const { held, data: { names } } = sculptor;
    const count = sculptor.basis.count * SWEEP;
    const button = panel.test("grid-read");
    const pending = asked && !readings;
    const words = pending ? `Reading ${count} pictures …` : `Let the network read all ${count}`;
    button.disabled = asked;
    if (button.textContent !== words) button.textContent = words;
    if (readings === this.shown) return;
    this.shown = readings;
    const said = readings ? gridVerdicts(sculptor, readings, this.nearest(readings)) : "";
    panel.test("grid-verdicts").textContent = said;
    const marks = (readings ?? []).map((row) => row.map((one) => gridMark(one, held.digit, names)));
    rows.parts.forEach((_, k) => rows.mark(k, marks[k] ?? []));
    for (const line of panel.test("grid-legend").children) {
      line.hidden = !marks.flat().some((mark) => mark?.kind === line.dataset.kind);
    }
  }

  // The smallest of the moves that change what the network reads, {k, s, by}; null where none does,
  // or where it does not surely read the held picture as this digit.
  nearest(readings) {
    const { sculptor, frames } = this.panel;
    const { basis, pose, held, data: { again } } = sculptor;
    if (sculptor.waiting || again.digit !== held.digit || !again.sure) return null;
    const moves = readings.flatMap((row, k) =>
      row.flatMap((one, s) => {
        if (one.sure && one.digit === held.digit) return [];
        const there = frames.pose(k, s);
        const far = Math.hypot(...there.map((x, d) => x - pose[d]));
        return [{ k, s, far, by: basis.value(k, there) - basis.value(k, pose) }];
      }),
    );
    return moves.reduce((least, one) => (least && least.far <= one.far ? least : one), null);
  }
}
