// What the network makes of the input: verdict, pictures, lengths, downloads.
const SIDE = 28;
const FIT = 112; // CSS pixels of a picture: four a pixel of the image
const FIT_OF_STEP = 82; // of a step, so that all pictures of a drawing in doubt stand in one line
const FIT_OF_POSTER = 140;
const PEN_IN_IMAGE = 2.5; // pixels of the 28 that a pen stroke is wide
const BOX = 20; // pixels of the 28 that the ink is scaled into
const MANY = 12; // classes, from which on their bars are thin
const LONGEST_LINE = 13; // of a class's name, in digits; longer ones go on in a second line

function verdict(root, data) {
  const digit = root.querySelector(".digit");
  const { names, lengths, digit: best, second } = data;
  const long = names[best].length > 2;
  const both = long ? `${names[best]}?` : `${names[best]}/${names[second]}`;
  const between = data.short ? "?" : both;
  digit.textContent = data.blank ? "–" : data.sure ? names[best] : between;
  digit.classList.toggle("unsure", !data.sure || data.blank);
  digit.classList.toggle("long", long && !data.blank && !data.short);
  const words = data.words[0].toUpperCase() + data.words.slice(1);
  root.querySelector(".words").textContent = data.blank ? "Nothing drawn yet" : words;
  const more = root.querySelector(".more");
  const misread = data.label !== null && data.label !== best;
  more.classList.toggle("misread", misread);
  const next = `Next longest: ${names[second]}, length ${kit.number(lengths[second])}`;
  const meant = data.meant && `${data.title}: ${data.meant}. `;
  const other = data.wanted === "digit" ? "a sample" : "one from below";
  more.textContent = data.blank ? `Draw one ${data.wanted}, or take ${other}.` : meant + next;
}

// A step as the strokes then were, with the box that the ink fills.
function paintStep(root, canvas, step, fit) {
  const ratio = window.devicePixelRatio || 1;
  canvas.width = canvas.height = Math.round(fit * ratio);
  canvas.style.width = canvas.style.height = `${fit}px`;
  const pen = canvas.getContext("2d");
  const zoom = canvas.width / step.side;
  const width = (PEN_IN_IMAGE / BOX) * extent(step.strokes);
  const { ink, accent } = kit.theme(root);
  pen.strokeStyle = pen.fillStyle = ink;
  const thick = step.side === SIDE ? PEN_IN_IMAGE : Math.max(width, step.side * 0.03);
  for (const stroke of step.strokes) kit.paintStroke(pen, stroke.map(flat), zoom, thick);
  const [left, top, right, bottom] = bounds(step.strokes, thick / 2);
  pen.strokeStyle = accent;
  pen.lineWidth = ratio;
  pen.setLineDash([3 * ratio, 3 * ratio]);
  pen.strokeRect(left * zoom, top * zoom, (right - left) * zoom, (bottom - top) * zoom);
}
const flat = ([x, y]) => [x, y];

function bounds(strokes, margin) {
  const points = strokes.flat();
  const [xs, ys] = [points.map((p) => p[0]), points.map((p) => p[1])];
  return [
    Math.min(...xs) - margin, Math.min(...ys) - margin,
    Math.max(...xs) + margin, Math.max(...ys) + margin,
  ];
}
const extent = (strokes) => {
  const [left, top, right, bottom] = bounds(strokes, 0);
  return Math.max(right - left, bottom - top);
};

function steps(root, data) {
  const row = root.querySelector(".steps");
  row.hidden = !data.steps.length;
  while (row.children.length < data.steps.length) row.append(row.firstElementChild.cloneNode(true));
  [...row.children].forEach((figure, k) => {
    const step = data.steps[k];
    figure.hidden = !step;
    if (!step) return;
    figure.querySelector("figcaption").textContent = step.title;
    const [canvas, img] = [figure.querySelector("canvas"), figure.querySelector("img")];
    canvas.hidden = Boolean(step.url);
    img.hidden = !step.url;
    if (step.url) Object.assign(img, { src: step.url, alt: step.title });
    else {
      paintStep(root, canvas, step, FIT_OF_STEP);
      canvas.setAttribute("aria-label", step.title);
    }
  });
}

