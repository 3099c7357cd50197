// The way from the held pose to that of another input, drawn at every share of it.
const JOURNEY_STOPS = 11; // pictures of the film, as the network reads them
const TRIP_FITS = { wide: [224, 112], narrow: [168, 84] }; // CSS pixels: under way, the ends

class JourneyPanel extends Panel {
  constructor(sculptor) {
    super(sculptor, "journey");
    this.share = 0.5;
    this.shares = Array.from({ length: JOURNEY_STOPS }, (_, k) => k / (JOURNEY_STOPS - 1));
    this.pixels = new Float32Array(SIDE * SIDE);
    this.destinations = new Destinations(this);
    this.neighbours = new Neighbours(this);
    this.bookmark = new Bookmark(this);
    this.clock = new ThereAndBack((share) => this.show(share), () => this.paintPlay());
    this.film = new Strip(this.test("film"), "film", JOURNEY_STOPS, (k) => this.scrub(k / 10));
    this.lengths = new Stage(this.test("trip-lengths"));
    this.listen();
    // For scripts and tests: the poses on any way, and the pixels that are shown.
    this.root.onWay = poseOnWay;
    this.test("trip-picture").pixels = () => this.pixels;
  }

  listen() {
    const { sculptor, lengths } = this;
    this.scrubber = this.test("trip-scrubber");
    this.scrubber.oninput = () => this.scrub(this.scrubber.valueAsNumber / 100);
    this.test("trip-play").onclick = () =>
      this.clock.playing ? this.clock.stop() : this.clock.play(this.share);
    this.test("trip-hold").onclick = () => this.hold();
    this.test("trip-undo").onclick = () => sculptor.recall("undo");
    for (const button of this.root.querySelectorAll("[data-turning]")) {
      button.onclick = () => sculptor.travel({ turning: button.dataset.turning === "true" });
    }
    for (const button of this.root.querySelectorAll("[data-save]")) {
      button.onclick = () => takeJourney(button.dataset.save, this);
    }
    lengths.canvas.onpointerdown = (event) => this.point(event);
    lengths.canvas.onpointermove = (event) => event.buttons & 1 && this.point(event);
    this.sight = new IntersectionObserver(([entry]) => entry.isIntersecting || this.clock.stop());
    this.sight.observe(this.find(".trip-pictures"));
  }

  point(event) {
    this.scrub(new LengthsLayout(this.lengths.width).shareAt(this.lengths.at(event)[0]));
  }

  stop() {
    super.stop();
    this.sight.disconnect();
    this.clock.stop();
    this.bookmark.stop();
  }

  // --- where it leads -------------------------------------------------------------------------

  // The network's population where the way stays among real digits of one class, else null.
  get population() {
    return this.way?.inside ? this.neighbours.population : null;
  }

  // What the network reads at the film's pictures; null until it has.
  get frames() {
    return this.sculptor.readings?.frames ?? null;
  }

  // Those as words: ["5", "0.94"]; ["5?", "0.41"] where the network is not sure.
  get readings() {
    const { names } = this.data;
    return this.frames?.map(({ digit, sure, length }) =>
      [`${names[digit]}${sure ? "" : "?"}`, kit.number(length)]);
  }

  prepare() {
    this.told = JSON.stringify(this.data.pinned);
    this.destinations.prepare();
    this.target = this.destinations.target;
    const { way } = this.lay();
    this.test("travel").hidden = this.find(".saves").hidden = !way;
    if (!way) this.clock.stop();
    else this.prepareWay();
    this.neighbours.prepare();
    this.bookmark.prepare();
    this.drawFilm();
    this.mark();
  }

  // The way from what is held now.
  lay() {
    const { held, sculptor, target } = this;
    const end = (digit, pose) => {
      const all = new Float64Array(held.poses.length);
      all.set(pose, digit * held.size);
      return { digit, all };
    };
    const known = target && sculptor.decoder;
    this.way = known
      ? new Way(held.size, end(held.digit, held.pose), end(target.digit, target.pose))
      : null;
    return this;
  }

  prepareWay() {
    const { sculptor, target, data } = this;
    const narrow = sculptor.section.clientWidth <= NARROW;
    this.fits = TRIP_FITS[narrow ? "narrow" : "wide"];
    this.test("trip-from").textContent = "Held pose";
    this.test("trip-to").textContent = narrow ? "There" : target.title;
    this.test("trip-to").title = `${target.title}: ${target.words}`;
    this.test("lengths-title").textContent = LENGTHS_TITLE;
    for (const button of this.root.querySelectorAll("[data-turning]")) {
      const turning = button.dataset.turning === "true";
      button.setAttribute("aria-pressed", turning === sculptor.journey.turning);
    }
    this.paintEnds();
    kit.drawGrid(this.test("trip-picture"), this.pixels, { fit: this.fits[0] });
    // What is left beside the pictures.
    this.lengths.fit(this.lengths.canvas.parentElement.clientWidth, LENGTHS_HEIGHT);
    this.find('[data-end="0"]').setAttribute("aria-label", `Held pose of ${data.title}`);
    this.find('[data-end="1"]').setAttribute("aria-label", `${target.title}: ${target.words}`);
  }

