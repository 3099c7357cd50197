// Both inputs over the iterations: the chosen digit's length, the entropy, how alike they are.
function pairCharts(story, pinned, digit) {
  const name = story.names[digit];
  const close = closeBits(story, [...story.entropy, ...pinned.entropy]);
  const two = (here, there) => [
    { value: there, kind: "pinned", name: "" }, { value: here, kind: "chosen", name: "" },
  ];
  return [
    {
      key: "length", title: `Length ‖v‖ of ${name}`, digits: 2, unit: "",
      low: 0, high: 1, ticks: steps(4, 0.25, 2),
      lines: two((t) => story.lengthAt(digit, t), (t) => pinned.lengthAt(digit, t)),
      note: "Blue: this input; orange: the pinned one.",
    },
    {
      key: "entropy", title: "Entropy of a capsule's couplings, mean", digits: 3, unit: " bits",
      ...bitsAxis(story, close),
      lines: two((t) => story.at(story.entropy, 1, 0, t), (t) => pinned.entropyAt(t)),
      note: `Dashed: even couplings. The axis shows the top ${kit.number(close, 1)} bits only.`,
    },
    {
      key: "alike", title: `Correlation of the couplings to ${name}`, digits: 2, unit: "",
      low: -1, high: 1, ticks: [-1, -0.5, 0, 0.5, 1].map((value) => [value, kit.number(value, 1)]),
      even: 0,
      lines: [{ value: (t) => pinned.alikeAt(digit, t), kind: "chosen", name: "" }],
      note: `Over the ${story.I} capsules; from iteration 2 on, as all are even before.`,
    },
  ];
}
