// Texts that the server gave once (components/library), by name; each waits until it has come.
const TEXTS = (() => {
  async function text(name) {
    while (globalThis.capsnetLibraries?.[name] === undefined) {
      await new Promise((come) => addEventListener("capsnet-libraries", come, { once: true }));
    }
    return globalThis.capsnetLibraries[name];
  }

  // A library of components/vendor or the scripts of a component, as the module it is.
  const modules = {};
  function library(name) {
    return (modules[name] ??= text(name).then((source) => {
      const url = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
      return import(url).finally(() => URL.revokeObjectURL(url));
    }));
  }

  return { text, library };
})();
