// What the grid says: heads, names, what one picture is, and what the network reads in all.

// What stands over the columns: {title, heads}; no heads where every row has its own stops.
function gridColumns({ basis, data }) {
  const unit = basis.unit && ` (${basis.unit})`;
  if (basis.reach === "population") {
    return { title: `as far as real ${data.terms.images} go`, heads: [] };
  }
  const own = basis.reach === "paper";
  const [low, high] = own ? [-basis.near, basis.near] : [-basis.far, basis.far];
  const step = (high - low) / (SWEEP - 1);
  const whole = (x) => Math.abs(x - Math.round(x)) < 1e-9;
  const digits = [0, 1, 2].find((n) => whole(step * 10 ** n));
  const heads = Array.from({ length: SWEEP }, (_, s) =>
    (own ? signed : kit.number)(step * (s - (SWEEP - 1) / 2), digits),
  );
  return { title: (own ? "from the network’s value" : "value") + unit, heads };
}

// The measured effect of number k; "" where nothing was measured.
function gridEffect(basis, k) {
  const effect = basis.effect(k);
  return effect === "" ? "no single property" : (effect ?? "");
}

// Of what the words beside the rows hold.
function gridMeasured({ basis, data, held }) {
  if (basis.effect(0) === null) return "";
  const reach = basis.labels.paper;
  return (
    `The words beside a row were measured on many real ${data.terms.each[held.digit]}s, each moved by ` +
    `${reach}; from this pose, or farther out, the pictures may show something else.`
  );
}

const gridKind = ({ kind }) => (kind === "axis" ? "principal axis" : kind);

const gridEnds = (basis, k) => basis.limits(k).map((end) => gridNumber(basis, end)).join(" … ");

const gridNumber = (basis, value, write = kit.number) =>
  `${write(Math.abs(value) < 5e-4 ? 0 : value, basis.digits)}${basis.unit && ` ${basis.unit}`}`;

// One picture, line by line: which number where, how far that is, how usual, how much it changes.
function gridPlace({ basis, data, held, pixels }, frames, { k, s }) {
  const value = basis.value(k, frames.pose(k, s));
  const apart = value - basis.home(k);
  const name = data.terms.each[held.digit];
  const from = Math.abs(apart) < 5e-5 ? "the network’s own value"
    : `${gridNumber(basis, apart, signed)} from the network’s value`;
  const lines = [
    `${basis.label(k)} at ${gridNumber(basis, value)}`, from,
    standingWords(basis, k, value, name).words,
  ];
  if (Math.abs(value - basis.stops(k)[s]) > 1e-4) lines.push("as far as a pose can go this way");
  if (frames.fresh(k)) {
    const change = squaredError(frames.pixels(k, s), pixels);
    lines.push(`squared difference from the held picture ${kit.number(change, 1)}`);
  }
  return lines.filter(Boolean);
}

// What the rows show, and which of them changes the picture most from its first to its last.
function gridNote({ basis, data, held }, frames) {
  const name = data.names[held.digit];
  const all =
    `Each row moves one number of capsule ${name}’s pose from end to end and leaves the others as ` +
    `you hold them; the decoder draws what comes of it, as in the paper’s figure 4.`;
  if (!frames.whole) return all;
  const changes = frames.rows.slice(0, basis.count).map((_, k) =>
    squaredError(frames.pixels(k, 0), frames.pixels(k, SWEEP - 1)),
  );
  const [most, least] = [Math.max, Math.min].map((pick) => changes.indexOf(pick(...changes)));
  const told = (k) => `${basis.kind} ${k + 1}`;
  const size = (k) => kit.number(changes[k], 1);
  return (
    `${all} For this pose the two ends of ${told(most)} differ most (a squared difference of ` +
    `${size(most)} over all pixels), those of ${told(least)} least (${size(least)}).`
  );
}

// --- what the network reads ----------------------------------------------------------------------

// A reading of one picture in words.
function gridReading({ digit, sure, length }, names) {
  const told = `length ${kit.number(length)}`;
  return sure ? `the network reads ${names[digit]}, ${told}`
    : `the network is not sure, ${names[digit]} is the longest, ${told}`;
}

// How it is marked: {words, kind}; null where it is what was held, and surely.
function gridMark({ digit, sure }, held, names) {
  if (sure) return digit === held ? null : { words: names[digit], kind: "other" };
  return { words: `${names[digit]}?`, kind: "doubted" };
}

// What it reads in all of them. `readings[k][s]` are {digit, sure, length}; `nearest` is the
// smallest of the moves that change what it reads, {k, s, by}, or null.
function gridVerdicts({ basis, data, held }, readings, nearest) {
  const { names } = data;
  const all = readings.flat();
  const name = names[held.digit];
  const counts = names.map((_, j) => all.filter((one) => one.sure && one.digit === j).length);
  const kept = counts[held.digit];
  const others = counts
    .map((count, j) => [names[j], j === held.digit ? 0 : count])
    .filter(([, count]) => count)
    .sort((a, b) => b[1] - a[1]);
  const unsure = all.filter((one) => !one.sure).length;
  const share = kept === all.length ? `all ${kept}` : `${kept || "none"} of the ${all.length}`;
  const parts = [`The network reads ${name} in ${share} pictures`];
  for (const [other, count] of others) parts.push(`${other} in ${count}`);
  if (unsure) parts.push(`and is not sure of ${unsure}`);
  const sentences = [`${parts.join(", ")}.`];
  if (nearest) {
    const { k, s, by } = nearest;
    const { digit, sure } = readings[k][s];
    const then = sure ? `it reads ${names[digit]}` : "it is not sure";
    sentences.push(
      `The smallest of these moves that changes what it reads: ${basis.kind} ${k + 1} by ` +
        `${gridNumber(basis, by, signed)}, then ${then}.`,
    );
  }
  return sentences.join(" ");
}
