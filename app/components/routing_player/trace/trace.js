// The trace in the browser: sent once for each input and network, kept under its key.
const traces = (globalThis.capsnetTraces ??= new Map());
let last = null;

export default function ({ data }) {
  if (!data || data === last) return;
  last = data;
  const trace = kit.safetensors(data);
  traces.clear();
  traces.set(trace.metadata.key, trace);
  globalThis.dispatchEvent(new Event("capsnet-trace"));
}
