import { allAnswered } from "../contestant.js";
import { asServiceAccount } from "../servers/as-service-account.js";
import { configMap, configMapsPath, targetName } from "../workload.js";
import type { Row, Values } from "./row.js";

const loads = [
  {
    what: "creates in a server's first two seconds, 16 in flight, service account",
    request: { method: "POST", path: configMapsPath, body: configMap({}) },
    status: 201,
  },
  {
    what: "GETs in a server's first two seconds, 16 in flight, service account",
    request: { method: "GET", path: `${configMapsPath}/${targetName}`, headers: { accept: "application/json" } },
    status: 200,
  },
];
/** More than anybody answers in the time. */
const shape = { connections: 4, inFlightEach: 4, count: 1_000_000, mostSeconds: 2 };

/**
 * A cluster in CI never gets warm: what counts there is code that is not compiled yet and caches that are empty. Each figure
 * has a new server, which has seen only the dozen requests that make the account.
 */
export const cold: Row = {
  name: "cold",
  topic: "server",
  figures: loads.map(({ what }) => ({ what, unit: "per s", better: "more", budget: 2 })),
  rounds: 3,
  async measure(contestant): Promise<Values> {
    const values: [string, number][] = [];
    for (const { what, request, status } of loads) {
      const server = await contestant.startAnother();
      try {
        const account = await asServiceAccount(await contestant.prepare(server), "cold");
        const result = await contestant.requestsTo(account, request, shape);
        if (!allAnswered(result, status)) throw new Error(`${contestant.name} does not answer a service account`);
        values.push([what, (result.statuses[status] ?? 0) / result.seconds]);
      } finally {
        await server.stop();
      }
    }
    return values;
  },
};
