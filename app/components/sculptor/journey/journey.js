// The way from the held pose to that of another input.
class JourneyPanel extends Panel {
  constructor(sculptor) {
    super(sculptor, "journey");
  }
}
