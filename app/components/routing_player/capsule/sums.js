// Sums and products as one writes them down. The numbers shown are rounded, each result is computed
// from the unrounded ones: where a calculator would find another last digit, "≈" says so.
const FACTOR_DIGITS = 6;
const PRODUCT_DIGITS = 5;
const SUM_DIGITS = 4;
const TIE = 1e-12; // a five to be rounded is rounded away from zero, as one learns it

const roundedTo = (value, digits) => Number(value.toFixed(digits)); // never a negative zero in text
const writtenOut = (value, digits = SUM_DIGITS) => kit.number(roundedTo(value, digits), digits);

// "=" where `found`, computed from the numbers shown, is the result that is shown.
function signBefore(found, result, digits = SUM_DIGITS) {
  const calculated = roundedTo(found + Math.sign(found) * TIE, digits);
  return calculated === roundedTo(result, digits) ? "=" : "≈";
}

const subscripted = (index) => `${index}`.replace(/\d/g, (digit) => "₀₁₂₃₄₅₆₇₈₉"[digit]);

// A positive number of any size with six significant digits: 1.36911, 4.85165 × 10⁸.
function sixDigits(value) {
  const [digits, power] = value.toPrecision(6).split("e");
  if (!power) return digits;
  const raised = [...`${Number(power)}`].map((c) => (c === "-" ? "⁻" : "⁰¹²³⁴⁵⁶⁷⁸⁹"[c]));
  return `${digits} × 10${raised.join("")}`;
}

const shownPower = (value) => Number(value.toPrecision(6));

// "0.12 + 0.34 − 0.05": numbers as a sum.
function writtenSum(values, write) {
  return values
    .map((value, k) => {
      const [minus, size] = [write(value).startsWith("−"), write(value).replace("−", "")];
      if (k === 0) return write(value);
      return `${minus ? "−" : "+"} ${size}`;
    })
    .join(" ");
}

// The products left[k] · right[k] with their sum: {rows: [{left, right, sign, product, from, to}],
// sign, sum, total}; `from` and `to` are what the products before and with this one add up to.
function productsOf(left, right) {
  let [sum, shown] = [0, 0];
  const rows = Array.from(left, (value, k) => {
    const product = value * right[k];
    const factors = [value, right[k]].map((factor) => roundedTo(factor, FACTOR_DIGITS));
    const from = sum;
    sum += product;
    shown += roundedTo(product, PRODUCT_DIGITS);
    return {
      left: writtenOut(value, FACTOR_DIGITS),
      right: writtenOut(right[k], FACTOR_DIGITS),
      sign: signBefore(factors[0] * factors[1], product, PRODUCT_DIGITS),
      product: writtenOut(product, PRODUCT_DIGITS),
      from,
      to: sum,
    };
  });
  return { rows, total: sum, sign: signBefore(shown, sum), sum: writtenOut(sum) };
}

// How far from zero the steps of such sums lead.
const reachOf = (sums) =>
  Math.max(...sums.flatMap(({ rows }) => rows.map(({ to }) => Math.abs(to))), 1e-9);

// The same as rows of a table; the bars stand where the sum has come to, `reach` to both sides of 0.
function fillProducts(table, { rows, sign, sum }, { left, right, name, reach }) {
  const place = (value) => 54 + (46 * value) / reach;
  const bar = ({ from, to }) => {
    const [low, high] = [Math.min(from, to), Math.max(from, to)].map(place);
    const style = `left:${low}%;width:${high - low}%;background:${barColour(to - from)}`;
    return `<i style="${style}"></i>`;
  };
  const line = (row, k) =>
    `<tr><th scope="row">${k + 1}</th><td>${row.left}</td><td>× ${row.right}</td>` +
    `<td>${row.sign} <span data-product>${row.product}</span></td>` +
    `<td class="fall" aria-hidden="true">${bar(row)}</td></tr>`;
  table.innerHTML =
    `<thead><tr><th></th><th scope="col">${left}</th><th scope="col">${right}</th>` +
    `<th scope="col">product</th><th class="fall" aria-hidden="true">the sum so far</th></tr></thead>` +
    `<tbody>${rows.map(line).join("")}</tbody>` +
    `<tfoot><tr><th colspan="3" scope="row">${name}</th>` +
    `<td>${sign} <span data-sum>${sum}</span></td><td class="fall"></td></tr></tfoot>`;
}
