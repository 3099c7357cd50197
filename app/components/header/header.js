// The thumbnail and verdict of the current input.
export default function ({ data, parentElement: root }) {
  kit.applyTheme(root);
  const canvas = root.querySelector("canvas");
  kit.drawGrid(canvas, data.image, { high: 255, fit: 56 });
  canvas.setAttribute("aria-label", `${data.title}, 28 by 28 pixels`);
  const words = root.querySelector(".words");
  words.textContent = data.words[0].toUpperCase() + data.words.slice(1);
  words.classList.toggle("unsure", !data.sure);
  root.querySelector(".kit-note").textContent = [data.title, data.meant].filter(Boolean).join(", ");
}
