import type { Row } from "./row.js";

const what = "start: command to first GET of a namespace, empty data";

export const start: Row = {
  name: "start",
  topic: "server",
  figures: [{ what, unit: "ms", better: "less", budget: 1 / 4 }],
  rounds: 5,
  async measure(contestant) {
    const server = await contestant.startAnother();
    await server.stop();
    return new Map([[what, server.startMs]]);
  },
};
