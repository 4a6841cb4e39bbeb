import { setTimeout as sleep } from "node:timers/promises";
import type { Row } from "./row.js";

const what = "resident memory, idle";

export const memoryIdle: Row = {
  name: "memory-idle",
  topic: "server",
  figures: [{ what, unit: "MB", better: "less", budget: 1 / 2 }],
  async measure(contestant) {
    const server = await contestant.startAnother();
    try {
      await sleep(5_000);
      return new Map([[what, (await server.residentBytes()) / 1e6]]);
    } finally {
      await server.stop();
    }
  },
};