// What the network sees, and what the longest capsule makes of it; both candidates in doubt.
function pictures(root, data) {
  grid(root.querySelector(".seen"), data.image, `${SIDE} × ${SIDE} pixels`, "What the network sees");
  const drawn = candidates(root, data);
  root.querySelector(".undrawn").hidden = drawn.length;
  const named = data.names.some((name) => name.length > 2);
  root.querySelector(".pictures").classList.toggle("named", named);
  for (const figure of root.querySelectorAll(".candidates figure")) figure.hidden = true;
  drawn.forEach(({ figure, caption, hidden, length, error, values }) => {
    figure.hidden = hidden;
    figure.querySelector("figcaption").textContent = caption;
    const lengthWords = `Length ${kit.number(length)}`;
    const errorWords = `Squared error ${kit.number(error, 1)}, summed over the pixels`;
    grid(figure, values, `${lengthWords}. ${errorWords}`, caption);
  });
}

// What the decoder draws, from the longest capsule and the second; nothing without a decoder.
function candidates(root, data) {
  const figures = root.querySelectorAll(".candidates figure");
  return [data.digit, data.second].slice(0, data.errors.length).map((digit, k) => ({
    figure: figures[k],
    hidden: data.blank || (k === 1 && data.sure),
    digit: data.names[digit],
    caption: `Rebuilt from ${data.names[digit]}`,
    length: data.lengths[digit],
    error: data.errors[k],
    values: data.reconstructions.subarray(SIDE * SIDE * k, SIDE * SIDE * (k + 1)),
  }));
}

// A 28 × 28 picture with its note, which names the pixel under the pointer.
function grid(figure, values, note, label) {
  const canvas = figure.querySelector("canvas");
  const line = figure.querySelector(".kit-note");
  kit.drawGrid(canvas, values, { fit: FIT });
  canvas.setAttribute("aria-label", `${label}, ${SIDE} by ${SIDE} pixels`);
  line.textContent = note;
  const at = (row, column) => kit.number(values[SIDE * row + column]);
  const text = (row, column) => `row ${row}, column ${column}: ${at(row, column)}`;
  kit.hoverGrid(canvas, line, text, { rest: note });
}

function bars(root, data) {
  const list = root.querySelector(".bars");
  list.classList.toggle("unsure", !data.sure);
  list.style.setProperty("--long", data.doubt.length);
  const longest = Math.max(...data.names.map((name) => name.length));
  const width = longest > 2 ? `${Math.min(longest, LONGEST_LINE)}ch` : "1.4em";
  const chart = list.parentElement;
  chart.style.setProperty("--name", width);
  chart.classList.toggle("many", data.names.length > MANY);
  const template = '<span class="name"></span><span class="track"><span class="fill"></span></span>';
  while (list.children.length < data.lengths.length) {
    const bar = document.createElement("div");
    bar.innerHTML = `${template}<span class="value"></span>`;
    bar.setAttribute("role", "listitem");
    list.append(bar);
  }
  data.lengths.forEach((length, j) => {
    const bar = list.children[j];
    bar.className = "bar";
    if (j === data.digit && !data.blank) bar.classList.add("longest");
    if (j === data.second && !data.blank) bar.classList.add("second");
    bar.dataset.testid = `length-${j}`;
    bar.dataset.value = length;
    bar.title = `Capsule ${data.names[j]}: length ${kit.number(length, 4)}`;
    bar.setAttribute("aria-label", `Capsule ${data.names[j]}, length ${kit.number(length)}`);
    bar.querySelector(".name").textContent = data.names[j];
    bar.querySelector(".fill").style.width = `${100 * length}%`;
    bar.querySelector(".value").textContent = kit.number(length);
  });
  while (list.children.length > data.lengths.length) list.lastChild.remove();
  const axis = root.querySelector(".axis");
  if (!axis.children.length) {
    for (const tick of [0, 0.25, 0.5, 0.75, 1]) {
      const mark = document.createElement("span");
      mark.style.left = `${100 * tick}%`;
      mark.textContent = tick;
      axis.append(mark);
    }
  }
  const sum = data.lengths.reduce((a, b) => a + b, 0);
  root.querySelector(".sum").textContent =
    `Each capsule answers for itself: the lengths are no softmax and need not add up to 1 ` +
    `(here ${kit.number(sum)}). A verdict is sure where the longest reaches the dashed line, ` +
    `${kit.number(data.doubt.length)}, and the next is shorter by ` +
    `${kit.number(data.doubt.margin)} or more. ${data.doubt.origin}`;
}

