// What is said about an iteration.

// "1/10" for ten classes.
const evenShare = (story) => `1/${story.J}`;

// What happens in an iteration: [what one sees, why].
function iterationWords(story, t) {
  const { names, trained } = story;
  const leader = story.leaders[t - 1];
  const length = kit.number(story.lengthAt(leader, t));
  const seen = `Iteration ${t}: ${names[leader]} leads with ${length}`;
  const off = leader === story.answer ? "" : `; at r = ${trained} it was ${names[story.answer]}`;
  const blank = story.blank ? "Nothing is drawn: this is how an empty picture is routed. " : "";
  return [`${seen}${off}.`, blank + reason(story, t)];
}

function reason(story, t) {
  const { trained, terms: { digit } } = story;
  if (t === 1) {
    return (
      `All logits b are 0, so the softmax gives every coupling the same ${evenShare(story)}: each ` +
      `primary capsule shares its output out evenly, as with routing switched off.`
    );
  }
  const times = ["once", "twice"][t - 2] ?? `${t - 1} times`;
  const grown =
    `Each logit has grown ${times} by the agreement û·v of its vote with the ${digit}'s pose, so a ` +
    `capsule sends more to a ${digit} that it agrees with.`;
  if (t < trained) return grown;
  if (t === trained) return `${grown} ${answerWords(story)}`;
  const [was, is] = [trained, t].map((when) => kit.number(story.lengthAt(story.answer, when)));
  return (
    `Past r = ${trained} the network was never trained; agreement goes on feeding itself. ` +
    `Length of ${story.names[story.answer]}: ${was} at r = ${trained}, now ${is}.`
  );
}

// The network's verdict is the one at the r that it was trained with.
function answerWords({ trained, blank, verdict }) {
  const answer = blank ? "of an empty picture it says nothing" : `the network ${verdictSaid(verdict)}`;
  return `With r = ${trained}, as in training, ${answer}.`;
}

// A verdict as the predicate of a sentence: "reads 5, length 0.95", "is not sure: 3 or 5".
const verdictSaid = (words) => (words.startsWith("not sure") ? `is ${words}` : words);

function changesWords({ changes, names, leaders }) {
  if (!changes.length) return `The longest is ${names[leaders[0]]} in every iteration.`;
  const told = changes.map((c) => `at iteration ${c.t} from ${names[c.from]} to ${names[c.leader]}`);
  return `The longest changes ${told.join(", ")}.`;
}

// "type 7 at place 2, 3"
function capsuleName(story, capsule) {
  const [row, column] = rowAndColumn(story, story.placeOf(capsule));
  return `type ${story.typeOf(capsule)} at place ${row}, ${column}`;
}

const rowAndColumn = (story, place) => [Math.floor(place / story.grid), place % story.grid];

// The pixels that a place sees: "rows 4–20, columns 6–22".
function fieldWords(story, place) {
  const span = (k) => `${story.stride * k}–${story.stride * k + story.extent - 1}`;
  const [row, column] = rowAndColumn(story, place);
  return `rows ${span(row)}, columns ${span(column)}`;
}
