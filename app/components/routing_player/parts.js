// What the player's panels build from.
function element(parent, tag, name, words) {
  const made = document.createElement(tag);
  if (name) made.className = name;
  if (words !== undefined) made.textContent = words;
  parent.append(made);
  return made;
}

// The numbers under the scrubber, the mark of the trained r, and where the verdict changes.
function buildTicks(parent, story) {
  parent.replaceChildren();
  const at = (t, name, words) =>
    element(parent, "span", name, words).style.setProperty("--part", (t - 1) / (story.T - 1));
  for (let t = 1; t <= story.T; t++) at(t, t === story.trained ? "tick mark" : "tick", t);
  at(story.trained, "trained", `trained with r = ${story.trained}`);
  for (const { t } of story.changes) at(t - 0.5, "change", "▲");
}

// The capsule that a key leads to from another one, or null: the arrows in the map of its type, page
// up and down in the types of its place.
function neighbour(story, capsule, key) {
  const turn = { PageUp: -1, PageDown: 1 }[key];
  if (turn) return (capsule + turn * story.P + story.I) % story.I;
  const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[key];
  if (!step) return null;
  const inside = (k) => Math.min(story.grid - 1, Math.max(0, k));
  const [row, column] = rowAndColumn(story, story.placeOf(capsule));
  const place = inside(row + step[0]) * story.grid + inside(column + step[1]);
  return story.capsuleOf(story.typeOf(capsule), place);
}

// Buttons in rows, one stop of the Tab key: the arrows move the focus.
function walkButtons(parent, columns) {
  const buttons = [...parent.querySelectorAll("button")];
  buttons.forEach((button, k) => (button.tabIndex = k ? -1 : 0));
  parent.onkeydown = (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: columns(), ArrowUp: -columns() }[event.key];
    const next = step && buttons[buttons.indexOf(event.target) + step];
    if (step) event.preventDefault();
    if (!next) return;
    for (const button of buttons) button.tabIndex = button === next ? 0 : -1;
    next.focus();
  };
}

// Make what a row of buttons holds anew, without taking the focus away from the button it is on.
function refill(row, fill) {
  const held = row.getRootNode().activeElement;
  const name = row.contains(held) ? held.dataset.testid : null;
  row.replaceChildren();
  fill(row);
  if (!name) return;
  const next = row.querySelector(`[data-testid="${name}"]`) ?? row.querySelector("button");
  next?.focus({ preventScroll: true });
}
