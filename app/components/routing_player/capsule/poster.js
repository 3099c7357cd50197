// The moving pictures of an opened capsule; all of it on one sheet and as rows.

// Its couplings over the iterations, as data for `drawChart`.
function couplingChart(opened, digit) {
  const { story, couplings } = opened;
  const at = (j, t) => opened.between(couplings, j, t);
  const apart = (j) => j === digit || at(j, story.T) > NEARLY_EVEN * story.even;
  return {
    low: 0, high: 1, ticks: steps(4, 0.25, 2), even: story.even,
    lines: digitLines(story, digit, at).map((line) => ({
      ...line, name: apart(line.digit) ? story.names[line.digit] : "",
    })),
  };
}

// Its votes for all digits, one of their numbers marked.
function drawVotes(sheet, opened, digit, number) {
  const strips = opened.votes.map((values, j) => ({
    name: opened.story.names[j], values, note: kit.number(opened.voteLength(j), 3),
  }));
  drawStrips(sheet, strips, { chosen: digit, marked: { row: digit, k: number }, head: "‖û‖" });
}

// The vote for a digit, its pose at t, and their products.
const COMPARED = ["û", "v", "û v"];

function drawCompared(sheet, opened, digit, t) {
  const vote = opened.votes[digit];
  const pose = Float32Array.from(vote, (_, d) => opened.poseAt(digit, d, t));
  const products = vote.map((value, d) => value * pose[d]);
  const noted = (name, values, of, value) => ({
    name, values, note: `${of} = ${kit.number(value, 3)}`,
  });
  const [first, second, third] = COMPARED;
  drawStrips(sheet, [
    noted(first, vote, "‖û‖", vectorLength(vote)),
    noted(second, pose, "‖v‖", vectorLength(pose)),
    noted(third, products, "Σ", scalarProduct(vote, pose)),
  ]);
}

// {width, height, draw(sheet, t)}: field and pixels, what it says, its votes and its couplings.
function capsulePoster(opened, pixels, drawVotes, couplings) {
  const { story, says } = opened;
  const [left, gap, right] = [FIELD_WIDEST, 48, STRIPS_WIDEST];
  const votesHeight = new StripLayout(right, story.names, story.D).height;
  const titled = (sheet, title, x, y, width, height, draw) => {
    sheet.pen.save();
    sheet.pen.translate(x, y);
    write(sheet, title, 0, 12, { size: 13, weight: 600, colour: sheet.colours.text });
    sheet.pen.translate(0, 22);
    draw({ ...sheet, width, height });
    sheet.pen.restore();
  };
  const second = left + gap;
  const rows = [0, 22 + SAYS_SIZE[1] + 24];
  rows.push(rows[1] + 22 + votesHeight + 24 + 32);
  return {
    width: left + gap + right,
    height: rows[2] + 22 + CHART_HEIGHT,
    draw: (sheet, t) => {
      const put = (title, ...rest) => titled(sheet, title, ...rest);
      put("It sees", 0, 0, left, left, (part) => drawField(part, opened));
      put("The pixels of its field", 0, left + 60, left, left, (part) =>
        drawFieldPixels(part, { ...opened, pixels }),
      );
      put("It says u", second, rows[0], ...SAYS_SIZE, (part) => drawSays(part, says));
      put("It votes û", second, rows[1], right, votesHeight, (part) => {
        drawVotes(part);
        part.pen.translate(0, votesHeight + 4);
        drawStripLegend(part, story);
      });
      put(`Its coupling c to each ${story.terms.digit}`, second, rows[2], right, CHART_HEIGHT, (part) =>
        drawChart(part, couplings, story, t),
      );
    },
  };
}

// For CSV: one row for each iteration and digit.
function capsuleRows({ capsule, story, votes, ...opened }) {
  const { digit } = story.terms;
  const head = ["capsule", "iteration", digit, "vote_length", "agreement", "logit", "coupling"];
  const numbers = Array.from({ length: story.D }, (_, d) => `vote_${d + 1}`);
  const rows = opened.couplings.flatMap((couplings, k) =>
    couplings.map((coupling, j) => [
      capsule, k + 1, story.names[j], vectorLength(votes[j]), opened.agreements[k][j],
      opened.logits[k][j], coupling, opened.shares[k][j], ...votes[j],
    ]),
  );
  return [[...head, "share_of_s", ...numbers], ...rows];
}
