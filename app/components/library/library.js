// Texts by name, for `TEXTS` (kit/texts.js).
export default function ({ data }) {
  globalThis.capsnetLibraries = { ...globalThis.capsnetLibraries, ...data };
  globalThis.dispatchEvent(new Event("capsnet-libraries"));
}
