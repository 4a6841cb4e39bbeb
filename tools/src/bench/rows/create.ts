import type { Row } from "./row.js";

/** The counts add up to the ConfigMaps that memory is measured with. */
const loads = [
  { what: "creates of 1.5 KB, 1 in flight", connections: 1, inFlightEach: 1, count: 1_000, budget: 3 },
  { what: "creates of 1.5 KB, 16 in flight", connections: 4, inFlightEach: 4, count: 6_000, budget: 4 },
  { what: "creates of 1.5 KB, 128 in flight", connections: 16, inFlightEach: 8, count: 16_000, budget: 5 },
];

export const create: Row = {
  name: "create",
  figures: loads.map(({ what, budget }) => ({ what, unit: "per s", better: "more", budget })),
  async measure(contestant) {
    const values = new Map<string, number>();
    for (const { what, connections, inFlightEach, count } of loads) {
      const { seconds } = await contestant.createConfigMaps({ connections, inFlightEach, count });
      values.set(what, count / seconds);
    }
    return values;
  },
};
