// The sliders: a pose taken apart by its dimensions or by the axes of real digits.
class SlidersPanel extends Panel {
  constructor(sculptor) {
    super(sculptor, "sliders");
    this.rows = new Rows(this.find(".rows"), sculptor);
    const press = (name, act) => {
      for (const button of this.root.querySelectorAll(`[data-${name}]`)) {
        button.onclick = () => act(button.dataset[name]);
      }
    };
    press("basis", (basis) => sculptor.show({ basis }));
    press("reach", (reach) => sculptor.show({ reach }));
    press("do", (name) => (name === "reset" ? sculptor.reset() : sculptor.recall(name)));
  }

  prepare() {
    const { view, basis } = this.sculptor;
    this.rows.build();
    for (const name of ["basis", "reach"]) {
      for (const button of this.root.querySelectorAll(`[data-${name}]`)) {
        button.setAttribute("aria-pressed", button.dataset[name] === view[name]);
        if (name === "reach") button.textContent = basis.labels[button.dataset.reach];
      }
    }
  }

  paint() {
    for (let k = 0; k < this.sculptor.basis.count; k++) this.rows.paint(k);
    const { held } = this;
    this.test("reset-all").disabled = !held.moved;
    this.test("undo").disabled = !held.undoable;
    this.test("redo").disabled = !held.redoable;
  }

  rested() {
    this.paint();
  }
}
