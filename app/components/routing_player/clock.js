// Which iteration is shown. `iteration` is a whole number from 1; `shown` follows it and lies
// between two iterations only while a step is under way.
const STEP_MS = 1200; // one iteration, at speed 1
const GLIDE_MS = 420; // of which the pictures move this long

class Clock {
  // `paint(shown)` draws the moving pictures; `changed()` is told of a new iteration or state.
  constructor(paint, changed) {
    Object.assign(this, { paint, changed, iteration: 1, shown: 1, last: 1, speed: 1 });
    Object.assign(this, { playing: false, loop: false, frame: 0, timer: 0 });
  }

  go(iteration, { glide = false } = {}) {
    this.from = this.shown;
    this.iteration = Math.min(this.last, Math.max(1, Math.round(iteration)));
    this.began = performance.now();
    this.gliding = glide && !kit.calm() && this.iteration !== this.shown;
    if (!this.gliding) this.shown = this.iteration;
    this.changed();
    this.frame ||= requestAnimationFrame((now) => this.tick(now));
  }

  tick(now) {
    this.frame = 0;
    if (this.gliding) {
      const part = Math.min(1, Math.max(0, (now - this.began) / (GLIDE_MS / this.speed)));
      const eased = 1 - (1 - part) ** 3;
      this.shown = this.from + (this.iteration - this.from) * eased;
      if (part === 1) this.gliding = false;
    }
    this.paint(this.shown);
    if (this.gliding) this.frame ||= requestAnimationFrame((then) => this.tick(then));
  }

  step(by) {
    this.pause();
    this.go(this.iteration + by, { glide: true });
  }

  play() {
    this.playing = true;
    if (this.iteration === this.last) this.go(1);
    this.wait();
    this.changed();
  }

  pause() {
    clearTimeout(this.timer);
    if (!this.playing) return;
    this.playing = false;
    this.changed();
  }

  wait() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.advance(), STEP_MS / this.speed);
  }

  advance() {
    if (this.iteration < this.last) this.go(this.iteration + 1, { glide: true });
    else if (this.loop) this.go(1);
    if (this.iteration < this.last || this.loop) this.wait();
    else this.pause();
  }

  stop() {
    clearTimeout(this.timer);
    cancelAnimationFrame(this.frame);
    this.frame = 0;
    this.playing = this.gliding = false;
  }
}
