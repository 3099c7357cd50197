// The rows of the grid on the page: a name, the eleven pictures as one film, and under it the track
// with the held value and the network's own.
const FILM_SIDE = 28; // pixels of a picture
const FILM_PITCH = FILM_SIDE + 1; // and of the gap after it
const FILM_WIDTH = SWEEP * FILM_PITCH - 1;
const FILM_SIZES = { wide: 56, narrow: 42 }; // CSS pixels that a picture should have, at least 40

const sweepHtml = (name) => `
  <div class="sweep" data-testid="sweep-${name}">
    <p class="sweep-name"><b>${name}</b> <span></span> <small></small></p>
    <div class="sweep-cells">
      <div class="sweep-film"><canvas width="${FILM_WIDTH}" height="${FILM_SIDE}"></canvas></div>
      <i class="sweep-near" hidden></i>
      <div class="sweep-marks"></div>
      <div class="sweep-track"><i class="sweep-home"></i><i class="sweep-now"></i></div>
    </div>
  </div>`;

class SweepRows {
  constructor(box, sculptor) {
    Object.assign(this, { box, sculptor, parts: [], shown: "" });
    this.ring = document.createElement("i");
    this.ring.className = "sweep-ring";
  }

  build(order) {
    const { count } = this.sculptor.basis;
    if (this.parts.length !== count) {
      this.box.innerHTML = Array.from({ length: count }, (_, k) => sweepHtml(k + 1)).join("");
      this.parts = [...this.box.children].map((row, k) => {
        row.dataset.k = k;
        const find = (selector) => row.querySelector(selector);
        return {
          row, name: find(".sweep-name span"), ends: find("small"), cells: find(".sweep-cells"),
          canvas: find("canvas"), near: find(".sweep-near"), marks: find(".sweep-marks"),
          home: find(".sweep-home"), now: find(".sweep-now"), at: {},
        };
      });
    }
    const shown = order.join();
    if (shown !== this.shown) this.box.append(...order.map((k) => this.parts[k].row));
    this.shown = shown;
  }

  // Whole device pixels for each of a picture.
  fit(wide) {
    const ratio = window.devicePixelRatio || 1;
    const wanted = (FILM_SIZES[wide ? "wide" : "narrow"] * ratio) / FILM_SIDE;
    const cell = (wide ? Math.floor(wanted) : Math.ceil(wanted - 0.01)) / ratio;
    this.side = FILM_SIDE * Math.max(cell, 40 / FILM_SIDE);
    this.pitch = (this.side * FILM_PITCH) / FILM_SIDE;
    const style = this.box.parentElement.style;
    style.setProperty("--side", `${this.side}px`);
    style.setProperty("--pitch", `${this.pitch}px`);
    style.setProperty("--film", `${(this.side * FILM_WIDTH) / FILM_SIDE}px`);
    for (const part of this.parts) part.at = {};
  }

  name(k, words, ends) {
    this.parts[k].name.textContent = words;
    this.parts[k].ends.textContent = ends;
  }

  // The pictures of row k, [11 × 784], ink 0…1; or their difference from one of 784.
  film(k, pixels, from) {
    const colours = filmColours(from ? "signed" : "ink", this.sculptor.root);
    this.parts[k].canvas.getContext("2d").putImageData(filmOf(pixels, from, colours), 0, 0);
  }

  // At every frame of a drag: what has moved in row k. `limits` are its ends.
  paint(k, limits, fresh) {
    const { basis, pose, held } = this.sculptor;
    const { row, home, now, near, at } = this.parts[k];
    const share = (value) => (value - limits[0]) / (limits[1] - limits[0]);
    const there = share(basis.value(k, pose));
    const stop = Math.round(there * (SWEEP - 1));
    this.put(at, "home", home, share(basis.home(k)));
    this.put(at, "now", now, there);
    if (at.stop !== stop) {
      at.stop = stop;
      near.hidden = stop < 0 || stop >= SWEEP;
      near.style.transform = `translateX(${stop * this.pitch}px)`;
    }
    row.classList.toggle("faint", !fresh);
    row.classList.toggle("chosen", held.dimension === k);
  }

  // Move a mark to this share of the way from the first picture to the last, or just beyond them.
  put(at, name, mark, share) {
    if (at[name] === share) return;
    at[name] = share;
    const inside = Math.min(1, Math.max(0, share));
    const x = this.side / 2 + inside * (SWEEP - 1) * this.pitch;
    mark.style.transform = `translateX(${x.toFixed(1)}px)`;
    const beyond = share < -1e-6 ? "under" : share > 1 + 1e-6 ? "over" : "";
    if (mark.dataset.beyond !== beyond) mark.dataset.beyond = beyond;
  }

  // What is said of the pictures of a row, {words, kind} each, or null of some.
  mark(k, said) {
    const { marks } = this.parts[k];
    marks.replaceChildren(
      ...said.flatMap((told, s) => {
        if (!told) return [];
        const { words, kind } = told;
        const mark = document.createElement("i");
        mark.className = `sweep-read ${kind}`;
        mark.append(Object.assign(document.createElement("b"), { textContent: words }));
        mark.style.transform = `translateX(${s * this.pitch}px)`;
        return [mark];
      }),
    );
  }

  // Ring the picture that is looked at; none where there is no k.
  point(at) {
    if (!at) return this.ring.remove();
    this.ring.style.transform = `translateX(${at.s * this.pitch}px)`;
    this.parts[at.k].cells.append(this.ring);
  }

  // The picture under a pointer, {k, s}, or null.
  under(event) {
    const cells = event.target.closest(".sweep-cells");
    const k = Number(cells?.closest(".sweep").dataset.k ?? NaN);
    if (Number.isNaN(k)) return null;
    const s = Math.floor((event.clientX - cells.getBoundingClientRect().left) / this.pitch);
    return s < 0 || s >= SWEEP ? null : { k, s };
  }
}

// The colours of a scale as the numbers that a canvas keeps.
function filmColours(scale, root) {
  const bytes = Uint8Array.from(kit.tableOf(scale, root).flatMap((rgb) => [...rgb, 255]));
  return new Uint32Array(bytes.buffer);
}

// Pictures side by side with gaps between them.
function filmOf(pixels, from, colours) {
  const film = new ImageData(FILM_WIDTH, FILM_SIDE);
  const cells = new Uint32Array(film.data.buffer);
  const size = FILM_SIDE * FILM_SIDE;
  for (let i = 0; i < pixels.length; i++) {
    const [s, place] = [Math.floor(i / size), i % size];
    const shift = (FILM_WIDTH - FILM_SIDE) * Math.floor(place / FILM_SIDE) + FILM_PITCH * s;
    const share = from ? (pixels[i] - from[place] + 1) / 2 : pixels[i];
    cells[place + shift] = colours[Math.round(255 * share)];
  }
  return film;
}
