// A panel shows one side of the routing. The player tells all of them what is chosen and what the
// time is; a panel tells the player what the visitor points at or chooses in it.
class Panel {
  // `name` is the panel's folder and the `data-panel` of its section.
  constructor(player, name) {
    Object.assign(this, { player, name, seen: false });
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

  // Only what is in sight is painted.
  scrolled(seen) {
    this.seen = seen;
    if (seen && this.story) this.paint(this.player.clock.shown);
  }

  // After a new trace, choice, size or theme: lay out what stays while the iterations pass.
  prepare() {}

  // The moving picture, at an iteration or between two; quick, as it is called for every frame.
  // What is pointed at (`player.focus`) is marked here, too.
  paint(_t) {}

  // After a whole step: words and states that go with iteration t.
  said(_t) {}

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
