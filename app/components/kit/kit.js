// Helpers that every component finds as `kit`; the loader puts this file before the component's.
const kit = (() => {
  const palette = "{{ palette.json }}";

  const parse = (hex) => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
  const tables = Object.fromEntries(
    Object.entries(palette.scales).map(([name, anchors]) => {
      const stops = anchors.map(parse);
      const table = Array.from({ length: 256 }, (_, i) => {
        const place = (i / 255) * (stops.length - 1);
        const low = Math.min(Math.floor(place), stops.length - 2);
        return stops[low].map((c, k) => Math.round(c + (stops[low + 1][k] - c) * (place - low)));
      });
      return [name, table];
    }),
  );

  // The host element of a shadow root, or the element itself.
  const hostOf = (root) => root.host ?? root;

  // True where Streamlit's background is darker than its text.
  function isDark(root) {
    const style = getComputedStyle(hostOf(root));
    const light = (name) => {
      const value = style.getPropertyValue(name).trim();
      const rgb = value.startsWith("#") ? parse(value) : (value.match(/[\d.]+/g) ?? []).map(Number);
      return 0.3 * rgb[0] + 0.59 * rgb[1] + 0.11 * rgb[2];
    };
    return light("--st-background-color") < light("--st-text-color");
  }

  // {accent, warn, muted, ink, paper} of the theme in force, as hex strings.
  const theme = (root) => palette.themes[isDark(root) ? "dark" : "light"];

  // Give the component's CSS the theme's colours as --accent, --warn, --muted, --ink, --paper.
  function applyTheme(root) {
    for (const [name, value] of Object.entries(theme(root))) {
      hostOf(root).style.setProperty(`--${name}`, value);
    }
  }

  // [r, g, b] of a value 0…1 on a scale: "magnitude", "coupling" or "signed" (0.5 is zero).
  const colour = (scale, t) => tables[scale][Math.round(255 * Math.min(1, Math.max(0, t || 0)))];
  const css = (scale, t) => `rgb(${colour(scale, t).join(", ")})`;

  // A lookup of 256 [r, g, b] for "ink" (paper to ink of the theme) or a scale of the palette.
  function tableOf(scale, root) {
    if (scale !== "ink") return tables[scale];
    const { ink, paper } = theme(root);
    const [from, to] = [parse(paper), parse(ink)];
    return Array.from({ length: 256 }, (_, i) =>
      from.map((c, k) => Math.round(c + ((to[k] - c) * i) / 255)),
    );
  }

  // Draw values (row by row) as crisp squares of whole device pixels; `fit` is the widest it may be
  // in CSS pixels (default: the width of the canvas's parent).
  function drawGrid(canvas, values, options = {}) {
    const { rows = 28, cols = 28, scale = "ink", low = 0, high = 1, fit, root } = options;
    const table = tableOf(scale, root ?? canvas.getRootNode());
    const ratio = window.devicePixelRatio || 1;
    const room = fit ?? canvas.parentElement.clientWidth;
    const cell = Math.max(1, Math.floor((room * ratio) / cols));
    // The same size again would cost a layout.
    if (canvas.width !== cols * cell) canvas.width = cols * cell;
    if (canvas.height !== rows * cell) canvas.height = rows * cell;
    canvas.style.width = `${canvas.width / ratio}px`;
    canvas.style.height = `${canvas.height / ratio}px`;
    const small = new OffscreenCanvas(cols, rows);
    const pixels = new ImageData(cols, rows);
    for (let i = 0; i < rows * cols; i++) {
      const t = Math.min(1, Math.max(0, (values[i] - low) / (high - low)));
      pixels.data.set(table[Math.round(255 * t)], 4 * i);
      pixels.data[4 * i + 3] = 255;
    }
    small.getContext("2d").putImageData(pixels, 0, 0);
    const context = canvas.getContext("2d");
    context.imageSmoothingEnabled = false;
    context.drawImage(small, 0, 0, canvas.width, canvas.height);
    return cell / ratio;
  }

  // A stroke as quadratic curves through the middles between its points; a pen's pressure (third
  // number of a point, 0…100) widens it. `zoom` pixels are one unit of points and width.
  function paintStroke(pen, stroke, zoom, width) {
    const at = ([x, y]) => [x * zoom, y * zoom];
    const thick = (point) => zoom * width * (0.7 + 0.6 * ((point[2] ?? 50) / 100));
    pen.lineCap = pen.lineJoin = "round";
    let from = at(stroke[0]);
    if (stroke.length === 1) {
      pen.beginPath();
      pen.arc(...from, thick(stroke[0]) / 2, 0, 2 * Math.PI);
      pen.fill();
    }
    for (let i = 1; i < stroke.length; i++) {
      const [here, next] = [at(stroke[i]), at(stroke[i + 1] ?? stroke[i])];
      const to = [(here[0] + next[0]) / 2, (here[1] + next[1]) / 2];
      pen.lineWidth = thick(stroke[i]);
      pen.beginPath();
      pen.moveTo(...from);
      pen.quadraticCurveTo(...here, ...to);
      pen.stroke();
      from = to;
    }
  }

  // Write text(row, column) into `target` while the pointer is over a grid; `rest` when it leaves.
  function hoverGrid(canvas, target, text, { rows = 28, cols = 28, rest = "" } = {}) {
    canvas.onpointermove = (event) => {
      const box = canvas.getBoundingClientRect();
      const at = (place, size, n) => Math.min(n - 1, Math.max(0, Math.floor((place / size) * n)));
      const row = at(event.clientY - box.top, box.height, rows);
      target.textContent = text(row, at(event.clientX - box.left, box.width, cols));
    };
    canvas.onpointerleave = () => {
      target.textContent = rest;
    };
  }

  // 0.94, −0.07: fixed digits and a true minus sign.
  const number = (value, digits = 2) => value.toFixed(digits).replace("-", "−");

  // By chance, as the standard normal distribution has it.
  const normal = () =>
    Math.sqrt(-2 * Math.log(1 - Math.random())) * Math.cos(2 * Math.PI * Math.random());

  const bytes = (base64) => Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));

  const floats = (base64) => new Float32Array(bytes(base64).buffer);

  // float16 as float32. Weights are finite, so infinities need no case.
  function widen(halves) {
    const wide = new Float32Array(halves.length);
    const bits = new Uint32Array(wide.buffer);
    for (let i = 0; i < halves.length; i++) {
      const sign = halves[i] & 0x8000;
      const rest = halves[i] & 0x7fff;
      if (rest < 0x0400) wide[i] = (sign ? -rest : rest) * 2 ** -24;
      else bits[i] = (sign << 16) | ((rest << 13) + 0x38000000);
    }
    return wide;
  }

  // A safetensors file of float16 and float32 numbers, as {metadata, shapes, tensors}: the last two
  // by name, every tensor a Float32Array.
  function safetensors(data) {
    const file = data.slice(); // a copy begins at an even address
    const size = Number(new DataView(file.buffer).getBigUint64(0, true));
    const header = JSON.parse(new TextDecoder().decode(file.subarray(8, 8 + size)));
    const { __metadata__: metadata, ...entries } = header;
    const read = ({ dtype, data_offsets: [from, to] }) => {
      const part = file.buffer.slice(8 + size + from, 8 + size + to);
      return dtype === "F16" ? widen(new Uint16Array(part)) : new Float32Array(part);
    };
    const each = (make) =>
      Object.fromEntries(Object.entries(entries).map(([name, entry]) => [name, make(entry)]));
    return { metadata, shapes: each((entry) => entry.shape), tensors: each(read) };
  }

  // The visitor asked for less motion.
  const calm = () => window.matchMedia("(prefers-reduced-motion: reduce)").matches;

  // Fill a nav with a button for each section that has a name in `data-way`; it scrolls there.
  function ways(nav, sections) {
    for (const section of sections.filter(({ dataset }) => dataset.way)) {
      const words = { type: "button", textContent: section.dataset.way };
      const button = Object.assign(document.createElement("button"), words);
      button.onclick = () => section.scrollIntoView({ behavior: calm() ? "auto" : "smooth" });
      nav.append(button);
    }
  }

  // Put `words` where the HTML of an element says {name}, in its texts, labels and titles.
  const blanks = new WeakMap();
  function fill(element, words) {
    if (!blanks.has(element)) blanks.set(element, blanksOf(element));
    for (const [node, text] of blanks.get(element)) {
      const filled = text.replace(/\{(\w+)\}/g, (_, name) => words[name]);
      if (node.nodeValue !== filled) node.nodeValue = filled;
    }
  }

  function blanksOf(element) {
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
    const found = [];
    while (walker.nextNode()) {
      const { currentNode: node } = walker;
      found.push(node, ...(node.attributes ?? []));
    }
    return found.filter((node) => /\{\w+\}/.test(node.nodeValue)).map((node) => [node, node.nodeValue]);
  }

  // One instance per mounted element: made at the first call, handed back at the later ones.
  const instances = new WeakMap();
  function once(root, create) {
    if (!instances.has(root)) instances.set(root, create());
    return instances.get(root);
  }

  // A part of a file's name, of words of any kind: "T-shirt-top".
  const fileName = (words) => `${words}`.replace(/[^\p{L}\p{N}_]+/gu, "-");

  function saveBlob(blob, name) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(blob);
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  }
  const saveCanvas = (canvas, name) => canvas.toBlob((blob) => saveBlob(blob, name), "image/png");
  const saveJson = (value, name) =>
    saveBlob(new Blob([JSON.stringify(value, null, 1)], { type: "application/json" }), name);
  const field = (value) => (/[",\n]/.test(value) ? `"${`${value}`.replaceAll('"', '""')}"` : value);
  const saveCsv = (lines, name) => {
    const text = lines.map((line) => `${line.map(field).join(",")}\n`).join("");
    saveBlob(new Blob([text], { type: "text/csv" }), name);
  };

  return {
    palette, isDark, theme, applyTheme, colour, css, tableOf, drawGrid, hoverGrid, paintStroke,
    number, normal, bytes, floats, safetensors, calm, ways, fill, once, library: TEXTS.library,
    saveBlob, saveCanvas, saveJson, saveCsv, fileName,
  };
})();
