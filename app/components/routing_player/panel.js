// A panel shows one side of the routing. The player tells all of them what is chosen and what the
// time is; a panel tells the player what the visitor points at or chooses in it.
class Panel {
  // `name` is the panel's folder and the `data-panel` of its section.
  constructor(player, name) {
    Object.assign(this, { player, name, seen: false, stale: true, laid: false });
    this.root = player.find(`[data-panel="${name}"]`);
    this.watch = new IntersectionObserver(([entry]) => this.scrolled(entry.isIntersecting), {
      rootMargin: "100px",
    });
    this.watch.observe(this.root);
    for (const button of this.root.querySelectorAll("[data-save]")) {
      button.onclick = () => saveAs(button.dataset.save, this);
    }
  }

  find(selector) {
    return this.root.querySelector(selector);
  }

  test(name) {
    return this.find(`[data-testid="${name}"]`);
  }

  get story() {
    return this.player.story;
  }

  // Only what is in sight moves with the clock.
  scrolled(seen) {
    this.seen = seen;
    if (seen && this.story) this.follow();
  }

  // Be as if it had been in sight all the time.
  follow() {
    this.refresh();
    this.said(this.player.clock.iteration);
    this.paint(this.player.clock.shown);
  }

  // Take up what has changed since the panel was laid out last.
  refresh() {
    if (!this.stale) return;
    this.stale = false;
    this.laid = true;
    this.prepare();
  }

  // After a new trace, choice, size or theme: lay out what stays while the iterations pass.
  prepare() {}

  // The moving picture, at an iteration or between two; quick, as it is called for every frame.
  // What is pointed at (`player.focus`) is marked here, too.
  paint(_t) {}

  // After a whole step: words and states that go with iteration t.
  said(_t) {}

  // Point at what lies under the pointer; a finger points by tapping.
  pointing(canvas, under) {
    canvas.onpointermove = (event) => event.pointerType === "mouse" && this.player.point(under(event));
    canvas.onpointerleave = () => this.player.point(null);
  }

  // The arrows walk over the places, page up and down over the types.
  walk(event) {
    const next = neighbour(this.story, this.player.capsule, event.key);
    if (next === null) return;
    event.preventDefault();
    this.player.choose({ capsule: next });
  }

  // For PNG and SVG: {title, note, width, height, draw(sheet, t)}; `draw` uses nothing but the sheet.
  figure() {
    return null;
  }

  // For CSV: rows, the names of the columns first.
  table() {
    return null;
  }

  stop() {
    this.watch.disconnect();
  }
}
