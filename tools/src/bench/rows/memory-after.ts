import { setTimeout as sleep } from "node:timers/promises";
import type { Row, Values } from "./row.js";

const what = "resident memory after the work, 33,000 objects";

export const memoryAfter: Row = {
  name: "memory-after",
  topic: "reads",
  figures: [{ what, unit: "MB", better: "less", budget: 1 / 6 }],
  async measure(contestant): Promise<Values> {
    await contestant.fillConfigMaps();
    if (!(await contestant.fillPods())) return new Map([[what, "not yet"]]);
    await sleep(5_000);
    const server = await contestant.server();
    return new Map([[what, (await server.residentBytes()) / 1e6]]);
  },
};
