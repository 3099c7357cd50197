// What a cut does, in words. `after` is what the server answered (state_cut.answer).

function cutWords(story, cut, after, waiting) {
  const count = cut.count(story);
  const capsules = `${count} of ${story.I} capsules`;
  if (!count) {
    return (
      `Silence primary capsules and see what the verdict rests on: their votes are set to 0 and the ` +
      `rest is routed again, from logits of 0. Click places or types, or take one of these.`
    );
  }
  if (waiting) return `Routing again without ${capsules} …`;
  const blank = story.blank ? "Nothing is drawn. " : "";
  if (count === story.I) {
    return `${blank}Without all ${story.I} capsules nothing is left to route: every length is 0.`;
  }
  const r = Math.min(story.trained, story.T);
  const [was, is] = [story.lengthAt(story.answer, r), after.lengthAt(story.answer, r)];
  return (
    `${blank}Without ${capsules}, ${story.names[story.answer]} is ${kit.number(is)} long instead of ` +
    `${kit.number(was)} (r = ${story.trained}). With all of them the network ` +
    `${verdictSaid(after.before.words)}; now it ${verdictSaid(after.after.words)}.`
  );
}

const cutMapWords = (story, cut) =>
  cut.text
    ? `Crossed out: all ${story.K} capsules of the place are cut; covered from below: so many of them. ` +
      `The rest shows the couplings as they are without them.`
    : `Each square stands where its receptive field of ${story.extent} × ${story.extent} pixels has ` +
      `its centre. Click one to cut its ${story.K} capsules, click again to take it back.`;

function typeOutTitle(story, type, share, digit) {
  const percent = kit.number(100 * share, 1);
  return (
    `Type ${type}: ${story.P} capsules, ${percent} % of all that ${story.digit(digit)} is ` +
    `sent (Σ c‖û‖ at r = ${story.trained})`
  );
}

// Both routings at an iteration.
const cutLeads = (story, after, t) => {
  const before = `At iteration ${t}, with all capsules ${leadWords(story, (j) => story.lengthAt(j, t))}`;
  return after ? `${before}; without them ${leadWords(story, (j) => after.lengthAt(j, t))}.` : `${before}.`;
};

const redrawnCaptions = (story, { count, before, after }) => [
  `Before: rebuilt from ${story.names[before.digit]}`,
  count < story.I ? `After: rebuilt from ${story.names[after.digit]}` : "After: from an empty pose",
  "After less before",
];
