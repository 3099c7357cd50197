// The routing of one input: T iterations, I primary capsules, J digits, P places, K types. Iterations
// count from 1; one between two whole numbers is what lies between them on a straight line.
class Story {
  // `data` is what Python says of the input; `trace` its numbers, as `kit.safetensors` reads them.
  // The arrays keep Python's names and shapes (state_route.Routing): `votes` [I, J, D], ….
  constructor(data, trace) {
    Object.assign(this, data, trace.tensors, { shapes: trace.shapes });
    [this.T, this.J, this.D] = trace.shapes.poses;
    this.I = trace.shapes.votes[0];
    this.P = data.grid ** 2;
    this.K = this.I / this.P;
    this.even = 1 / this.J; // the coupling of every capsule before routing
    this.most = Math.log2(this.J); // bits of equal couplings
    this.voteLengths = lengthsOf(this.votes, this.D); // ‖û‖ [I, J]
    this.logits = logitsOf(this); // b [T, I, J]
    this.couplings = softmax(this.logits, this.J); // c [T, I, J]
    this.leaders = Array.from({ length: this.T }, (_, t) => this.ranked(t + 1)[0]);
    this.answer = this.leaders[Math.min(this.trained, this.T) - 1];
    this.changes = this.leaders.flatMap((leader, t) =>
      t && leader !== this.leaders[t - 1] ? [{ t: t + 1, from: this.leaders[t - 1], leader }] : [],
    );
  }

  // One number of `values` [T, size] at iteration t.
  at(values, size, index, t) {
    const below = Math.max(0, Math.min(Math.floor(t), this.T - 1) - 1);
    const low = values[below * size + index];
    if (t === below + 1) return low;
    return low + (values[(below + 1) * size + index] - low) * (t - 1 - below);
  }

  lengthAt(digit, t) {
    return this.at(this.lengths, this.J, digit, t);
  }

  couplingAt(capsule, digit, t) {
    return this.at(this.couplings, this.I * this.J, capsule * this.J + digit, t);
  }

  // The couplings of a digit at all places, row by row.
  mapAt(digit, t, weighted) {
    const values = weighted ? this.weighted : this.plain;
    const size = this.J * this.P;
    return Float32Array.from({ length: this.P }, (_, place) =>
      this.at(values, size, digit * this.P + place, t),
    );
  }

  // The digits, longest first.
  ranked(t) {
    const order = Array.from({ length: this.J }, (_, j) => j);
    return order.sort((a, b) => this.lengthAt(b, t) - this.lengthAt(a, t) || a - b);
  }

  // "digit 7", "class Sneaker"; at the start of a sentence "Digit 7".
  digit(j) {
    return `${this.terms.digit} ${this.names[j]}`;
  }

  Digit(j) {
    return `${this.terms.Digit} ${this.names[j]}`;
  }

  placeOf(capsule) {
    return capsule % this.P;
  }

  typeOf(capsule) {
    return Math.floor(capsule / this.P);
  }

  capsuleOf(type, place) {
    return type * this.P + place;
  }

  // c_ij ‖û_j|i‖: how much of a capsule's vote a digit gets.
  flowAt(capsule, digit, t) {
    return this.couplingAt(capsule, digit, t) * this.voteLengths[capsule * this.J + digit];
  }

  // The capsule among `capsules` that gives a digit most, in the network's own last iteration.
  loudest(digit, capsules = Array.from({ length: this.I }, (_, i) => i)) {
    const t = Math.min(this.trained, this.T);
    const louder = (a, b) => (this.flowAt(b, digit, t) > this.flowAt(a, digit, t) ? b : a);
    return capsules.reduce(louder);
  }
}

function lengthsOf(vectors, size) {
  const squares = (k) => {
    let sum = 0;
    for (let d = 0; d < size; d++) sum += vectors[k * size + d] ** 2;
    return sum;
  };
  return Float32Array.from({ length: vectors.length / size }, (_, k) => Math.sqrt(squares(k)));
}

// Each iteration adds û·v to the logits, which start at 0: b_ij(t) = û_j|i · Σ_{τ<t} v_j(τ).
function logitsOf({ votes, poses, T, I, J, D }) {
  const logits = new Float32Array(T * I * J);
  const sums = new Float64Array(J * D);
  for (let t = 1; t < T; t++) {
    for (let k = 0; k < J * D; k++) sums[k] += poses[(t - 1) * J * D + k];
    for (let i = 0; i < I; i++) {
      for (let j = 0; j < J; j++) {
        let dot = 0;
        for (let d = 0; d < D; d++) dot += votes[(i * J + j) * D + d] * sums[j * D + d];
        logits[(t * I + i) * J + j] = dot;
      }
    }
  }
  return logits;
}

// Over groups of `size` numbers.
function softmax(values, size) {
  const shares = new Float32Array(values.length);
  for (let from = 0; from < values.length; from += size) {
    const group = values.subarray(from, from + size);
    const most = group.reduce((a, b) => Math.max(a, b));
    let sum = 0;
    for (let k = 0; k < size; k++) sum += shares[from + k] = Math.exp(group[k] - most);
    for (let k = 0; k < size; k++) shares[from + k] /= sum;
  }
  return shares;
}
