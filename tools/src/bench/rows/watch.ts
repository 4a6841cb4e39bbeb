import { configMap, configMapsPath } from "../workload.js";
import type { Row, Values } from "./row.js";

const opening = "opening 1,000 watches over 10 connections";
const delivering = "events delivered to 1,000 watches";

export const watch: Row = {
  name: "watch",
  topic: "reads",
  figures: [
    { what: opening, unit: "ms", better: "less", budget: 1 / 8 },
    { what: delivering, unit: "per s", better: "more", budget: 2 },
  ],
  async measure(contestant): Promise<Values> {
    const result = await contestant.watch({
      // Watches without a resourceVersion begin with what is there, so the server has to look through its ConfigMaps.
      watch: {
        method: "GET",
        path: `${configMapsPath}?watch=true&labelSelector=bench%3Dwatch`,
        headers: { accept: "application/json" },
      },
      connections: 10,
      watchesEach: 100,
      create: { method: "POST", path: configMapsPath, body: configMap({ labels: { bench: "watch" } }) },
      creates: 100,
      createsInFlight: 10,
    });
    if (result.refused !== undefined)
      return new Map([
        [opening, "not yet"],
        [delivering, "not yet"],
      ]);
    return new Map([
      [opening, result.openSeconds * 1000],
      [delivering, result.events / result.deliverSeconds],
    ]);
  },
};
