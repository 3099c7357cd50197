class FlowPanel extends Panel {
  constructor(player) {
    super(player, "flow");
  }
}
