// Cuts that teach: [{key, words, text, why}]; `text` is empty where there is nothing to cut.
const FEW = 10;
const MANY = 30;
const INK_LEVEL = 127; // of 255

function cutPresets(story, digit) {
  const name = story.names[digit];
  const t = Math.min(story.trained, story.T);
  const flow = Array.from({ length: story.I }, (_, i) => story.flowAt(i, digit, t));
  const loudest = [...flow.keys()].sort((a, b) => flow[b] - flow[a]);
  const [best] = loudestTypes(story, digit);
  const types = Array.from({ length: story.K }, (_, type) => type);
  const places = Array.from({ length: story.P }, (_, place) => place);
  const inked = places.filter((place) => inkUnder(story, place));
  const tells = `by c‖û‖, coupling times length of the vote, at r = ${story.trained}`;
  return [
    { key: "few", words: `The ${FEW} capsules that tell ${name} most`, why: tells,
      text: CutSet.text({ c: loudest.slice(0, FEW) }) },
    { key: "many", words: `The ${MANY} that tell ${name} most`, why: tells,
      text: CutSet.text({ c: loudest.slice(0, MANY) }) },
    { key: "random", words: `${MANY} at random`, why: "for comparison; others at each click",
      get text() { return CutSet.text({ c: drawLots(story.I, MANY) }); } },
    { key: "type", words: `Type ${best}, the one that tells ${name} most`, why: tells,
      text: CutSet.text({ t: [best] }) },
    { key: "others", words: `All types but ${best}`, why: `only type ${best} is left to vote`,
      text: CutSet.text({ t: types.filter((type) => type !== best) }) },
    { key: "paper", words: "Places without ink", why: "no ink lies where their fields have their centres",
      text: CutSet.text({ p: places.filter((place) => !inked.includes(place)) }) },
    { key: "ink", words: "Places with ink", why: "ink lies where their fields have their centres",
      text: CutSet.text({ p: inked }) },
  ];
}

// The types, the one that sends a digit most first.
function loudestTypes(story, digit) {
  const shares = typeShares(story, digit);
  return [...shares.keys()].sort((a, b) => shares[b] - shares[a]);
}

// The share of each type [K] in all that a digit is sent, Σ c‖û‖, with the trained r.
function typeShares(story, digit) {
  const t = Math.min(story.trained, story.T);
  const size = story.K * story.J;
  const sent = Array.from({ length: story.K }, (_, type) =>
    story.at(story.flow_types, size, type * story.J + digit, t),
  );
  const sum = sent.reduce((a, b) => a + b, 0) || 1;
  return sent.map((value) => value / sum);
}

// Whether there is ink on the pixels that a place's cell covers in the map.
function inkUnder({ image, grid, stride, extent }, place) {
  const side = Math.sqrt(image.length);
  const first = (k) => stride * k + Math.floor((extent - stride) / 2);
  const [top, left] = [first(Math.floor(place / grid)), first(place % grid)];
  for (let row = top; row <= top + stride; row++) {
    for (let column = left; column <= left + stride; column++) {
      if (image[row * side + column] > INK_LEVEL) return true;
    }
  }
  return false;
}

// `count` different numbers below `size`.
function drawLots(size, count) {
  const lots = new Set();
  while (lots.size < Math.min(count, size)) lots.add(Math.floor(Math.random() * size));
  return [...lots];
}
