// What one can take away of a panel: its figure at the clock's iteration, its numbers.
const fileName = (story, rest) => `capsnet-routing-${kit.fileName(story.title)}-${rest}`;

// A figure under its head, as it is at t.
function posterOf({ story }, figure, t) {
  const when = Number.isInteger(t) ? t : `${Math.floor(t)} → ${Math.ceil(t)}`;
  const [leader] = story.ranked(t);
  const length = kit.number(story.lengthAt(leader, t));
  return {
    ...figure,
    title: `${figure.title}, routing iteration ${when}`,
    lines: [`${story.title}: ${story.names[leader]} leads with ${length}`, figure.note],
    draw: (sheet) => figure.draw(sheet, t),
  };
}

async function saveAs(kind, panel) {
  const { story, player } = panel;
  const t = player.clock.iteration;
  const digit = kit.fileName(story.names[player.digit]);
  const name = (ending) => fileName(story, `${panel.name}-${digit}-${ending}`);
  if (kind === "csv") return kit.saveCsv(panel.table(), name("numbers.csv"));
  const poster = posterOf(panel, panel.figure(), t);
  kit.saveBlob(await POSTERS[kind](player.root, poster), name(`iteration-${t}.${kind}`));
}
