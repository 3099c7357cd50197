// A strip of pictures that are buttons, each with words below: the film, the neighbours.
const STRIP_FIT = 84; // CSS pixels of a picture

class Strip {
  // `choose(k)` is called with the picture that was pressed; `name` goes before its number.
  constructor(row, name, count, choose) {
    this.row = row;
    this.frames = Array.from({ length: count }, (_, k) => {
      const frame = journeyChild(row, "div", "pictured");
      const button = journeyChild(frame, "button");
      button.type = "button";
      button.tabIndex = k ? -1 : 0;
      button.dataset.testid = `${name}-${k}`;
      button.onclick = () => choose(k);
      const canvas = journeyChild(button, "canvas");
      const line = journeyChild(frame, "p", "kit-note");
      const [strong, rest] = ["b", "span"].map((tag) => journeyChild(line, tag));
      return { frame, button, canvas, strong, rest };
    });
    journeyWalk(row);
  }

  // The pictures, arrays of pixels.
  draw(pictures) {
    pictures.forEach((pixels, k) => kit.drawGrid(this.frames[k].canvas, pixels, { fit: STRIP_FIT }));
  }

  // Which of them is what is shown elsewhere.
  press(is) {
    this.frames.forEach(({ button }, k) => button.setAttribute("aria-pressed", is(k)));
  }

  // [{strong, words, title, warn}] for each.
  mark(said) {
    said.forEach(({ strong = "", words, title, warn = false }, k) => {
      const { frame, button, ...lines } = this.frames[k];
      if (lines.strong.textContent !== strong) lines.strong.textContent = strong;
      if (lines.rest.textContent !== words) lines.rest.textContent = words;
      if (button.title !== title) button.title = title;
      button.setAttribute("aria-label", title);
      frame.classList.toggle("warned", warn);
    });
  }
}
