import { allAnswered } from "../contestant.js";
import { configMapsPath, targetName } from "../workload.js";
import type { Row, Values } from "./row.js";

const loads = [
  { what: "GETs of 1.5 KB, 1 in flight", connections: 1, inFlightEach: 1, count: 2_000, budget: 4 },
  { what: "GETs of 1.5 KB, 64 in flight", connections: 4, inFlightEach: 16, count: 20_000, budget: 5 },
];

export const get: Row = {
  name: "get",
  figures: loads.map(({ what, budget }) => ({ what, unit: "per s", better: "more", budget })),
  rounds: 3,
  async measure(contestant): Promise<Values> {
    const values = new Map<string, number>();
    const request = { method: "GET", path: `${configMapsPath}/${targetName}`, headers: { accept: "application/json" } };
    await contestant.requests(request, { connections: 4, inFlightEach: 16, count: 1_000 }); // warms up
    for (const { what, connections, inFlightEach, count } of loads) {
      const result = await contestant.requests(request, { connections, inFlightEach, count });
      if (!allAnswered(result, 200)) throw new Error(`${contestant.name} has lost the ConfigMap ${targetName}`);
      values.set(what, count / result.seconds);
    }
    return values;
  },
};
