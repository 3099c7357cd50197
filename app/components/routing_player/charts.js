// Two line charts over the iterations, as SVG: drawn once, then only their cursor moves.
const CLOSE_BITS = 0.1; // the close-up of the entropy reaches this far below even couplings
const NAMED = 0.1; // lines that end below this length are not named
const BOX = { width: 330, height: 196, left: 34, right: 34, top: 12, bottom: 34 };

function svgNode(parent, name, attributes, text) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  if (text !== undefined) node.textContent = text;
  parent.append(node);
  return node;
}

class Chart {
  // `low` to `high` is the vertical range; `ticks` are [value, words].
  constructor(svg, story, { low, high, ticks }) {
    Object.assign(this, { svg, story, low, high });
    svg.replaceChildren();
    svg.setAttribute("viewBox", `0 0 ${BOX.width} ${BOX.height}`);
    const [left, right] = [BOX.left, BOX.width - BOX.right];
    const bottom = BOX.height - BOX.bottom;
    for (const [value, words] of ticks) {
      const y = this.y(value);
      svgNode(svg, "line", { class: "gridline", x1: left, x2: right, y1: y, y2: y });
      svgNode(svg, "text", { class: "tick y", x: left - 6, y: y + 4 }, words);
    }
    const trained = this.x(story.trained);
    svgNode(svg, "line", { class: "trained", x1: trained, x2: trained, y1: BOX.top, y2: bottom });
    for (let t = 1; t <= story.T; t++) {
      const mark = t === story.trained ? " mark" : "";
      svgNode(svg, "text", { class: `tick x${mark}`, x: this.x(t), y: bottom + 15 }, t);
    }
    const middle = (left + right) / 2;
    svgNode(svg, "text", { class: "tick x", x: middle, y: bottom + 29 }, "routing iteration");
    this.plot = svgNode(svg, "g", {});
    this.cursor = svgNode(svg, "line", { class: "cursor", y1: BOX.top, y2: bottom });
    this.dots = svgNode(svg, "g", {});
  }

  x(t) {
    return BOX.left + ((BOX.width - BOX.left - BOX.right) * (t - 1)) / (this.story.T - 1);
  }

  y(value) {
    const part = (Math.min(this.high, Math.max(this.low, value)) - this.low) / (this.high - this.low);
    return BOX.height - BOX.bottom - (BOX.height - BOX.top - BOX.bottom) * part;
  }

  // The points of `value(t)` at every iteration.
  points(value) {
    const ts = Array.from({ length: this.story.T }, (_, t) => t + 1);
    return ts.map((t) => `${this.x(t).toFixed(1)},${this.y(value(t)).toFixed(2)}`);
  }

  line(value, name) {
    svgNode(this.plot, "polyline", { class: `line ${name}`, points: this.points(value).join(" ") });
  }

  dot(value, name, radius) {
    const node = svgNode(this.dots, "circle", { class: `dot ${name}`, r: radius });
    (this.moving ??= []).push([node, value]);
  }

  // Words at the right end of lines, pushed apart where they would touch.
  ends(labels) {
    let last = -Infinity;
    for (const [value, words, name] of labels.sort((a, b) => this.y(a[0]) - this.y(b[0]))) {
      last = Math.max(this.y(value), last + 12);
      const at = { class: `tick end ${name}`, x: BOX.width - BOX.right + 6, y: last + 4 };
      svgNode(this.plot, "text", at, words);
    }
  }

  move(t) {
    for (const name of ["x1", "x2"]) this.cursor.setAttribute(name, this.x(t));
    for (const [node, value] of this.moving) {
      node.setAttribute("cx", this.x(t));
      node.setAttribute("cy", this.y(value(t)));
    }
  }

  // The iteration under a pointer.
  iterationAt(clientX) {
    const box = this.svg.getBoundingClientRect();
    const x = ((clientX - box.left) / box.width) * BOX.width;
    const part = (x - BOX.left) / (BOX.width - BOX.left - BOX.right);
    return Math.round(1 + part * (this.story.T - 1));
  }
}

function lengthsChart(svg, story, digit) {
  const ticks = [[0, "0"], [0.25, ""], [0.5, "0.5"], [0.75, ""], [1, "1"]];
  const chart = new Chart(svg, story, { low: 0, high: 1, ticks });
  const of = (j) => (t) => story.lengthAt(j, t);
  chart.line(() => story.off[digit], "off");
  const front = [story.leaders[story.T - 1], digit]; // drawn last, the chosen one on top
  const order = [...story.names.keys()].filter((j) => !front.includes(j));
  for (const j of new Set([...order, ...front])) {
    const name = j === digit ? "chosen" : j === front[0] ? "leader" : "";
    chart.line(of(j), name);
    chart.dot(of(j), name, j === digit ? 5 : 2.5);
  }
  for (const { t } of story.changes) {
    const [x, y] = [chart.x(t - 0.5), BOX.height - BOX.bottom];
    const at = { class: "change", points: `${x - 5},${y} ${x + 5},${y} ${x},${y - 9}` };
    svgNode(chart.plot, "polygon", at);
  }
  const longest = [...story.names.keys()]
    .filter((j) => story.lengthAt(j, story.T) > NAMED)
    .sort((a, b) => story.lengthAt(b, story.T) - story.lengthAt(a, story.T))
    .slice(0, 4);
  chart.ends(
    [...new Set([...longest, digit])].map((j) => [
      story.lengthAt(j, story.T), story.names[j], j === digit ? "chosen" : "",
    ]),
  );
  svg.setAttribute(
    "aria-label",
    `Lengths of the digit capsules over ${story.T} iterations; ${story.names[digit]} goes from ` +
      `${kit.number(story.lengthAt(digit, 1))} to ${kit.number(story.lengthAt(digit, story.T))}`,
  );
  return chart;
}

function entropyChart(svg, story, close) {
  const most = story.most;
  const low = close ? most - CLOSE_BITS : 0;
  const step = close ? 0.02 : 1;
  const first = Math.ceil(low / step);
  const cuts = Array.from({ length: Math.floor(most / step) - first + 1 }, (_, k) => first + k);
  const ticks = cuts.map((cut) => [cut * step, kit.number(cut * step, close ? 2 : 0)]);
  const chart = new Chart(svg, story, { low, high: most + (close ? 0.004 : 0.15), ticks });
  const of = (values) => (t) => story.at(values, 1, 0, t);
  const band = [
    ...chart.points(of(story.entropy_high)),
    ...chart.points(of(story.entropy_low)).reverse(),
  ];
  svgNode(chart.plot, "polygon", { class: "band", points: band.join(" ") });
  chart.line(() => most, "off");
  chart.line(of(story.entropy), "chosen");
  chart.dot(of(story.entropy), "chosen", 5);
  const [start, last] = [1, story.T].map((t) => kit.number(story.at(story.entropy, 1, 0, t), 3));
  svg.setAttribute(
    "aria-label",
    `Mean entropy of the couplings over ${story.T} iterations, from ${start} to ${last} bits`,
  );
  return chart;
}
