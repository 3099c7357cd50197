// A picture from the clipboard or dropped on the page, made small enough and sent as base64.
const LONGEST = 2048; // pixels along the longer side; a digit needs far fewer

// The file as it is, or a smaller picture of it; null where it is too large and no picture.
async function shrink(file, most) {
  let picture;
  try {
    picture = await createImageBitmap(file);
  } catch {
    return file.size <= most ? file : null;
  }
  const part = Math.min(1, LONGEST / Math.max(picture.width, picture.height));
  if (part === 1 && file.size <= most) return file;
  const canvas = new OffscreenCanvas(
    Math.max(1, Math.round(picture.width * part)),
    Math.max(1, Math.round(picture.height * part)),
  );
  const pen = canvas.getContext("2d");
  pen.imageSmoothingQuality = "high";
  pen.drawImage(picture, 0, 0, canvas.width, canvas.height);
  if (file.type !== "image/jpeg") {
    const exact = await canvas.convertToBlob({ type: "image/png" });
    if (exact.size <= most) return exact;
  }
  pen.globalCompositeOperation = "destination-over"; // JPEG knows no transparency
  pen.fillStyle = "white";
  pen.fillRect(0, 0, canvas.width, canvas.height);
  return canvas.convertToBlob({ type: "image/jpeg", quality: 0.92 });
}

const base64 = (blob) =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result.split(",")[1] ?? "");
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(blob);
  });

class Paste {
  sent = null; // the picture that is on its way

  constructor(root) {
    this.said = root.querySelector(".said");
    this.over = root.querySelector(".over");
    const button = root.querySelector("button");
    button.hidden = !navigator.clipboard?.read;
    button.onclick = () => this.ask();
    const apple = /Mac|iPhone|iPad/.test(navigator.platform);
    root.querySelector("kbd").textContent = apple ? "⌘ V" : "Ctrl + V";
  }

  take({ data, setStateValue }) {
    this.most = data.most;
    this.deliver = (picture) => setStateValue("picture", picture);
    if (this.sent && data.arrived === this.sent) {
      this.sent = null;
      this.say("");
      setTimeout(() => this.deliver(null)); // else every later message would carry it again
    }
    if (this.heard) return;
    this.heard = new AbortController();
    const { signal } = this.heard;
    document.addEventListener("paste", (event) => this.pasted(event), { signal });
    for (const kind of ["dragenter", "dragover", "dragleave", "dragend", "drop"]) {
      document.addEventListener(kind, (event) => this.dragged(event), { signal });
    }
  }

  leave() {
    this.heard?.abort();
    this.heard = null;
  }

  pasted(event) {
    const file = event.clipboardData?.files[0];
    const typing = event.composedPath()[0].matches?.("input, textarea, [contenteditable]");
    if (file) {
      event.preventDefault();
      this.send(file, "");
    } else if (!typing) this.say("There is no picture in the clipboard.");
  }

  // The uploader has its own place to drop on; everywhere else is ours.
  dragged(event) {
    const files = event.dataTransfer?.types.includes("Files");
    const uploader = event.target.closest?.('[data-testid="stFileUploader"]');
    const leaving = event.type === "drop" || (event.type === "dragleave" && !event.relatedTarget);
    this.over.hidden = !files || Boolean(uploader) || leaving || event.type === "dragend";
    if (!files || uploader) return;
    event.preventDefault();
    const file = event.type === "drop" && event.dataTransfer.files[0];
    if (file) this.send(file, file.name);
  }

  // By the button: the browser may ask the visitor first.
  async ask() {
    try {
      for (const item of await navigator.clipboard.read()) {
        const type = item.types.find((one) => one.startsWith("image/"));
        if (type) return this.send(await item.getType(type), "");
      }
      this.say("There is no picture in the clipboard.");
    } catch {
      this.say("The browser keeps its clipboard to itself. Press the keys instead.");
    }
  }

  async send(file, name) {
    this.say("Reading the picture …");
    try {
      const picture = await shrink(file, this.most);
      const data = picture ? await base64(picture) : "";
      this.sent = Date.now();
      this.deliver({ name, data, seq: this.sent });
    } catch {
      this.say("This picture could not be read by the browser.");
    }
  }

  say(words) {
    this.said.textContent = words;
  }
}

export default function (component) {
  const root = component.parentElement;
  kit.applyTheme(root);
  const paste = kit.once(root, () => new Paste(root));
  paste.take(component);
  return () => paste.leave();
}
