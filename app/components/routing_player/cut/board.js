// The places over the middle of the drawing, large enough for a finger: each can be cut.
const FINGER = 44; // CSS pixels that a place is wide at least

// Where the drawing lies on a sheet of this width, the places in its middle and at least `finger`
// wide; what then does not fit is cut off at the edges.
class BoardLayout {
  constructor(story, width, finger) {
    const { image, grid, stride, extent } = story;
    const side = Math.sqrt(image.length);
    this.zoom = Math.max(width / side, finger / stride);
    this.map = new MapLayout(story, this.zoom * side);
    const middle = ((stride * (grid - 1) + extent) / 2) * this.zoom;
    this.start = this.zoom * side > width ? width / 2 - middle : 0;
    this.size = stride * this.zoom;
  }

  // The square of a place: [x, y, size].
  cell(place) {
    const [x, y, size] = this.map.cell(place);
    const gap = (this.size - size) / 2;
    return [this.start + x - gap, this.start + y - gap, this.size];
  }
}

function drawBoard(sheet, { story, contour, cells, scale, marked, cut, finger = 0 }) {
  const { pen, width, colours } = sheet;
  const layout = new BoardLayout(story, width, finger);
  pen.fillStyle = colours.paper;
  pen.fillRect(0, 0, width, width);
  pen.save();
  pen.translate(layout.start, layout.start);
  drawCouplingMap({ ...sheet, width: layout.map.zoom * layout.map.side },
    { story, contour, cells, scale, marked });
  pen.restore();
  cells.forEach((_, place) => {
    const share = cut.shareAt(story, place);
    if (share) drawOut(sheet, layout.cell(place), share);
  });
}

// A place of whose capsules this share is out: covered from the bottom, crossed out where all are.
function drawOut({ pen, colours }, [x, y, size], share) {
  const inset = Math.max(2, size / 16);
  const side = size - 2 * inset;
  const high = Math.max(3, side * share);
  pen.fillStyle = colours.paper;
  pen.fillRect(x + inset, y + inset + side - high, side, high);
  pen.strokeStyle = colours.warn;
  pen.lineWidth = 2;
  pen.strokeRect(x + inset + 1, y + inset + 1 + side - high, side - 2, Math.max(1, high - 2));
  if (share < 1) return;
  pen.beginPath();
  pen.moveTo(x + size * 0.3, y + size * 0.3);
  pen.lineTo(x + size * 0.7, y + size * 0.7);
  pen.moveTo(x + size * 0.7, y + size * 0.3);
  pen.lineTo(x + size * 0.3, y + size * 0.7);
  pen.stroke();
}
