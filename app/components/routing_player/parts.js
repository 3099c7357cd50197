// The parts of the page that are made once for a story: columns, shares, ticks, legend.
function element(parent, tag, name, words) {
  const made = document.createElement(tag);
  if (name) made.className = name;
  if (words !== undefined) made.textContent = words;
  parent.append(made);
  return made;
}

// One column a digit: its map, its length as a bar with the mark of routing switched off.
function buildColumns(parent, story, choose) {
  parent.replaceChildren();
  const half = Math.ceil(story.J / 2);
  parent.style.setProperty("--columns", story.J);
  parent.style.setProperty("--half", half);
  return story.names.map((name, j) => {
    if (j === 0 || j === half) buildAxis(parent, j === 0 ? "axis" : "axis second");
    const button = element(parent, "button", "column");
    button.type = "button";
    button.dataset.testid = `digit-${j}`;
    button.onclick = () => choose(j);
    element(button, "span", "name", name);
    const canvas = element(element(button, "span", "map"), "canvas");
    const track = element(button, "span", "track");
    const fill = element(track, "span", "fill");
    element(track, "span", "off").style.bottom = `${100 * story.off[j]}%`;
    const value = element(button, "span", "value");
    value.dataset.testid = `length-${j}`;
    return { button, canvas, fill, value };
  });
}

function buildAxis(parent, name) {
  const axis = element(parent, "span", name);
  axis.setAttribute("aria-hidden", "true");
  element(axis, "span", "name", " ");
  element(axis, "span", "map", "c");
  const track = element(axis, "span", "track");
  for (const tick of [0, 0.5, 1]) element(track, "span", "", tick).style.bottom = `${100 * tick}%`;
  element(axis, "span", "value", "‖v‖");
}

function markColumn({ button, value }, story, j, t, digit, leader) {
  const length = kit.number(story.lengthAt(j, t));
  const off = kit.number(story.off[j]);
  const leads = j === leader;
  value.textContent = length;
  button.classList.toggle("leads", leads);
  button.setAttribute("aria-pressed", j === digit);
  button.setAttribute(
    "aria-label",
    `Digit ${story.names[j]}: length ${length}${leads ? ", leads" : ""}`,
  );
  button.title =
    `Digit ${story.names[j]} at iteration ${t}: length ${kit.number(story.lengthAt(j, t), 4)}; ` +
    `with routing off ${off}`;
}

// The whole that the capsules of one place share out, a part for each digit.
function buildShares(parent, story) {
  parent.replaceChildren();
  const whole = element(parent, "div", "whole");
  whole.setAttribute("role", "list");
  const parts = story.names.map((name, j) => {
    const part = element(whole, "div", "share");
    part.setAttribute("role", "listitem");
    part.dataset.testid = `share-${j}`;
    element(part, "span", "name", name);
    const block = element(part, "span", "block");
    return { part, block, value: element(part, "span", "value"), name };
  });
  const sum = element(parent, "div", "sum");
  sum.dataset.testid = "place-sum";
  return { parts, sum };
}

function paintShares({ parts, sum }, story, place, t, scale) {
  let total = 0;
  parts.forEach(({ part, block, value, name }, j) => {
    const coupling = story.at(story.plain, story.J * story.P, j * story.P + place, t);
    total += coupling;
    part.style.flexGrow = coupling;
    part.title = `Digit ${name}: ${kit.number(coupling, 4)}`;
    block.style.background = shade(scale, coupling);
    value.textContent = coupling < 0.05 ? "" : kit.number(coupling, 3);
  });
  sum.textContent = `Σ = ${kit.number(total, 3)}`;
}

function buildTicks(parent, story) {
  parent.replaceChildren();
  const at = (t, name, words) =>
    element(parent, "span", name, words).style.setProperty("--part", (t - 1) / (story.T - 1));
  for (let t = 1; t <= story.T; t++) at(t, t === story.trained ? "tick mark" : "tick", t);
  at(story.trained, "trained", `trained with r = ${story.trained}`);
  for (const { t } of story.changes) at(t - 0.5, "change", "▲");
}

function buildLegend(parent, story, scale) {
  parent.replaceChildren();
  const stops = Array.from({ length: 17 }, (_, k) => kit.css("coupling", k / 16));
  element(parent, "span", "kit-note", `coupling c, mean at each place; even: ${evenShare(story)}`);
  const bar = element(parent, "span", "ramp");
  bar.style.background = `linear-gradient(to right, ${stops.join(", ")})`;
  const axis = element(parent, "span", "legend-axis");
  for (const [part, words] of scale.ticks) {
    const tick = element(axis, "span", part === 0 ? "low" : part === 1 ? "high" : "", words);
    tick.style.left = `${100 * part}%`;
  }
}
