// The pictures of the sweeps, a row for each number of the basis: drawn a few at a time, so that the
// hand stays free meanwhile, and kept for as long as they are those of the pose that is held.
const FRAMES_GO = 6; // ms of drawing at a time, if a picture does not take longer
const FRAMES_NEAR = 5e-5; // poses that differ by less in every dimension draw one picture

class Frames {
  // `drawn(k)` is called when row k is finished, `done` when all are.
  constructor(sculptor, { drawn, done }) {
    Object.assign(this, { sculptor, drawn, done, rows: [], wanted: [] });
  }

  // Take up the pose that is held: which rows it wants, told by where they begin and end.
  aim() {
    const { basis, pose, held, data } = this.sculptor;
    this.source = `${data.network} ${held.digit}`;
    this.wanted = Array.from({ length: basis.count }, (_, k) => {
      const ends = basis.limits(k);
      return [...ends, ...ends.flatMap((end) => [...basis.with(k, end, pose)])];
    });
  }

  // Whether the pictures of row k are those that are wanted.
  fresh(k) {
    const { rows: { [k]: row }, source, wanted: { [k]: line } } = this;
    return Boolean(row) && row.source === source && sameLine(row.line, line);
  }

  // Whether all that was wanted then, {source, lines}, is wanted now.
  wants({ source, lines }) {
    const { wanted } = this;
    return source === this.source && lines.length === wanted.length &&
      lines.every((line, k) => sameLine(line, wanted[k]));
  }

  get whole() {
    return this.wanted.length > 0 && this.wanted.every((_, k) => this.fresh(k));
  }

  // The pose at stop s of row k.
  pose(k, s) {
    const { basis, pose } = this.sculptor;
    return basis.with(k, basis.stops(k)[s], pose);
  }

  // The poses of all pictures, row by row.
  poses() {
    const { basis } = this.sculptor;
    const rows = this.wanted.map((_, k) => basis.stops(k).map((_, s) => [...this.pose(k, s)]));
    return Float32Array.from(rows.flat(2));
  }

  pixels(k, s) {
    const { pixels } = this.rows[k];
    const size = pixels.length / SWEEP;
    return pixels.subarray(s * size, (s + 1) * size);
  }

  // Draw what is not fresh, in this order; what was begun before is given up.
  begin(order) {
    this.stop();
    if (!this.sculptor.decoder) return;
    this.work = this.drawing(order);
    this.go();
  }

  stop() {
    clearTimeout(this.next);
    this.work = null;
  }

  go() {
    const end = performance.now() + FRAMES_GO;
    let [now, took] = [performance.now(), 0];
    do {
      if (this.step()) return;
      [now, took] = [performance.now(), performance.now() - now];
    } while (now + took < end);
    this.next = setTimeout(() => this.go());
  }

  // One picture; true after the last.
  step() {
    if (!this.work.next().done) return false;
    this.stop();
    this.done();
    return true;
  }

  // All that is missing, at once: for figures to take away.
  finish(order) {
    this.aim();
    this.begin(order);
    clearTimeout(this.next);
    while (this.work && !this.step());
  }

  *drawing(order) {
    const { sculptor: { basis, decoder, held, pose }, source } = this;
    for (const k of order) {
      if (this.fresh(k)) continue;
      const pixels = new Float32Array(SWEEP * decoder.pixels);
      for (const [s, stop] of basis.stops(k).entries()) {
        const picture = pixels.subarray(s * decoder.pixels, (s + 1) * decoder.pixels);
        decoder.decode(held.digit, basis.with(k, stop, pose), picture);
        yield;
      }
      this.rows[k] = { source, line: this.wanted[k], pixels };
      this.drawn(k);
    }
  }
}

const sameLine = (one, other) =>
  one.length === other.length && one.every((x, i) => Math.abs(x - other[i]) < FRAMES_NEAR);
