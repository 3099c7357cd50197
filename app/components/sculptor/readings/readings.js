// What takes the network longer, a moment after the rest: {seq, frames, sweep}. See sculptor.readings.
export default function ({ data }) {
  if (data === globalThis.capsnetReadings) return;
  globalThis.capsnetReadings = data;
  globalThis.dispatchEvent(new Event("capsnet-readings"));
}
