// The sentences about measured effects, and their numbers to take away.
const effectShare = (share) => `${Math.round(100 * share)} %`;

// Two digits that count, as the words of the effects have them: +2.1, −0.17, +12.
function effectSize(value, sign = true) {
  const size = Math.abs(value);
  const digits = Math.max(0, 1 - Math.floor(Math.log10(size || 1)));
  const text = size.toFixed(Math.min(digits, 3));
  if (!sign || Number(text) === 0) return text;
  return (value > 0 ? "+" : "−") + text;
}

// Properties whose names are but letters, within a sentence.
const PLACES = { x: "place across", y: "place up and down" };

const effectUnit = (number, unit) => number + (unit && unit !== "°" ? ` ${unit}` : unit);

const kindsOfBasis = (basis) => (basis.kind === "axis" ? "axes" : "dimensions");

// The head of the panel: what holds for the digit, and how it compares over all of them.
function effectSummary(measured, name, everywhere) {
  const { all, named, several, changed } = measured.summary;
  const { basis, properties } = measured;
  const kinds = kindsOfBasis(basis);
  const shapes = changed.map((count, p) => (properties[p].name === "ink" ? 0 : count));
  const most = Math.max(...shapes);
  const often = properties.filter((_, p) => shapes[p] === most);
  const those = sentence(joined(often.map((one) => PLACES[one.name] ?? one.name)));
  const [does, change] = [named === 1 ? "does" : "do", several === 1 ? "changes" : "change"];
  const rest = all - named - several;
  const others = rest ? ` (${rest === all ? "none" : `${rest}: neither clearly`})` : "";
  return (
    `Capsule ${name}: ${named} of ${all} ${kinds} ${does} one thing, ${several} ${change} ` +
    `several at once${others}. ${those} ${often.length > 1 ? "are each" : "is"} changed by ` +
    `${most} of them. Over all capsules ${everywhere.named} of ${everywhere.all} ${kinds} do ` +
    "one thing."
  );
}

// When an effect gives its row a name.
function effectRules({ strong, same, ahead, explained }, images) {
  return (
    "An effect gives its row a name if four things hold: the sweep changes the property by at " +
    `least ${kit.number(strong, 1)} of its usual difference; at least ${effectShare(same)} of ` +
    `the ${images} change the same way; it is ${ahead} times as strong as any other; and a pixel ` +
    `changes by no more than ${explained} (root mean square) for each usual difference, two or ` +
    "three times what is common, for beyond that one sees something else than the property."
  );
}

// What counts as a usual difference of each property.
const effectScales = (properties) =>
  properties.map((one) => `${one.name} ${effectUnit(String(one.scale), one.unit)}`).join(", ");

// Over all digits that were measured.
function effectsEverywhere(basis, digits) {
  const known = digits.map((digit) => Measured.of(basis, digit)?.summary).filter(Boolean);
  const total = (name) => known.reduce((sum, one) => sum + one[name], 0);
  return { named: total("named"), all: total("all") };
}

// One cell: the slope, over how many digits, and what the whole sweep comes to.
function effectCell(measured, k, p, name) {
  const { basis, count } = measured;
  const { name: property, unit } = measured.properties[p];
  const { slope, spread, same, strength, agreed } = measured.cell(k, p);
  const head = `${basis.label(k)}, ${property}`;
  if (!Number.isFinite(strength)) return `${head}: nothing to measure, the pictures have no ink.`;
  const way = `change that way (${measured.towards(k, p)})`;
  const alike = slope ? `${effectShare(same)} of them ${way}` : "";
  const [mean, around] = [effectSize(slope), effectSize(spread, false)];
  const size = `${effectUnit(mean, unit)} ± ${effectUnit(around, unit)} per ${basis.per}`;
  const usual = Math.abs(strength) < 1 ? "of a usual difference" : "usual differences";
  return [
    `${head}: ${size} over ${count} test ${name}s`,
    alike && (agreed ? alike : `only ${alike}, too few for a name`),
    `the whole sweep is ${effectSize(strength)} ${usual}.`,
  ].filter(Boolean).join("; ");
}

// One row as a whole.
function effectRow(measured, k) {
  const change = kit.number(measured.change(k), 3);
  return (
    `${measured.basis.label(k)}: ${measured.telling(k)}. A pixel changes by ${change} over the ` +
    "sweep (root mean square)."
  );
}

// What the cell between a row and a column says, for a spreadsheet: all digits.
function effectTable(basis, names) {
  const head = [
    "capsule", basis.kind, "property", "unit", `slope_per_${basis.per}`, "spread", "same",
    "strength", "names_it", "words", "pixel_change_rms", "digits",
  ];
  const rows = names.flatMap((name, digit) => {
    const measured = Measured.of(basis, digit);
    if (!measured) return [];
    const every = Array.from({ length: basis.count }, (_, k) => k);
    return every.flatMap((k) =>
      measured.properties.map((one, p) => {
        const { slope, spread, same, strength } = measured.cell(k, p);
        const numbers = [slope, spread, same, strength].map((x) => x.toPrecision(6));
        const words = measured.words(k) || NO_NAME;
        const names_it = measured.named(k) === p ? 1 : 0;
        const change = measured.change(k).toPrecision(6);
        return [
          name, k + 1, one.name, one.unit, ...numbers, names_it, words, change, measured.count,
        ];
      }),
    );
  });
  return [head, ...rows];
}
