// What is cut: single capsules, whole places, whole types. Its text is that of Python's `Cut`:
// "c417.p14.t3", each kind in the order of its numbers.
const CUT_KINDS = ["c", "p", "t"];

class CutSet {
  constructor(text) {
    this.c = new Set();
    this.p = new Set();
    this.t = new Set();
    for (const part of text ? text.split(".") : []) this[part[0]].add(Number(part.slice(1)));
  }

  // {c: [capsules], p: [places], t: [types]} as text.
  static text(parts) {
    const ordered = (kind) => [...new Set(parts[kind] ?? [])].sort((a, b) => a - b);
    return CUT_KINDS.flatMap((kind) => ordered(kind).map((index) => kind + index)).join(".");
  }

  get text() {
    return CutSet.text(this);
  }

  // The parts one by one: [["c", 417], …].
  get parts() {
    return CUT_KINDS.flatMap((kind) => [...this[kind]].map((index) => [kind, index]));
  }

  has(story, capsule) {
    const [type, place] = [story.typeOf(capsule), story.placeOf(capsule)];
    return this.c.has(capsule) || this.p.has(place) || this.t.has(type);
  }

  // How many of the capsules are out, each counted once.
  count(story) {
    let count = 0;
    for (let i = 0; i < story.I; i++) count += this.has(story, i);
    return count;
  }

  // The share 0…1 of a place's capsules that are out.
  shareAt(story, place) {
    let count = 0;
    for (let type = 0; type < story.K; type++) count += this.has(story, story.capsuleOf(type, place));
    return count / story.K;
  }

  // The text with a part put in, or taken out where it is in.
  turned(kind, index) {
    const parts = { c: [...this.c], p: [...this.p], t: [...this.t] };
    parts[kind] = this[kind].has(index)
      ? parts[kind].filter((other) => other !== index)
      : [...parts[kind], index];
    return CutSet.text(parts);
  }
}

function cutPartName(story, kind, index) {
  if (kind === "t") return `type ${index}`;
  if (kind === "p") return `place ${rowAndColumn(story, index).join(", ")}`;
  return capsuleName(story, index).replace(" at place", " at");
}
