class VotesPanel extends Panel {
  constructor(player) {
    super(player, "votes");
  }
}
