// A panel shows one side of the pose that is held. The sculptor tells all of them what is held; a
// panel tells the sculptor what the visitor does.
class Panel {
  // `name` is the panel's folder and the `data-panel` of its section.
  constructor(sculptor, name) {
    Object.assign(this, { sculptor, name, seen: true, stale: true });
    this.root = sculptor.find(`[data-panel="${name}"]`);
    this.watch = new IntersectionObserver(([entry]) => this.scrolled(entry.isIntersecting), {
      rootMargin: "100px",
    });
    this.watch.observe(this.root);
  }

  find(selector) {
    return this.root.querySelector(selector);
  }

  test(name) {
    return this.find(`[data-testid="${name}"]`);
  }

  get held() {
    return this.sculptor.held;
  }

  get data() {
    return this.sculptor.data;
  }

  // Only what is in sight follows the hand.
  scrolled(seen) {
    const came = seen && !this.seen;
    this.seen = seen;
    if (!came || !this.sculptor.held) return;
    this.refresh();
    this.paint();
    this.rested();
  }

  // Take up what has changed since the panel was laid out last.
  refresh() {
    if (!this.stale) return;
    this.stale = false;
    this.prepare();
  }

  // After another input, capsule, view of the sliders, network file, size or theme.
  prepare() {}

  // The held pose has moved: at every frame of a drag, so quick.
  paint() {}

  // The hand rests: what takes longer.
  rested() {}

  // Python has answered (`data.again`; later `sculptor.readings`).
  answered() {}

  stop() {
    this.watch.disconnect();
  }
}
