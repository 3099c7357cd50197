// The places opened out: for one digit a map of each type, one square a primary capsule.
const FULL = 0.5; // a vote this long fills its square; most are about 0.1 long

// Where each type's map stands on a sheet of this width.
class TypesLayout {
  constructor({ K, grid }, width) {
    this.grid = grid;
    this.columns = width < 520 ? 4 : 8;
    const room = width / this.columns;
    this.cell = Math.floor((room - 14) / grid);
    this.room = [room, this.cell * grid + 30];
    this.height = Math.ceil(K / this.columns) * this.room[1];
  }

  corner(type) {
    const [across, down] = this.room;
    return [(type % this.columns) * across + 1, Math.floor(type / this.columns) * down + 18];
  }

  // The square of a capsule: [x, y, size].
  square(type, place) {
    const [x, y] = this.corner(type);
    const { grid, cell } = this;
    return [x + (place % grid) * cell, y + Math.floor(place / grid) * cell, cell];
  }

  // {type, place} at a point, or null between the maps.
  at(story, x, y) {
    for (let type = 0; type < story.K; type++) {
      const [left, top] = this.corner(type);
      const [column, row] = [x - left, y - top].map((v) => Math.floor(v / this.cell));
      const inside = Math.min(column, row) >= 0 && Math.max(column, row) < this.grid;
      if (inside) return { type, place: row * this.grid + column };
    }
    return null;
  }
}

function drawTypes(sheet, { story, digit, t, weighted, scale, marked }) {
  const layout = new TypesLayout(story, sheet.width);
  const { pen, colours } = sheet;
  for (let type = 0; type < story.K; type++) {
    const [x, y] = layout.corner(type);
    const size = layout.cell * story.grid;
    write(sheet, `type ${type}`, x, y - 5, { size: 11 });
    pen.fillStyle = colours.paper;
    pen.fillRect(x, y, size, size);
    for (let place = 0; place < story.P; place++) {
      const capsule = story.capsuleOf(type, place);
      const length = story.voteLengths[capsule * story.J + digit];
      const side = weighted ? layout.cell * Math.sqrt(Math.min(1, length / FULL)) : layout.cell;
      const [left, top] = layout.square(type, place);
      const inset = (layout.cell - side) / 2;
      pen.fillStyle = shade(scale, story.couplingAt(capsule, digit, t));
      pen.fillRect(left + inset, top + inset, side, side);
    }
    pen.strokeStyle = colours.line;
    pen.lineWidth = 1;
    pen.strokeRect(x - 0.5, y - 0.5, size + 1, size + 1);
  }
  if (marked !== null) {
    drawFrame(sheet, layout.square(story.typeOf(marked), story.placeOf(marked)), -1);
  }
}
