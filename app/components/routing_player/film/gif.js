// Frames as a GIF, made one after the other so that the page stays alive in between.
const FRAME_MS = 60; // between two frames of a glide …
const MOST_GLIDES = 6; // … which is cut into no more parts than these
const LAST_MS = 2400; // the last iteration stays, then all begins anew
const EVERY = 3; // of so many pixels one is looked at for the colours
const COLOURS = 255; // in all frames, and one that lets the frame before show through

// What is shown how long, as the clock plays it: [[t, milliseconds], …], in hundredths of a second.
function filmTimes(iterations, speed, calm) {
  const tens = (ms) => 10 * Math.round(ms / 10);
  const [step, glide] = [STEP_MS / speed, GLIDE_MS / speed];
  const parts = calm ? 1 : Math.min(MOST_GLIDES, Math.max(2, Math.round(glide / FRAME_MS)));
  const part = tens(glide / parts);
  const times = [[1, tens(step)]];
  for (let t = 2; t <= iterations; t++) {
    for (let k = 1; k < parts; k++) times.push([t - (1 - k / parts) ** 3, part]);
    times.push([t, t < iterations ? tens(step - (parts - 1) * part) : LAST_MS]);
  }
  return times;
}

// `paint(pen, t)` draws a frame on a canvas of this size; `exact` are colours [r, g, b] to keep as they
// are; `tell(done)` hears of each frame and says whether to go on. Gives a blob, or null where not.
async function makeGif({ times, size, paint, exact, tell }) {
  const { GIFEncoder, quantize, applyPalette } = await kit.library("gifenc");
  const [width, height] = size;
  const canvas = new OffscreenCanvas(width, height);
  const pen = canvas.getContext("2d", { willReadFrequently: true });
  const pixels = (t) => {
    pen.resetTransform();
    paint(pen, t);
    return pen.getImageData(0, 0, width, height).data;
  };
  const palette = [...exact, ...quantize(await samples(times, pixels), COLOURS - exact.length)];
  const clear = palette.length;
  const gif = GIFEncoder();
  let before = null;
  for (const [k, [t, delay]] of times.entries()) {
    const drawn = pixels(t);
    await breathe();
    const shown = applyPalette(drawn, palette);
    await breathe();
    const frame = before ? shown.map((colour, i) => (colour === before[i] ? clear : colour)) : shown;
    gif.writeFrame(frame, width, height, {
      delay, dispose: 1, transparent: before !== null, transparentIndex: clear,
      palette: before ? null : [...palette, [0, 0, 0]],
    });
    before = shown;
    if (!tell(k + 1)) return null;
    await breathe();
  }
  gif.finish();
  return new Blob([gif.bytes()], { type: "image/gif" });
}

// Some pixels of the first, a middle and the last frame: all colours that occur, near enough.
async function samples(times, pixels) {
  const kept = [];
  for (const part of [0, 0.4, 1]) {
    const frame = pixels(times[Math.round(part * (times.length - 1))][0]);
    const colours = new Uint32Array(frame.buffer); // a pixel each
    kept.push(colours.filter((_, k) => k % EVERY === 0));
    await breathe();
  }
  const all = new Uint32Array(kept.reduce((sum, some) => sum + some.length, 0));
  kept.reduce((from, some) => (all.set(some, from), from + some.length), 0);
  return new Uint8ClampedArray(all.buffer);
}

// Let the page do what waits.
const breathe = () => new Promise((go) => setTimeout(go));
