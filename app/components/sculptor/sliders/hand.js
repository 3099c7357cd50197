// What the hand does to rows of sliders: drag, tap, press keys, type, reset.
function handle(rows) {
  const { box, sculptor } = rows;
  const at = (event) => Number(event.target.closest(".number")?.dataset.k ?? -1);
  const slides = (event) => event.target.type === "range";
  const types = (event) => event.target.type === "number";
  const by = (k, step) => rows.move(k, rows.basis.value(k) + step);
  const choose = (event) => at(event) >= 0 && rows.choose(at(event));
  let before = null; // where the slider stood that is being touched

  box.addEventListener("focusin", choose);
  box.addEventListener("pointerdown", (event) => {
    choose(event);
    if (slides(event)) before = { k: at(event), pose: sculptor.held.pose };
  });
  // A touch that turns into scrolling takes back the jump that it began with.
  box.addEventListener("pointercancel", (event) => {
    if (slides(event) && before?.k === at(event)) sculptor.put(before.pose);
  });
  box.addEventListener("input", (event) => {
    if (slides(event)) rows.move(at(event), event.target.valueAsNumber);
    else rows.typing = at(event);
  });
  box.addEventListener("change", (event) => {
    if (types(event)) rows.take(at(event), event.target.valueAsNumber);
    else rows.repaint(at(event));
  });
  box.addEventListener("focusout", (event) => types(event) && rows.repaint(at(event)));
  box.addEventListener("dblclick", (event) => slides(event) && rows.reset(at(event)));
  box.addEventListener("keydown", (event) => {
    const { fine, coarse } = rows.basis;
    const step = {
      ArrowRight: fine, ArrowUp: fine, ArrowLeft: -fine, ArrowDown: -fine,
      PageUp: coarse, PageDown: -coarse,
    }[event.key];
    const sideways = ["ArrowLeft", "ArrowRight"].includes(event.key);
    if (types(event) && event.key === "Escape") rows.repaint(at(event));
    if (step && (slides(event) || (types(event) && !sideways))) by(at(event), step);
    else if (slides(event) && ["Delete", "Backspace"].includes(event.key)) rows.reset(at(event));
    else return;
    event.preventDefault();
    rows.repaint(at(event));
  });
  box.addEventListener("click", (event) => {
    const { by: sign, undo } = event.target.closest("button")?.dataset ?? {};
    if (sign) by(at(event), rows.basis.coarse * Number(sign));
    else if (undo) {
      rows.reset(at(event));
      rows.parts[at(event)].slider.focus();
    }
  });
}
