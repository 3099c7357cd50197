class PairPanel extends Panel {
  constructor(player) {
    super(player, "pair");
  }
}
