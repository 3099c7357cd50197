// The routing as an animation to take away, drawn by the painters of the other panels.
class FilmPanel extends Panel {
  constructor(player) {
    super(player, "film");
    Object.assign(this, { long: false, making: null, url: "" });
    for (const button of this.root.querySelectorAll("[data-scene]")) {
      button.onclick = () => this.turn(button.dataset.scene === "long");
    }
    this.test("film-make").onclick = () => (this.making ? this.halt() : this.make());
    this.player.test("speed").addEventListener("change", () => this.making || this.say());
  }

  turn(long) {
    this.long = long;
    this.halt();
    this.offerScenes();
  }

  // Another choice is another film.
  prepare() {
    if (this.making && this.making.subject !== this.subject) this.halt();
    if (this.seen) this.offerScenes();
  }

  scrolled(seen) {
    super.scrolled(seen);
    if (seen && this.story) this.offerScenes();
  }

  offerScenes() {
    const more = this.others.length > 0;
    this.long &&= more;
    this.test("film-long").hidden = !more;
    for (const [name, pressed] of [["short", !this.long], ["long", this.long]]) {
      this.test(`film-${name}`).setAttribute("aria-pressed", pressed);
    }
    if (!this.making && this.made !== this.subject) this.say();
  }

  // What the film is about; another one makes another film.
  get subject() {
    const { story, player, long } = this;
    return JSON.stringify([story.key, player.digit, player.capsule, player.chosen.weighted, long]);
  }

  // The figures that the long film has below the map.
  get others() {
    const votes = this.player.figureOf("votes");
    return votes ? [votes] : [];
  }

  get times() {
    return filmTimes(this.story.T, this.player.clock.speed, kit.calm());
  }

  figure() {
    const { story, player } = this;
    const map = player.figureOf("maps");
    return sceneOf(story, player.digit, map, this.long ? this.others : []);
  }

  // With its head, which has as many lines at every iteration.
  size(figure) {
    return posterSize(posterOf(this, figure, 1));
  }

  say(words) {
    const { story, player, times } = this;
    const size = this.size(this.figure()).join(" × ");
    this.test("film-note").textContent =
      words ??
      `${story.Digit(player.digit)}, iterations 1 to ${story.T} at speed ${player.clock.speed} ` +
        `×: ${seconds(times)}, ${size} pixels, in the colours of this page.`;
    this.test("film-again").hidden = true;
    this.made = null;
  }

  async make() {
    const { story, player, times, subject } = this;
    const figure = this.figure();
    const { accent, muted, background, text, paper, ink } = pageLook(player.root).colours;
    const progress = this.test("film-progress");
    const making = (this.making = { subject });
    this.press();
    this.say("Making the GIF …");
    const film = makeGif({
      times,
      size: this.size(figure),
      paint: (pen, t) =>
        this.unpointed(() => drawPoster(pen, player.root, posterOf(this, figure, t))),
      exact: [background, text, accent, muted, paper, ink].map(rgbOf),
      tell: (done) => {
        progress.value = done / times.length;
        return this.making === making;
      },
    });
    const blob = await film.finally(() => {
      if (this.making !== making) return;
      this.making = null;
      this.press();
    });
    if (!blob) return;
    const digit = kit.fileName(story.names[player.digit]);
    const name = fileName(story, `${digit}-iterations${this.long ? "-votes" : ""}.gif`);
    kit.saveBlob(blob, name);
    this.say(
      `Saved ${name}: ${times.length} frames, ${seconds(times)}, ` +
        `${kit.number(blob.size / 1e6)} MB. It begins anew after the last iteration.`,
    );
    this.made = subject;
    this.keep(blob, name);
  }

  // The pointer goes on moving over the page while frames are drawn, and marks nothing in them.
  unpointed(draw) {
    const { player } = this;
    const { pointed } = player;
    player.pointed = null;
    draw();
    player.pointed = pointed;
  }

  // A browser that blocks what was not clicked for gets a link to click.
  keep(blob, name) {
    URL.revokeObjectURL(this.url);
    this.url = URL.createObjectURL(blob);
    Object.assign(this.test("film-again"), { href: this.url, download: name, hidden: false });
  }

  halt() {
    if (!this.making) return;
    this.making = null;
    this.press();
    this.say();
  }

  press() {
    this.test("film-make").textContent = this.making ? "Stop" : "Make the GIF";
    this.test("film-progress").hidden = !this.making;
  }

  stop() {
    super.stop();
    this.making = null;
    URL.revokeObjectURL(this.url);
  }
}

const seconds = (times) =>
  `${kit.number(times.reduce((sum, [, ms]) => sum + ms, 0) / 1000, 1)} seconds`;

// [r, g, b] of a CSS colour.
const rgbOf = (colour) => solid(colour).match(/\d+/g).map(Number);
