// One column a digit: its map, its length as a bar with the mark of routing switched off. They stand
// in rows of at most MOST_COLUMNS, in a narrow page of half as many, each with an axis.
const MOST_COLUMNS = 10;

function buildColumns(parent, story, choose) {
  parent.replaceChildren();
  const rows = Math.ceil(story.J / MOST_COLUMNS);
  const columns = Math.ceil(story.J / rows);
  const half = columns > MOST_COLUMNS / 2 ? Math.ceil(columns / 2) : columns;
  parent.style.setProperty("--columns", columns);
  parent.style.setProperty("--half", half);
  parent.classList.toggle("long", story.names.some((name) => name.length > 2));
  return story.names.map((name, j) => {
    const begins = [j % columns ? "" : " wide", j % half ? "" : " narrow"].join("");
    if (begins) buildAxis(parent, `axis${begins}`);
    const button = element(parent, "button", "column");
    button.type = "button";
    button.dataset.testid = `digit-${j}`;
    button.onclick = () => choose(j);
    element(button, "span", "name", name);
    const stage = new Stage(element(element(button, "span", "map"), "canvas"));
    const track = element(button, "span", "track");
    const fill = element(track, "span", "fill");
    element(track, "span", "off").style.bottom = `${100 * story.off[j]}%`;
    const value = element(button, "span", "value");
    value.dataset.testid = `length-${j}`;
    return { button, stage, fill, value };
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

function markColumn({ button, value }, story, j, t, digit) {
  const length = kit.number(story.lengthAt(j, t));
  const off = kit.number(story.off[j]);
  const leads = j === story.leaders[t - 1];
  value.textContent = length;
  button.classList.toggle("leads", leads);
  button.setAttribute("aria-pressed", j === digit);
  button.setAttribute(
    "aria-label",
    `${story.Digit(j)}: length ${length}${leads ? ", leads" : ""}`,
  );
  button.title =
    `${story.Digit(j)} at iteration ${t}: length ${kit.number(story.lengthAt(j, t), 4)}; ` +
    `with routing off ${off}`;
}

// The whole that a capsule, or the capsules of one place, share out, a part for each digit.
function buildShares(parent, story) {
  parent.replaceChildren();
  const whole = element(parent, "div", "whole");
  whole.setAttribute("role", "list");
  const parts = story.names.map((name, j) => {
    const part = element(whole, "div", "share");
    part.setAttribute("role", "listitem");
    part.dataset.testid = `share-${j}`;
    const label = element(part, "span", "name", name);
    const block = element(part, "span", "block");
    return { part, label, block, value: element(part, "span", "value"), name, of: story.Digit(j) };
  });
  const sum = element(parent, "div", "sum");
  sum.dataset.testid = "place-sum";
  return { parts, sum };
}

// `room` is the width of the whole in CSS pixels. Numbers that do not fit their part are left out, and
// names of which not even a few letters do.
const FEWEST_LETTERS = 4;

function paintShares({ parts, sum, room }, couplings, scale) {
  const fits = (words, coupling) => coupling * room > 8 * words.length;
  const fitting = (words, coupling) => (fits(words, coupling) ? words : "\u00a0");
  let total = 0;
  parts.forEach(({ part, label, block, value, name, of }, j) => {
    const coupling = couplings[j];
    total += coupling;
    part.style.flexGrow = coupling;
    part.title = `${of}: ${kit.number(coupling, 4)}`;
    block.style.background = shade(scale, coupling);
    label.textContent = fits(name.slice(0, FEWEST_LETTERS), coupling) ? name : "\u00a0";
    value.textContent = fitting(kit.number(coupling, room < 500 ? 2 : 3), coupling);
  });
  sum.textContent = `Σ = ${kit.number(total, 3)}`;
}
