// The paper's figure 4: every number of the pose swept from end to end, the others held.
class GridPanel extends Panel {
  constructor(sculptor) {
    super(sculptor, "grid");
  }
}
