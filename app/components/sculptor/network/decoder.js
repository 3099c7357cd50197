// The decoder in the browser: 160 → 512 → 1024 → 784 with ReLU, ReLU, sigmoid over typed arrays.

// output = bias + Σ input[i] · weights[from + i]; a zero, as half of them are after a ReLU, is free.
function dense({ weight, bias }, input, output, from = 0) {
  const width = output.length;
  output.set(bias);
  for (let i = 0; i < input.length; i++) {
    const x = input[i];
    if (x === 0) continue;
    const start = (from + i) * width;
    for (let o = 0; o < width; o++) output[o] += x * weight[start + o];
  }
}

function relu(values) {
  for (let i = 0; i < values.length; i++) if (values[i] < 0) values[i] = 0;
}

class Decoder {
  // `tensors` hold the weight [in, out] and bias [out] of each layer.
  constructor(tensors) {
    this.layers = [0, 1, 2].map((n) => ({
      weight: tensors[`decoder.${n}.weight`], bias: tensors[`decoder.${n}.bias`],
    }));
    this.hidden = [0, 1].map((n) => new Float32Array(this.layers[n].bias.length));
    this.pixels = this.layers[2].bias.length;
  }

  // The picture of one capsule's pose, all other capsules 0, written into `output`.
  decode(digit, pose, output = new Float32Array(this.pixels)) {
    return this.run(pose, digit * pose.length, output);
  }

  // The picture of all capsules' poses together, [J × D].
  decodeAll(poses, output = new Float32Array(this.pixels)) {
    return this.run(poses, 0, output);
  }

  // `input` are the numbers from place `from` on, all others 0.
  run(input, from, output) {
    const [first, second] = this.hidden;
    dense(this.layers[0], input, first, from);
    relu(first);
    dense(this.layers[1], first, second);
    relu(second);
    dense(this.layers[2], second, output);
    for (let i = 0; i < output.length; i++) output[i] = 1 / (1 + Math.exp(-output[i]));
    return output;
  }
}
