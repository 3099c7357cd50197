// Brings the drawing to Python. While the pen is down the next message waits for the answer to the
// last one; what is finished goes at once; what gets no answer goes again.
const EVERY = 100; // ms between messages while the pen is down, at least
const LOST_AFTER = 4000; // ms after which a message counts as lost; twice that the next time

class Courier {
  constructor(read) {
    this.read = read; // the drawing as it is now
    Object.assign(this, { seq: 0, sentAt: 0, pause: EVERY, waiting: false, due: false });
  }

  // The pen went down: the first verdict can wait for more than a dot.
  begin() {
    if (!this.waiting) this.sentAt = performance.now();
    this.live();
  }

  // The drawing changed under the pen.
  live() {
    this.due = true;
    if (this.waiting || this.timer) return;
    const wait = this.sentAt + this.pause - performance.now();
    this.timer = setTimeout(() => this.post(false), Math.max(0, wait));
  }

  post(finished) {
    this.stop();
    Object.assign(this, { seq: this.seq + 1, sentAt: performance.now() });
    Object.assign(this, { waiting: true, due: false });
    this.message = { ...this.read(), seq: this.seq, finished };
    this.deliver(LOST_AFTER);
  }

  // Take over what the last pad on this page did not get through before the visitor went to
  // another view, if nothing has changed the drawing since; null where there is none.
  inherit(seq, revision) {
    const { message, revision: then } = globalThis.capsnetUnanswered ?? {};
    if (!message || message.seq <= seq || then !== revision) return null;
    Object.assign(this, { seq: message.seq, waiting: true, message: { ...message, finished: true } });
    this.deliver(LOST_AFTER);
    return message;
  }

  deliver(patience) {
    globalThis.capsnetUnanswered = { message: this.message, revision: this.revision };
    this.send(this.message);
    this.lost = setTimeout(() => this.deliver(2 * patience), patience);
  }

  // Python has shown what message `seq` brought.
  answered(seq) {
    if (!this.waiting || seq < this.seq) return;
    this.stop();
    this.waiting = false;
    globalThis.capsnetUnanswered = null;
    // A server that takes its time is left alone for as long as it took longer than it should.
    this.pause = Math.max(EVERY, 2 * (performance.now() - this.sentAt) - EVERY);
    if (this.due) this.live();
  }

  stop() {
    clearTimeout(this.timer);
    clearTimeout(this.lost);
    this.timer = 0;
  }
}
