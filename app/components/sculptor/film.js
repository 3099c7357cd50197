// The film strip of one dimension: a row of the paper's figure 4, drawn a frame at a time.
const STEPS = 11;
const FRAME = 56; // CSS pixels of a frame

class Film {
  // `held` is asked for what it holds and told move(k, offset).
  constructor(find, held) {
    this.find = find;
    this.held = held;
    this.box = find(".frames");
    this.box.innerHTML = Array.from({ length: STEPS }, (_, s) => `
      <button type="button" class="frame" data-testid="frame-${s}">
        <canvas width="${FRAME}" height="${FRAME}"></canvas><span></span>
      </button>`).join("");
    this.frames = [...this.box.children];
    this.frames.forEach((frame, s) => {
      frame.onclick = () => held.move(held.dimension, this.stop(s));
    });
    this.box.onkeydown = (event) => {
      const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      const next = by && this.frames[this.frames.indexOf(event.target) + by];
      if (!next) return;
      event.preventDefault();
      next.focus();
    };
    this.shown = "";
  }

  // The offset that frame `s` stands for.
  stop(s) {
    const [low, high] = this.held.limits(this.held.dimension);
    return low + ((high - low) * s) / (STEPS - 1);
  }

  // Mark where the pose is; draw the frames anew if anything but their own dimension has changed.
  paint() {
    const { held, frames } = this;
    const k = held.dimension;
    const [low, high] = held.limits(k);
    const at = (held.offsets[k] - low) / (high - low);
    const near = Math.round(at * (STEPS - 1));
    this.find(".playhead").classList.toggle("off", at < 0 || at > 1);
    this.find(".playhead").style.setProperty("--at", at);
    frames.forEach((frame, s) => {
      const here = s === near && Math.abs(held.offsets[k] - this.stop(s)) < 0.0011;
      frame.setAttribute("aria-pressed", here);
      frame.tabIndex = s === Math.min(STEPS - 1, Math.max(0, near)) ? 0 : -1;
    });
    const others = held.offsets.map((x, i) => (i === k ? 0 : x)).join();
    const wanted = [held.subject, held.digit, k, held.wide, others, held.dark].join(" ");
    if (held.decoder && wanted === this.shown) return;
    clearTimeout(this.next); // what it was about to draw is past, or the decoder is another's
    this.shown = held.decoder ? wanted : "";
    if (!held.decoder) return;
    this.label(k);
    const reel = this.find(".reel"); // on a narrow page, bring the frame of the pose into sight
    reel.scrollLeft = ((near + 0.5) / STEPS) * reel.scrollWidth - reel.clientWidth / 2;
    this.next = setTimeout(() => this.draw(0));
  }

  label(k) {
    const about = this.held.wide ? "from −1 to 1" : "±0.25 around the network’s value";
    this.find(".film-title").textContent = `Dimension ${k + 1}, ${about}`;
    this.frames.forEach((frame, s) => {
      const value = this.stop(s) + (this.held.wide ? this.held.reference(k) : 0);
      const text = this.held.wide ? kit.number(value, 1) : signed(value);
      frame.querySelector("span").textContent = text.replace("+−", "−");
      frame.setAttribute("aria-label", `Dimension ${k + 1} to ${text}`);
    });
  }

  // One frame a task, so that a drag meanwhile stays smooth.
  draw(s) {
    const { held } = this;
    const pose = Float32Array.from(held.pose);
    pose[held.dimension] = held.reference(held.dimension) + this.stop(s);
    const values = held.decoder.decode(held.digit, pose, new Float32Array(held.pixels.length));
    kit.drawGrid(this.frames[s].querySelector("canvas"), values, { fit: FRAME });
    if (s + 1 < STEPS) this.next = setTimeout(() => this.draw(s + 1));
  }
}
