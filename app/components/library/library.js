// Scripts as text by name, which `kit.library` runs.
export default function ({ data }) {
  globalThis.capsnetLibraries = { ...globalThis.capsnetLibraries, ...data };
  globalThis.dispatchEvent(new Event("capsnet-libraries"));
}
