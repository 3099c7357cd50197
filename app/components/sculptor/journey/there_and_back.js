// Plays a way to its end and back, once. Where less motion is asked for it goes from frame to frame.
const LEG_MS = 3600; // one way
const CALM_MS = 700; // a frame
const LAPSE_MS = 100; // a page that was not drawn for longer goes on where it was

class ThereAndBack {
  // `show(share)` draws; `changed()` is told when it starts and stops.
  constructor(show, changed) {
    Object.assign(this, { show, changed, frame: 0, timer: 0 });
  }

  get playing() {
    return Boolean(this.frame || this.timer);
  }

  // From a share of the way on; from the end it starts anew.
  play(share) {
    this.stop();
    const from = share >= 1 ? 0 : share;
    if (kit.calm()) this.walk(Math.round(10 * from), 1);
    else {
      this.phase = Math.acos(1 - 2 * from);
      this.last = performance.now();
      this.frame = requestAnimationFrame((now) => this.tick(now));
    }
    this.changed();
  }

  tick(now) {
    this.phase += (Math.PI * Math.min(LAPSE_MS, Math.max(0, now - this.last))) / LEG_MS;
    this.last = now;
    const done = this.phase >= 2 * Math.PI;
    this.show(done ? 0 : (1 - Math.cos(this.phase)) / 2);
    this.frame = done ? 0 : requestAnimationFrame((then) => this.tick(then));
    if (done) this.changed();
  }

  // To the frame at so many tenths, and on in this direction.
  walk(tenths, direction) {
    this.show(tenths / 10);
    this.timer = 0;
    const onward = tenths === 10 ? -1 : direction;
    if (tenths === 0 && onward < 0) return this.changed();
    this.timer = setTimeout(() => this.walk(tenths + onward, onward), CALM_MS);
  }

  stop() {
    cancelAnimationFrame(this.frame);
    clearTimeout(this.timer);
    const played = this.playing;
    this.frame = this.timer = 0;
    if (played) this.changed();
  }
}
