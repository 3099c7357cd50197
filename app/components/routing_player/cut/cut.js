class CutPanel extends Panel {
  constructor(player) {
    super(player, "cut");
  }
}
