// Where a flow comes from: the capsules of one place, or those of one type.

// {kind, count, values [T, count, J], …}: what the panel asks of its sources.
function flowSources(story, kind) {
  if (kind === "types") {
    const places = Array.from({ length: story.P }, (_, place) => place);
    return {
      kind, count: story.K, values: story.flow_types, head: "type",
      label: (type) => `${type}`,
      name: (type) => `type ${type}`,
      many: `${story.P} capsules`,
      room: () => 1,
      of: ({ capsule }) => (capsule === null ? null : story.typeOf(capsule)),
      capsules: (type) => places.map((place) => story.capsuleOf(type, place)),
    };
  }
  const types = Array.from({ length: story.K }, (_, type) => type);
  return {
    kind, count: story.P, values: story.flow_places, head: "place",
    label: (place) => rowAndColumn(story, place).join(", "),
    name: (place) => `place ${rowAndColumn(story, place).join(", ")}`,
    many: `${story.K} capsules`,
    room: (place) => (place % story.grid ? 1 : 5), // a row of places stands apart from the next
    of: ({ place }) => place,
    capsules: (place) => types.map((type) => story.capsuleOf(type, place)),
  };
}

// The flows [count · J] of an iteration or between two; with `change` less those of iteration 1,
// where all couplings are even.
function flowsAt(story, { count, values }, t, change = false) {
  const size = count * story.J;
  return Float32Array.from({ length: size }, (_, k) => {
    const now = story.at(values, size, k, t);
    return change ? now - values[k] : now;
  });
}

// What goes to each digit in every iteration, all sources together, and what arrives of it:
// ‖s_j‖ = ‖Σ c û‖ (eq. 2), shorter where votes point different ways. Both [T, J].
function flowTotals({ T, J, K, flow_types: flows, concentration }) {
  const sent = new Float32Array(T * J);
  flows.forEach((flow, k) => (sent[Math.floor(k / (K * J)) * J + (k % J)] += flow));
  return { sent, arrived: sent.map((sum, k) => sum * concentration[k]) };
}

// What the places of one type, or of all types, send to a digit [places].
function flowOrigin(story, type, digit, t, change) {
  if (type === null) {
    const flows = flowsAt(story, flowSources(story, "places"), t, change);
    return Float32Array.from({ length: story.P }, (_, place) => flows[place * story.J + digit]);
  }
  return Float32Array.from({ length: story.P }, (_, place) => {
    const capsule = story.capsuleOf(type, place);
    const now = story.flowAt(capsule, digit, t);
    return change ? now - story.flowAt(capsule, digit, 1) : now;
  });
}
