// What is said about the flow.
const flowTitle = ({ terms: { digits } }, kind, change) =>
  change
    ? `How the flow from ${kind} to ${digits} differs from even coupling`
    : `Flow from ${kind} to ${digits}, Σ c ‖û‖`;

const originNote = (change) =>
  change
    ? `A square's area is the change: orange more, blue less than with even coupling; full at ` +
      `${kit.number(ORIGIN_CHANGE_FULL)}.`
    : `A square's area is what is sent, full at ${kit.number(ORIGIN_FULL, 1)}; it stands where ` +
      `the place's receptive field has its centre.`;

// The lesson of the picture, in the numbers of one digit.
function flowTold(story, layout, digit, t) {
  const part = (when) =>
    `${kit.number((100 * layout.sum("sent", digit, when)) / layout.all(when) || 0, 1)}\u00a0%`;
  const share = `${part(t)} of all${t === 1 ? "" : ` (${part(1)} with even coupling)`}`;
  const [sent, arrived] = ["sent", "arrived"].map((name) => layout.sum(name, digit, t));
  return (
    `Iteration ${t}: ${story.digit(digit)} is sent ${kit.number(sent, 1)}, ${share}. Votes ` +
    `that point different ways cancel out: ${kit.number(arrived)} arrives as ‖s‖, and the squash ` +
    `makes it the length ‖v‖ = ${kit.number(story.lengthAt(digit, t))}.`
  );
}

function flowNote(story, { kind, many }, change) {
  const one = kind === "types" ? "type" : "place";
  const what =
    `Each ribbon adds up c ‖û‖ over the ${many} of its ${one}: the lengths of their votes for a ` +
    `${story.terms.digit}, each times its coupling. It is what would arrive if all these votes ` +
    `pointed one way.`;
  const scale = change
    ? `Drawn is the difference from iteration 1, where every coupling is ${evenShare(story)}, ` +
      `${FLOW.changeUnit / FLOW.unit} times as wide as the flow itself`
    : `Each capsule's couplings add up to 1, but its votes differ in length, so what all ` +
      `${story.terms.digits} are sent together need not stay the same. The scale is fixed`;
  return `${what} ${scale}; the same in every iteration and for every input.`;
}

// About a digit: how much has moved to it, and from where most comes.
function digitFlowWords({ story, sources, layout }, digit, t) {
  const name = story.names[digit];
  const flows = flowsAt(story, sources, t);
  const [to, ...next] = sourcesRanked(story, sources, flows, digit);
  const part = kit.number((100 * flows[to * story.J + digit]) / layout.sum("sent", digit, t) || 0, 1);
  const most =
    `Most for ${name} comes from ${sources.name(to)}, ${part}\u00a0%; then from ` +
    `${next.slice(0, 2).map(sources.name).join(" and ")}.`;
  if (t === 1) {
    const even = `All couplings are ${evenShare(story)}: ribbons differ by the votes' lengths alone.`;
    return `${even} ${most}`;
  }
  const sums = { more: 0, less: 0 };
  for (const change of flowsAt(story, sources, t, true)) {
    sums[change > 0 ? "more" : "less"] += change;
  }
  const own = layout.sum("sent", digit, t) - layout.sum("sent", digit, 1);
  return (
    `${most} ${story.Digit(digit)} is sent ${kit.number(Math.abs(own))} ` +
    `${own < 0 ? "less" : "more"} than with even coupling. Over all ribbons gains add up to ${signedNumber(sums.more)}, losses to ` +
    `${signedNumber(sums.less)}; all ${story.terms.digits} are sent ${kit.number(layout.all(t), 1)}.`
  );
}

// About one source: what it sends where.
function sourceFlowWords({ story, sources }, source, digit, t) {
  const from = source * story.J;
  const at = (when) => flowsAt(story, sources, when).subarray(from, from + story.J);
  const [now, even] = [at(t), at(1)];
  const name = story.names[digit];
  const top = now.indexOf(Math.max(...now));
  const all = now.reduce((a, b) => a + b, 0);
  const before = t === 1 ? "" : ` (${kit.number(even[digit])} with even coupling)`;
  const most =
    top === digit
      ? `That is its most`
      : `It sends most to ${story.names[top]}, ${kit.number(now[top])}`;
  const title = sources.name(source);
  return (
    `${title[0].toUpperCase()}${title.slice(1)} sends ${kit.number(now[digit])} to ${name}` +
    `${before}. ${most}; to all ${story.terms.digits} together it sends ${kit.number(all)}.`
  );
}

// The sources of a digit, the one that sends it most first.
function sourcesRanked({ J }, { count }, flows, digit) {
  const order = Array.from({ length: count }, (_, s) => s);
  return order.sort((a, b) => flows[b * J + digit] - flows[a * J + digit]);
}
