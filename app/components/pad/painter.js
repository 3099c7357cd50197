// What the pad looks like.
class Painter {
  constructor(root, sheet) {
    Object.assign(this, { root, sheet, waiting: 0 });
  }

  // Paint the scene that `read` gives {strokes, other, cursor, penDown}, once a frame at most.
  paint(read) {
    this.waiting ||= requestAnimationFrame(() => {
      this.waiting = 0;
      this.paintNow(read());
    });
  }

  paintNow({ strokes, other, cursor, penDown }) {
    const { sheet } = this;
    const side = Math.round(sheet.clientWidth * (window.devicePixelRatio || 1));
    if (!side) return;
    if (sheet.width !== side) sheet.width = sheet.height = side;
    const pen = sheet.getContext("2d");
    const { ink, accent } = kit.theme(this.root);
    pen.clearRect(0, 0, side, side);
    if (!other) this.paintGuide(pen, side, ink);
    pen.strokeStyle = pen.fillStyle = ink;
    for (const piece of strokes.flatMap(piecesOf)) {
      kit.paintStroke(pen, piece, side / GRID, PEN * GRID);
    }
    if (cursor.seen) this.paintCursor(pen, side, accent, cursor, penDown);
    const below = this.root.querySelector(".other");
    below.hidden = !other;
    if (other) kit.drawGrid(below, other, { high: 255, fit: sheet.clientWidth });
  }

  paintGuide(pen, side, ink) {
    pen.save();
    pen.strokeStyle = ink;
    pen.globalAlpha = 0.14;
    pen.lineWidth = Math.max(1, side / 400);
    pen.setLineDash([side / 80, side / 60]);
    pen.strokeRect(side * 0.18, side * 0.12, side * 0.64, side * 0.76);
    pen.restore();
  }

  paintCursor(pen, side, accent, cursor, penDown) {
    const [x, y] = [(cursor.x / GRID) * side, (cursor.y / GRID) * side];
    pen.save();
    pen.strokeStyle = pen.fillStyle = accent;
    pen.lineWidth = Math.max(2, side / 200);
    pen.beginPath();
    pen.arc(x, y, (side * PEN) / 2 + 3, 0, 2 * Math.PI);
    pen.stroke();
    if (penDown) {
      pen.globalAlpha = 0.35;
      pen.fill();
    }
    pen.restore();
  }
}
