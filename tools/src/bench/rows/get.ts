import { allAnswered, type Contestant } from "../contestant.js";
import { asServiceAccount } from "../servers/as-service-account.js";
import type { BenchServer } from "../servers/server.js";
import { configMapsPath, targetName } from "../workload.js";
import type { Row, Values } from "./row.js";

const loads = [
  { inFlight: 1, connections: 1, inFlightEach: 1, count: 2_000, budget: 4 },
  { inFlight: 64, connections: 4, inFlightEach: 16, count: 20_000, budget: 5 },
];
/** An administrator, exempt from RBAC and from priority and fairness; and as operators come. */
const callers = ["system:masters", "service account"] as const;
const what = (inFlight: number, caller: string): string => `GETs of 1.5 KB, ${inFlight} in flight, ${caller}`;

export const get: Row = {
  name: "get",
  topic: "server",
  figures: callers.flatMap((caller) =>
    loads.map(({ inFlight, budget }) => ({ what: what(inFlight, caller), unit: "per s", better: "more", budget })),
  ),
  rounds: 3,
  async measure(contestant): Promise<Values> {
    const server = await contestant.server();
    const values: [string, number][] = [];
    for (const caller of callers) {
      const reached = caller === "system:masters" ? server : await asServiceAccount(server, "reading");
      values.push(...(await measureCaller(contestant, reached, caller)));
    }
    return values;
  },
};

async function measureCaller(contestant: Contestant, server: BenchServer, caller: string): Promise<[string, number][]> {
  const values: [string, number][] = [];
  const request = { method: "GET", path: `${configMapsPath}/${targetName}`, headers: { accept: "application/json" } };
  await contestant.requestsTo(server, request, { connections: 4, inFlightEach: 16, count: 1_000 }); // warms up
  for (const { inFlight, count, ...shape } of loads) {
    const result = await contestant.requestsTo(server, request, { ...shape, count });
    if (!allAnswered(result, 200)) throw new Error(`${contestant.name} has lost the ConfigMap ${targetName}`);
    values.push([what(inFlight, caller), count / result.seconds]);
  }
  return values;
}
