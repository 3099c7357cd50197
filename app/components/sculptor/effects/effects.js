// What every number of the pose does to the picture, as the survey measured it.
class EffectsPanel extends Panel {
  constructor(sculptor) {
    super(sculptor, "effects");
  }
}
