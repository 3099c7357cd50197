// What is said of two inputs.

function pairWords(story, pinned) {
  if (!pinned) {
    return (
      `Is routing the same for every input? Pin this one, then take or draw another: both are ` +
      `routed under the same clock.`
    );
  }
  if (pinned.same) {
    return `Pinned: ${pinned.title}. Now choose another input, one of these or on the page Draw.`;
  }
  return `Pinned (orange): ${pinned.title}. This input (blue): ${story.title}.`;
}

// How alike both are coupled to a digit.
function alikeWords(story, pinned, digit, t) {
  const name = story.names[digit];
  const alike = pinned.alikeAt(digit, t);
  if (Number.isNaN(alike)) {
    return `At iteration ${t} every coupling is ${evenShare(story)} for both: nothing tells them apart yet.`;
  }
  return (
    `At iteration ${t} the couplings to ${name} of the ${story.I} capsules correlate to ` +
    `${kit.number(alike)} between both inputs (1: the same capsules send it more than others; 0: no ` +
    `relation); they differ by ${kit.number(pinned.apartAt(digit, t), 4)} on average.`
  );
}

// How alike inputs are otherwise.
function usualWords(story, { same, other, count }) {
  if (!same || !other) return "";
  const range = ([low, middle, high]) =>
    `${kit.number(middle)} (80 % between ${kit.number(low)} and ${kit.number(high)})`;
  return (
    `Among the ${count} samples of this app, at r = ${story.trained}, two that are read as the same ` +
    `${story.terms.digit} come to ${range(same)}, two that are not to ${range(other)}. Were routing ` +
    `the same for every input, all would be 1.`
  );
}
