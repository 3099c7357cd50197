// Stands for a component whose HTML, CSS and scripts were given as texts (kit.load_apart).
async function dressed(root, name) {
  const parts = [TEXTS.library(name), TEXTS.text(`${name}.html`), TEXTS.text(`${name}.css`)];
  const [scripts, html, css] = await Promise.all(parts);
  if (!root.querySelector("style[data-apart]")) {
    const style = Object.assign(document.createElement("style"), { textContent: css });
    style.dataset.apart = name;
    root.append(style, document.createRange().createContextualFragment(html));
  }
  return scripts;
}

export default function (component) {
  const mounted = dressed(component.parentElement, "{{ name }}").then((scripts) =>
    scripts.default(component),
  );
  return () => mounted.then((stop) => stop());
}
