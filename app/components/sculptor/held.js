// The poses in the visitor's hand: those of the network, and by how much each was moved. Every
// capsule keeps what was done to it; a step of the history is what stood when the hand rested.
const GRAIN = 1_000_000; // offsets are whole millionths, so that narrow axes can be moved evenly
const UNSEEN = 2e-5; // a pose with no greater offset is the network's own
const REMEMBERED = 200; // steps

class Held {
  // `poses` are the network's, flat [J × D]; then what Python says is held, and earlier steps.
  constructor(poses, size, { digit, edits, dimension }, past = []) {
    Object.assign(this, { poses, size, digit, dimension });
    this.edits = new Map(Object.entries(edits).map(([j, offsets]) => [Number(j), [...offsets]]));
    this.past = [...past];
    this.future = [];
    this.rest();
  }

  // The network's own pose of a capsule.
  network(digit = this.digit) {
    return this.poses.subarray(digit * this.size, (digit + 1) * this.size);
  }

  offsetsOf(digit) {
    return this.edits.get(digit) ?? new Array(this.size).fill(0);
  }

  // The pose that is held; change it with `put`.
  get pose() {
    const offsets = this.offsetsOf(this.digit);
    return Float64Array.from(this.network(), (x, k) => x + offsets[k]);
  }

  // Hold another pose of the capsule. No component can lie outside −1…1.
  put(pose) {
    const offsets = Array.from(this.network(), (x, k) => {
      const wanted = Math.min(1, Math.max(-1, pose[k]));
      return Math.round((wanted - x) * GRAIN) / GRAIN;
    });
    if (offsets.some((x) => Math.abs(x) > UNSEEN)) this.edits.set(this.digit, offsets);
    else this.edits.delete(this.digit);
  }

  get moved() {
    return this.edits.has(this.digit);
  }

  get told() {
    return { digit: this.digit, edits: Object.fromEntries(this.edits) };
  }

  // --- history -------------------------------------------------------------------------------

  snapshot() {
    return JSON.stringify(this.told);
  }

  // The hand rests: what stands now is a step to come back to.
  rest() {
    const now = this.snapshot();
    if (now === this.past.at(-1)) return;
    this.past.push(now);
    if (this.past.length > REMEMBERED) this.past.shift();
    this.future = [];
  }

  get undoable() {
    return this.past.length > 1 || this.snapshot() !== this.past[0];
  }

  get redoable() {
    return this.future.length > 0 && this.snapshot() === this.past.at(-1);
  }

  undo() {
    this.rest();
    if (this.past.length < 2) return;
    this.future.push(this.past.pop());
    this.recall(this.past.at(-1));
  }

  redo() {
    if (!this.redoable) return;
    this.past.push(this.future.pop());
    this.recall(this.past.at(-1));
  }

  recall(step) {
    const { digit, edits } = JSON.parse(step);
    this.digit = digit;
    this.edits = new Map(Object.entries(edits).map(([j, offsets]) => [Number(j), offsets]));
  }
}
