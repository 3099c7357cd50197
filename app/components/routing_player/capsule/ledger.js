// One number of a capsule in all iterations, for all digits, as a table: a row an iteration. `note`
// says what it is in a network's `terms`.
const LEDGERS = {
  agreements: {
    note: ({ digit }) =>
      `The agreement û·v of each vote with the ${digit}'s pose, iteration by iteration.`,
    write: (value) => writtenOut(value),
  },
  logits: {
    note: () => "The logit b: in each column the sum of the agreements of the iterations above.",
    write: (value) => writtenOut(value),
  },
  couplings: {
    note: ({ digits }) =>
      `The coupling c: each row is shared out among the ${digits}, so that it adds up to 1.`,
    write: (value) => writtenOut(value),
    summed: true,
  },
  shares: {
    note: ({ digit }) =>
      `What it adds to s along the ${digit}'s pose, in percent of ‖s‖: over all capsules that makes ` +
      `100; below zero it pulls against the pose.`,
    write: (value) => writtenOut(100 * value, 2),
  },
};

function fillLedger(table, { names, rows, write, summed }) {
  table.replaceChildren();
  const header = element(element(table, "thead"), "tr");
  for (const word of ["Iteration", ...names]) element(header, "th", "", word).scope = "col";
  if (summed) element(header, "th", "", "Σ").scope = "col";
  const body = element(table, "tbody");
  rows.forEach((values, k) => {
    const row = element(body, "tr");
    element(row, "th", "", k + 1).scope = "row";
    for (const value of values) element(row, "td", "", write(value));
    if (summed) element(row, "td", "sum", kit.number(values.reduce((a, b) => a + b), 3));
  });
}

// Mark the row of iteration t and the column of a digit.
function markLedger(table, t, digit) {
  [...table.rows].forEach((row, k) => {
    row.classList.toggle("now", k === t);
    [...row.cells].forEach((cell, column) => cell.classList.toggle("chosen", column === digit + 1));
  });
}
