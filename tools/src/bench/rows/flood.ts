import { setTimeout as sleep } from "node:timers/promises";
import { allAnswered, type Contestant } from "../contestant.js";
import type { RequestSpec } from "../load/connection.js";
import { asServiceAccount } from "../servers/as-service-account.js";
import type { BenchServer } from "../servers/server.js";
import { configMap, configMapsPath, targetName } from "../workload.js";
import type { Figure, Row, Values } from "./row.js";

const quiet = "GET p99 of one user, quiet";
const get = { method: "GET", path: `${configMapsPath}/${targetName}`, headers: { accept: "application/json" } };
const floods = [
  { of: "GETs", request: get },
  { of: "creates", request: { method: "POST", path: configMapsPath, body: configMap({}) } },
  { of: "LISTs of 50", request: { ...get, path: `${configMapsPath}?limit=50` } },
].map(({ of, request }) => ({ request, flooded: `beside 500 ${of} of another`, ratio: `beside 500 ${of}, by quiet` }));
/** More than anybody answers while it lasts. */
const flood = { connections: 20, inFlightEach: 25, count: 4_000_000 };
/** Handshakes are over by then. */
const floodBeginsMs = 1_000;
const calm = { connections: 1, inFlightEach: 1, count: 1_000, unmeasured: 200, mostSeconds: 3, isUrgent: true };
/** Quiet and flooded by turns, so that a noisy moment of the machine is not one of them alone. */
const timesEach = 3;

/** Two service accounts: their requests have the same priority, and neither is exempt. */
export const floodRow: Row = {
  name: "flood",
  topic: "fairness",
  figures: [
    { what: quiet, unit: "ms", better: "less", budget: 1 },
    ...floods.flatMap(({ flooded, ratio }): Figure[] => [
      { what: flooded, unit: "ms", better: "less", budget: 1 },
      {
        what: ratio,
        unit: "times",
        better: "less",
        budget: 10,
        budgetOf: "ours",
        quotient: { of: flooded, by: quiet },
      },
    ]),
  ],
  rounds: 3,
  async measure(contestant): Promise<Values> {
    const server = await contestant.startAnother();
    try {
      await contestant.prepare(server);
      const values: [string, number][] = [];
      for (const one of floods) values.push(...(await measureFlood(contestant, server, one)));
      return values;
    } finally {
      await server.stop();
    }
  },
};

async function measureFlood(
  contestant: Contestant,
  server: BenchServer,
  { request, flooded }: (typeof floods)[number],
): Promise<[string, number][]> {
  const [flooding, other] = [await asServiceAccount(server, "flooding"), await asServiceAccount(server, "calm")];
  const ask = async (): Promise<number> => {
    const result = await contestant.requestsTo(other, get, calm);
    if (!allAnswered(result, 200))
      throw new Error(`${contestant.name} has lost the ConfigMap ${targetName}, or refuses a user because of another`);
    return result.p99Ms;
  };
  // Warms up.
  await contestant.requestsTo(flooding, request, { connections: 4, inFlightEach: 4, count: 5_000, mostSeconds: 5 });
  await ask();
  const values: [string, number][] = [];
  for (let time = 0; time < timesEach; time += 1) {
    values.push([quiet, await ask()]);
    values.push([flooded, await whileFlooded(contestant, flooding, request, ask)]);
  }
  return values;
}

async function whileFlooded<T>(
  contestant: Contestant,
  flooding: BenchServer,
  request: RequestSpec,
  work: () => Promise<T>,
): Promise<T> {
  const over = new AbortController();
  const going = contestant.requestsTo(flooding, request, flood, over.signal); // some get 429, as intended
  const drowned = going.then(() =>
    Promise.reject(new Error("the flood was over before the other user was done; make it longer")),
  );
  try {
    await Promise.race([sleep(floodBeginsMs), drowned]);
    return await Promise.race([work(), drowned]);
  } finally {
    over.abort();
    await Promise.allSettled([going, drowned]);
  }
}
