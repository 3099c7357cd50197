// The numbers in the formulas, by the `data-say` of their places.

// Those that stay while the iterations pass.
function stillNumbers(opened, digit) {
  const { story } = opened;
  const length = vectorLength(opened.says);
  const raw = unsquashed(length);
  const shown = roundedTo(raw, SUM_DIGITS);
  return {
    size: opened.says.length,
    "u-length": writtenOut(length),
    "s-length": writtenOut(raw),
    "u-sign": signBefore(shown ** 2 / (1 + shown ** 2), length),
    digit: story.names[digit],
    numbers: story.D,
    capsules: story.I,
    names: story.names.join(", "),
  };
}

function liveNumbers(opened, digit, t) {
  const [agreement, coupling] = [opened.agreements, opened.couplings].map((all) => all[t - 1][digit]);
  const [poseLength, adds] = [opened.poseLength(digit, t), opened.adds(digit, t)];
  const shown = [coupling, agreement, poseLength].map((value) => roundedTo(value, FACTOR_DIGITS));
  const calculated = (shown[0] * shown[1]) / (shown[2] || 1);
  return {
    t,
    agreement: writtenOut(agreement),
    angle: angleFormula(opened, digit, t),
    ...logitNumbers(opened, digit, t),
    ...softmaxNumbers(opened, digit, t),
    "coupling-long": writtenOut(coupling, FACTOR_DIGITS),
    "agreement-long": writtenOut(agreement, FACTOR_DIGITS),
    "v-length": writtenOut(poseLength, FACTOR_DIGITS),
    "adds-sign": signBefore(calculated, adds),
    adds: writtenOut(adds),
  };
}

// "= ‖û‖ ‖v‖ cos φ = 0.9123 × 0.9501 × cos 34.21°"
function angleFormula(opened, digit, t) {
  const lengths = [opened.voteLength(digit), opened.poseLength(digit, t)];
  const angle = opened.angle(digit, t);
  if (angle === null) return "";
  const cosine = Math.cos((roundedTo(angle, 2) * Math.PI) / 180);
  const [vote, pose] = lengths.map((length) => roundedTo(length, SUM_DIGITS));
  const sign = signBefore(vote * pose * cosine, opened.agreements[t - 1][digit]);
  const written = lengths.map((length) => writtenOut(length)).join(" × ");
  return `= ‖û‖ ‖v‖ cos φ ${sign} ${written} × cos ${kit.number(angle, 2)}°`;
}

// b_t = a_1 + … + a_{t−1}
function logitNumbers(opened, digit, t) {
  const { agreements, logits, story } = opened;
  const logit = logits[t - 1][digit];
  const before = agreements.slice(0, t - 1).map((row) => row[digit]);
  const long = (value) => writtenOut(value, PRODUCT_DIGITS);
  const shown = before.reduce((sum, value) => sum + roundedTo(value, PRODUCT_DIGITS), 0);
  const symbols = before.map((_, k) => `a${subscripted(k + 1)}`).join(" + ");
  const next = logits[t]?.[digit];
  return {
    logit: t === 1 ? "0" : writtenOut(logit),
    "logit-symbols": t === 1 ? "" : `= ${symbols}`,
    "logit-terms":
      t === 1 ? "=" : `= ${writtenSum(before, long)} ${signBefore(shown, logit)}`,
    "logit-note":
      next === undefined
        ? `Iteration ${story.T} is the last one shown.`
        : `${t === 1 ? "Nothing has agreed yet. " : ""}In the next iteration it is ` +
          `b${subscripted(t + 1)} = b${subscripted(t)} + a${subscripted(t)} = ${writtenOut(next)}.`,
  };
}

// c = e^b_j / Σ_k e^b_k
function softmaxNumbers(opened, digit, t) {
  const [powers, total] = [opened.powers[t - 1], opened.totals[t - 1]];
  const logit = opened.logits[t - 1][digit];
  const coupling = opened.couplings[t - 1][digit];
  const same = (found, result) => (shownPower(found) === shownPower(result) ? "=" : "≈");
  const power = Math.exp(roundedTo(logit, FACTOR_DIGITS));
  return {
    "logit-long": writtenOut(logit, FACTOR_DIGITS),
    power: sixDigits(powers[digit]),
    "power-sum": sixDigits(total),
    "power-sign": same(power, powers[digit]),
    coupling: writtenOut(coupling),
    "coupling-sign": signBefore(shownPower(powers[digit]) / shownPower(total), coupling),
    powers: powers.map(sixDigits).join(" + "),
    "powers-sign": same(powers.reduce((sum, one) => sum + shownPower(one), 0), total),
  };
}
