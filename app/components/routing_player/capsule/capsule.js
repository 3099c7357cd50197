class CapsulePanel extends Panel {
  constructor(player) {
    super(player, "capsule");
  }
}
