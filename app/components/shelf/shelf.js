// Thumbnails of the samples; arrow keys move within a group, Enter or Space chooses.
const PIXELS = 784;
const FIT = 56;
const EXAMPLE = 7; // of the classes, in the legend
const COLUMNS = { typical: 10, hard: 6 }; // at most; on a phone they scroll

function build(root, data) {
  const images = kit.bytes(data.images);
  for (const row of root.querySelectorAll(".row")) row.replaceChildren();
  return data.indices.map((index, k) => {
    const button = document.createElement("button");
    button.type = "button";
    button.dataset.testid = `sample-${index}`;
    button.append(document.createElement("canvas"), document.createElement("span"));
    button.lastChild.className = "chip";
    const group = data.hard[k] ? "hard" : "typical";
    root.querySelector(`[data-group="${group}"] .row`).append(button);
    return { button, index, values: images.subarray(PIXELS * k, PIXELS * (k + 1)) };
  });
}

// Arrows move the focus within the group, which is one stop of the Tab key. The typical samples are
// one of each class and again, so that a class has a column where there are few.
function walk(row, classes) {
  const { group } = row.parentElement.dataset;
  const columns = group === "typical" ? Math.min(COLUMNS.typical, classes) : COLUMNS.hard;
  const steps = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: columns, ArrowUp: -columns };
  row.style.setProperty("--columns", columns);
  row.onkeydown = (event) => {
    const step = steps[event.key];
    const buttons = [...row.children];
    const at = buttons.indexOf(row.getRootNode().activeElement);
    const next = step && buttons[(at + step + buttons.length) % buttons.length];
    if (!next || at < 0) return;
    event.preventDefault();
    for (const button of buttons) button.tabIndex = button === next ? 0 : -1;
    next.focus();
  };
}

export default function ({ data, parentElement: root, setStateValue }) {
  kit.applyTheme(root);
  const shelf = kit.once(root, () => ({ holds: "", items: [], clicks: Date.now() }));
  const holds = `${data.set} ${data.indices.join()}`;
  if (shelf.holds !== holds) {
    shelf.items = build(root, data);
    shelf.holds = holds;
    for (const row of root.querySelectorAll(".row")) walk(row, data.names.length);
  }
  kit.fill(root.querySelector(".shelf"), { set: data.set, name: data.names[EXAMPLE] ?? data.names[0] });
  for (const group of root.querySelectorAll("section")) {
    group.hidden = !group.querySelector("button");
  }
  root.querySelector(".shelf").classList.toggle("long", data.names.some((name) => name.length > 1));
  shelf.items.forEach(({ button, index, values }, k) => {
    const misread = data.verdicts[k] !== data.labels[k];
    const name = data.names[data.verdicts[k]];
    const read = misread ? `, read as ${name}` : "";
    const is = data.called[data.labels[k]];
    kit.drawGrid(button.firstChild, values, { high: 255, fit: FIT });
    button.lastChild.textContent = name;
    button.lastChild.hidden = !misread;
    button.setAttribute("aria-label", `Sample ${index}: ${is}${read}`);
    button.title = `${is[0].toUpperCase()}${is.slice(1)}${read} (test image ${index})`;
    button.setAttribute("aria-pressed", index === data.chosen);
    button.onclick = () => setStateValue("chosen", { index, click: (shelf.clicks += 1) });
  });
  for (const row of root.querySelectorAll(".row")) {
    const stop = row.querySelector('[aria-pressed="true"]') ?? row.firstChild;
    for (const button of row.children) button.tabIndex = button === stop ? 0 : -1;
  }
}
