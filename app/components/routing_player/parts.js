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

// The capsule that arrow keys lead to from another one in the map of its type, or null.
function neighbour(story, capsule, key) {
  const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[key];
  if (!step) return null;
  const inside = (k) => Math.min(story.grid - 1, Math.max(0, k));
  const [row, column] = rowAndColumn(story, story.placeOf(capsule));
  const place = inside(row + step[0]) * story.grid + inside(column + step[1]);
  return story.capsuleOf(story.typeOf(capsule), place);
}
