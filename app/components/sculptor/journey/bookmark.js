// The link to the held pose, for the clipboard.
const SAID_MS = 2500; // how long it is said that the link was copied

class Bookmark {
  constructor(panel) {
    this.panel = panel;
    this.button = panel.test("copy-link");
    this.field = panel.test("link");
    this.wanted = false;
    this.button.onclick = () => {
      this.wanted = true;
      this.settle();
    };
    this.field.onfocus = () => this.field.select();
  }

  prepare() {
    const { kind } = this.panel.data;
    this.button.disabled = kind === "upload";
    this.field.hidden = true;
    this.say();
  }

  get rest() {
    const { data, sculptor } = this.panel;
    if (data.kind === "upload") {
      return (
        `No link can hold a picture that was uploaded. Draw the ${data.terms.image}, or take a ` +
        `sample, for one.`
      );
    }
    const left = sculptor.journey.to === "pinned" && !data.pinned?.linkable;
    const lost = left ? ` The pinned drawing is in no link, and so is the way to it.` : "";
    return (
      `The link holds the input, the held pose, how the sliders are set up, and where the journey ` +
      `leads.${lost}`
    );
  }

  say(words = this.rest) {
    this.panel.test("link-words").textContent = words;
  }

  // Copy once the address holds what is held.
  settle() {
    if (!this.wanted) return;
    if (this.panel.sculptor.waiting) return this.say("A moment: the link is being written …");
    this.wanted = false;
    this.copy(location.href);
  }

  async copy(link) {
    try {
      await navigator.clipboard.writeText(link);
      this.field.hidden = true;
      this.say("Copied. Whoever opens it finds this pose.");
    } catch {
      // Without a clipboard, or without leave to write to it.
      Object.assign(this.field, { hidden: false, value: link });
      this.field.focus();
      this.say("The browser does not let a page copy: here is the link, selected.");
      return;
    }
    clearTimeout(this.saying);
    this.saying = setTimeout(() => this.say(), SAID_MS);
  }

  stop() {
    clearTimeout(this.saying);
  }
}