  // --- what the visitor does -------------------------------------------------------------------

  scrub(share) {
    this.clock.stop();
    this.show(share);
  }

  show(share) {
    this.share = share;
    if (this.way) this.paintShare();
  }

  // The pose on screen goes to the sliders; the way begins there now.
  hold() {
    const { way, share, sculptor } = this;
    const { turning } = sculptor.journey;
    this.clock.stop();
    this.share = 0;
    if (way.inside) sculptor.put(way.poseAt(share, turning));
    else sculptor.hold(way.to, way.poseAt(share, turning, way.to));
    this.scrubber.focus({ preventScroll: true }); // the button has nothing to do now
  }

  // --- pictures --------------------------------------------------------------------------------

  paint() {
    this.lay();
    this.test("trip-undo").disabled = !this.held.undoable;
    this.test("way-words").textContent = wayWords(this.way, this.data.names);
    if (this.way) {
      this.test("length-words").textContent = lengthWords(this.way, this.data.terms);
      this.paintEnds();
      this.paintShare();
    }
    this.mark();
    this.bookmark.settle();
  }

  paintEnds() {
    const { sculptor, way, fits } = this;
    kit.drawGrid(this.find('[data-end="0"]'), sculptor.pixels, { fit: fits[1] });
    const end = sculptor.decoder.decodeAll(way.end);
    kit.drawGrid(this.find('[data-end="1"]'), end, { fit: fits[1] });
  }

  // What follows the scrubber.
  paintShare() {
    const { sculptor, way, share, population } = this;
    const { turning } = sculptor.journey;
    const { names } = this.data;
    sculptor.decoder.decodeAll(way.at(share, turning), this.pixels);
    kit.drawGrid(this.test("trip-picture"), this.pixels, { fit: this.fits[0] });
    const percent = journeyPercent(share);
    this.test("trip-title").textContent = `${percent} of the way`;
    this.test("trip-picture").setAttribute("aria-label", `Drawn at ${percent} of the way`);
    this.scrubber.value = 100 * share;
    this.scrubber.parentElement.style.setProperty("--at", share);
    const words = shareWords(way, share, turning, this.data, population);
    this.test("share-words").textContent = words;
    this.scrubber.setAttribute("aria-valuetext", words);
    this.lengths.draw((sheet) => drawLengths(sheet, { way, turning, share, names }));
    const why = unheldWords(way, share);
    this.test("trip-hold").disabled = Boolean(why);
    if (this.test("trip-unheld").textContent !== why) this.test("trip-unheld").textContent = why;
    this.film.press((k) => Math.abs(share - this.shares[k]) < 1e-9);
  }

  paintPlay() {
    this.test("trip-play").textContent = this.clock.playing ? "Stop" : "There and back";
  }

  rested() {
    this.drawFilm();
    this.neighbours.follow();
  }

  drawFilm() {
    const { sculptor, way } = this;
    if (!way) return;
    const { turning } = sculptor.journey;
    this.pictures = this.shares.map((share) => sculptor.decoder.decodeAll(way.at(share, turning)));
    this.film.draw(this.pictures);
  }

  // --- what the network says --------------------------------------------------------------------

  answered() {
    if (JSON.stringify(this.data.pinned) !== this.told) this.stale = true;
    if (this.stale && this.seen) {
      this.refresh();
      this.paint();
    }
    this.mark();
    this.bookmark.settle();
  }

  // The film's words: faint until the network has read what is shown.
  mark() {
    if (!this.way) return;
    const { names } = this.data;
    const { film, shares, frames, readings } = this;
    this.find(".film").classList.toggle("waiting", !frames);
    if (!frames) return;
    this.film.mark(frames.map((one, k) => ({
      strong: readings[k][0],
      words: ` ${readings[k][1]}`,
      title: `${journeyPercent(shares[k])} of the way: ${one.sure ? "reads" : "not sure, perhaps"} ` +
        `${names[one.digit]}, length ${kit.number(one.length)}`,
      warn: !one.sure,
    })));
    this.test("reading-words").textContent = readingWords(frames, names);
  }
}
