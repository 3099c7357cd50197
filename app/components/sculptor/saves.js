// Downloads: the rebuilt picture, the pose and the pixels.
const fileName = ({ data, digit }) => `capsnet-rebuilt-${data.names[digit]}`;

const SAVES = {
  png: (held) => kit.saveCanvas(held.find(".rebuilt canvas"), `${fileName(held)}.png`),

  csv(held) {
    const poses = held.offsets.map((_, k) => ["pose", k + 1, "", held.reference(k), held.pose[k]]);
    const pixels = [...held.pixels].map((value, i) => [
      "pixel", Math.floor(i / SIDE), i % SIDE, held.image[i], value,
    ]);
    const head = ["quantity", "row_or_dimension", "column", "original", "rebuilt"];
    kit.saveCsv([head, ...poses, ...pixels], `${fileName(held)}.csv`);
  },

  json(held) {
    const { data, digit, pose, pixels, image, length, error } = held;
    const network = held.offsets.map((_, k) => held.reference(k));
    kit.saveJson(
      {
        input: data.title,
        capsule: data.names[digit],
        network_pose: network,
        pose: [...pose],
        length,
        squared_error: error,
        original: [...image],
        rebuilt: [...pixels],
      },
      `${fileName(held)}.json`,
    );
  },
};
