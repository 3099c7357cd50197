// What a page needs of a network (app/network_file.py), kept by the network's key.
class NetworkFile {
  constructor(bytes) {
    const { metadata, tensors, shapes } = kit.safetensors(bytes);
    const told = (name) => (name in metadata ? JSON.parse(metadata[name]) : null);
    this.key = metadata.key;
    this.decoder = new Decoder(tensors);
    this.samples = {
      ...told("samples"), images: tensors["samples.images"], poses: tensors["samples.poses"],
    };
    this.atlas = null; // what a survey knows of the poses: the population and, if measured, …
    if (!metadata.levels) return;
    const effects = (name) => told(name) && ({
      words: told(name), // … what it does, by class and direction; "" is no single property
      change: tensors[`${name}.change`], // mean square by which it changes a pixel, [J, K]
      slope: tensors[`${name}.slope`], // of every property, [J, K, P]
      spread: tensors[`${name}.spread`],
      same: tensors[`${name}.same`],
    });
    this.atlas = {
      population: new Population(tensors, shapes, told("levels"), told("count")),
      effects: effects("effects"),
      axes: effects("axes"),
      properties: told("properties"),
      rules: told("rules"), // when an effect has a name
      swept: told("swept") ?? [], // digits of each class that the effects were measured on
    };
  }
}

const networks = (globalThis.capsnetNetworks ??= new Map());
let last = null;

export default function ({ data }) {
  if (!data || data === last) return;
  last = data;
  const network = new NetworkFile(data);
  networks.clear();
  networks.set(network.key, network);
  globalThis.dispatchEvent(new Event("capsnet-network"));
}
