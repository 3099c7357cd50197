// Where the flow's nodes and ribbons lie. Nodes stay where they are while the iterations pass: each
// has the room that it needs in the iteration where it is thickest; ribbons grow within it.
const FLOW = {
  unit: 3, // pixels of a ribbon's width for a flow of 1, for every input and iteration
  changeUnit: 15, // the same for a change, which is small
  body: 620, // pixels for the nodes of one side
  head: 34, // above them: the names of the columns
  foot: 46, // below them: the legend
  node: 8, // width of a node
  least: { source: 11, digit: 26 }, // room for a node's words
  name: 14, // their size
  wide: 560, // from this width on there is room for more numbers
};

class FlowLayout {
  constructor(story, sources, change, width) {
    Object.assign(this, { story, sources, change, width, wide: width >= FLOW.wide });
    this.unit = change ? FLOW.changeUnit : FLOW.unit;
    this.left = this.wide ? 92 : 36;
    this.room = roomFor(story.names, FLOW.name, this.wide ? 120 : 52); // of the names
    this.right = width - (this.wide ? 260 : 130) - this.room;
    this.sums = flowTotals(story);
    const { count } = sources;
    const most = { source: new Float32Array(count), digit: new Float32Array(story.J) };
    for (let t = 1; t <= story.T; t++) {
      const { bySource, byDigit } = this.totals(flowsAt(story, sources, t, change));
      bySource.forEach((sum, s) => (most.source[s] = Math.max(most.source[s], sum)));
      byDigit.forEach((sum, j) => (most.digit[j] = Math.max(most.digit[j], sum)));
    }
    const need = (side, sum) => Math.max(FLOW.least[side], sum * this.unit);
    const needs = (side) => [...most[side]].map((sum) => need(side, sum));
    const [from, to] = [needs("source"), needs("digit")];
    const rooms = [from.map((_, s) => sources.room(s)), to.map(() => 1)];
    const add = (values) => values.reduce((a, b) => a + b, 0);
    this.body = Math.max(FLOW.body, ...[from, to].map((sizes, k) => add(sizes) + add(rooms[k])));
    this.height = FLOW.head + this.body + FLOW.foot;
    this.froms = spreadNodes(from, rooms[0], this.body);
    this.tos = spreadNodes(to, rooms[1], this.body);
  }

  // What is `sent` to a digit, or what has `arrived`, at an iteration or between two.
  sum(name, digit, t) {
    return this.story.at(this.sums[name], this.story.J, digit, t);
  }

  // What all digits are sent together.
  all(t) {
    return this.story.names.reduce((total, _, j) => total + this.sum("sent", j, t), 0);
  }

  // The sizes of all nodes, gains and losses counting alike.
  totals(flows) {
    const { J } = this.story;
    const bySource = new Float32Array(this.sources.count);
    const byDigit = new Float32Array(J);
    flows.forEach((flow, k) => {
      bySource[Math.floor(k / J)] += Math.abs(flow);
      byDigit[k % J] += Math.abs(flow);
    });
    return { bySource, byDigit };
  }

  // At an iteration: the upper edge of every ribbon [source · J + digit] at both its ends and its
  // width; from `leave` to `filled` and from `arrive` to `reached` lie the nodes. What is sent
  // grows downwards from a fixed edge; a change grows from the middle of its room.
  at(t) {
    const { story, sources, unit, froms, tos, change } = this;
    const flows = flowsAt(story, sources, t, change);
    const { bySource, byDigit } = this.totals(flows);
    const starts = new Float32Array(flows.length);
    const ends = new Float32Array(flows.length);
    const thick = flows.map((flow) => Math.abs(flow) * unit);
    const begin = ({ top, size }, sum) => (change ? top + (size - sum * unit) / 2 : top);
    const leave = froms.map((node, s) => begin(node, bySource[s]));
    const arrive = tos.map((node, j) => begin(node, byDigit[j]));
    const [filled, reached] = [[...leave], [...arrive]];
    flows.forEach((_, k) => {
      const [s, j] = [Math.floor(k / story.J), k % story.J];
      [starts[k], ends[k]] = [filled[s], reached[j]];
      filled[s] += thick[k];
      reached[j] += thick[k];
    });
    return { flows, starts, ends, thick, leave, filled, arrive, reached };
  }

  // What lies under a point: {source}, {digit}, or {source, digit} on one of the ribbons of the
  // digit that stands out; null elsewhere.
  under(x, y, t, digit) {
    const near = (nodes) => {
      const off = nodes.map(({ top, size }) => Math.max(top - y, y - top - size, 0));
      return off.indexOf(Math.min(...off));
    };
    if (y < FLOW.head - 8 || y > FLOW.head + this.body + 8) return null;
    if (x <= this.left + 2 * FLOW.node) return { source: near(this.froms) };
    if (x >= this.right - 2 * FLOW.node) return { digit: near(this.tos) };
    const { starts, ends, thick } = this.at(t);
    const part = ribbonRise((x - this.left - FLOW.node) / (this.right - this.left - FLOW.node));
    for (let source = this.sources.count - 1; source >= 0; source--) {
      const k = source * this.story.J + digit;
      const top = starts[k] + (ends[k] - starts[k]) * part;
      if (y >= top - 1 && y <= top + thick[k] + 1) return { source, digit };
    }
    return null;
  }
}

// Nodes of these sizes one below the other; what is left of the body goes between them.
function spreadNodes(sizes, rooms, body) {
  const taken = sizes.reduce((a, b) => a + b, 0);
  const gaps = rooms.slice(1).reduce((a, b) => a + b, 0);
  const gap = gaps ? (body - taken) / gaps : 0;
  let top = FLOW.head;
  return sizes.map((size, k) => {
    if (k) top += gap * rooms[k];
    const node = { top, size };
    top += size;
    return node;
  });
}

// How far down a ribbon has come, 0…1, at a part 0…1 of its way across: the curve that
// `addCurve` draws, x = 1.5 s − 1.5 s² + s³, y = 3 s² − 2 s³.
function ribbonRise(part) {
  let [low, high] = [0, 1];
  for (let k = 0; k < 20; k++) {
    const s = (low + high) / 2;
    if (1.5 * s - 1.5 * s ** 2 + s ** 3 < part) low = s;
    else high = s;
  }
  return 3 * low ** 2 - 2 * low ** 3;
}
