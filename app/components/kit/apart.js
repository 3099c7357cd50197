// Stands for a component whose scripts come as a library (kit.load_apart).
export default function (component) {
  const mounted = kit.library("{{ name }}").then((scripts) => scripts.default(component));
  return () => mounted.then((stop) => stop());
}