// The whole reading as one picture, in the colours of the page.
function poster(root, data) {
  const zoom = 2;
  const step = data.lengths.length > MANY ? 22 : 30;
  const height = Math.max(data.sure || data.blank ? 480 : 664, 152 + step * data.lengths.length);
  const canvas = new OffscreenCanvas(760 * zoom, height * zoom);
  const pen = canvas.getContext("2d");
  const host = root.host ?? root;
  const style = getComputedStyle(host);
  const { accent, muted, warn } = kit.theme(root);
  const text = style.getPropertyValue("--st-text-color");
  const write = (words, x, y, size, weight = 400) => {
    pen.font = `${weight} ${size}px ${style.fontFamily}`;
    pen.fillText(words, x, y);
  };
  pen.scale(zoom, zoom);
  pen.fillStyle = style.getPropertyValue("--st-background-color");
  pen.fillRect(0, 0, 760, height);
  pen.fillStyle = text;
  write(root.querySelector(".words").textContent, 32, 52, 24, 600);
  write(root.querySelector(".more").textContent, 32, 78, 13);
  pen.imageSmoothingEnabled = false;
  const shown = [".seen", ".candidates figure:not([hidden])"];
  root.querySelectorAll(shown.join()).forEach((figure, k) => {
    write(figure.querySelector("figcaption").textContent, 32, 118 + 184 * k, 13, 600);
    pen.drawImage(figure.querySelector("canvas"), 32, 128 + 184 * k, FIT_OF_POSTER, FIT_OF_POSTER);
  });
  write(`Length of each ${data.kind} capsule, 0 to 1`, 236, 118, 13, 600);
  const left = 250 + Math.max(...data.names.map((name) => pen.measureText(name).width));
  data.lengths.forEach((length, j) => {
    const y = 132 + step * j;
    const unsure = !data.sure && [data.digit, data.second].includes(j);
    pen.fillStyle = unsure ? warn : j === data.digit ? accent : muted;
    pen.fillRect(left, y, (658 - left) * length, step - 10);
    pen.strokeStyle = muted;
    pen.strokeRect(left, y, 658 - left, step - 10);
    pen.fillStyle = text;
    write(data.names[j], 238, y + step / 2, 13, 600);
    write(kit.number(length), 668, y + step / 2, 13);
  });
  return canvas;
}

async function save(root, data, kind) {
  const name = `capsnet-reads-${kit.fileName(data.names[data.digit])}`;
  if (kind === "png") kit.saveBlob(await poster(root, data).convertToBlob(), `${name}.png`);
  if (kind === "csv") {
    const rows = data.lengths.map((length, j) => [data.names[j], length]);
    kit.saveCsv([[data.kind, "length"], ...rows], `${name}.csv`);
  }
  if (kind === "json") {
    const { title, words, label, names, lengths } = data;
    const rounded = (values) => Array.from(values, (value) => Number(value.toFixed(5)));
    const image = rounded(data.image);
    const reconstructions = candidates(root, data).map(({ digit, error, values }) => (
      { capsule: digit, squared_error: error, image: rounded(values) }
    ));
    const all = rounded(data.poses);
    const size = all.length / names.length;
    const poses = names.map((_, j) => all.slice(size * j, size * (j + 1)));
    const numbers = { lengths, poses, image, reconstructions };
    kit.saveJson({ title, verdict: words, label, names, ...numbers }, `${name}.json`);
  }
}

export default function ({ data: sent, parentElement: root }) {
  kit.applyTheme(root);
  const packed = ["image", "reconstructions", "poses"].map((name) => [name, kit.floats(sent[name])]);
  const data = { ...sent, ...Object.fromEntries(packed) };
  verdict(root, data);
  steps(root, data);
  pictures(root, data);
  bars(root, data);
  kit.fill(root.querySelector(".chart .kit-title"), data);
  for (const button of root.querySelectorAll("[data-save]")) {
    button.onclick = () => save(root, data, button.dataset.save);
  }
}
