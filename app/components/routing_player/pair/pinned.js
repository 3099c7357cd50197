// The pinned input beside the current one, as the server answered it (state_pair.answer).
class Pinned {
  constructor(story, told) {
    const packed = ["lengths", "weighted", "entropy", "correlation", "difference"];
    const opened = packed.map((name) => [name, told[name] && kit.floats(told[name])]);
    Object.assign(this, told, Object.fromEntries(opened), { story });
    const { grid, stride, extent } = story;
    this.drawn = { image: told.image, grid, stride, extent }; // for the painters of maps
    this.contour = inkContour(told.image, Math.sqrt(told.image.length));
  }

  lengthAt(digit, t) {
    return this.story.at(this.lengths, this.story.J, digit, t);
  }

  // The couplings of a digit at all places, weighted by the votes' lengths, row by row.
  mapAt(digit, t) {
    const { story } = this;
    return Float32Array.from({ length: story.P }, (_, place) =>
      story.at(this.weighted, story.J * story.P, digit * story.P + place, t));
  }

  entropyAt(t) {
    return this.story.at(this.entropy, 1, 0, t);
  }

  // How alike the couplings to a digit are, −1…1; NaN before iteration 2.
  alikeAt(digit, t) {
    return this.story.at(this.correlation, this.story.J, digit, t);
  }

  // Mean |c − c'| of the couplings to a digit.
  apartAt(digit, t) {
    return this.story.at(this.difference, this.story.J, digit, t);
  }
}
