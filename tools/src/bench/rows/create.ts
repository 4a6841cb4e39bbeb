import { allAnswered, type Contestant } from "../contestant.js";
import { asServiceAccount } from "../servers/as-service-account.js";
import { configMap, configMapsPath } from "../workload.js";
import type { Figure, Row, Values } from "./row.js";

/** The counts add up to the ConfigMaps that memory is measured with; budgets for an administrator and for a service account. */
const loads = [
  { inFlight: 1, connections: 1, inFlightEach: 1, count: 1_000, budgets: [3, 2.5] },
  { inFlight: 16, connections: 4, inFlightEach: 4, count: 6_000, budgets: [4, 3] },
  { inFlight: 128, connections: 16, inFlightEach: 8, count: 16_000, budgets: [5, 4] },
];
const what = (inFlight: number, caller: string): string => `creates of 1.5 KB, ${inFlight} in flight, ${caller}`;
const callers = ["system:masters", "service account"] as const;
const figures = (caller: (typeof callers)[number]): Figure[] =>
  loads.map(({ inFlight, budgets }) => ({
    what: what(inFlight, caller),
    unit: "per s",
    better: "more",
    budget: budgets[callers.indexOf(caller)]!,
  }));

/** An administrator: exempt from RBAC and from priority and fairness. On the server that later rows share. */
export const create: Row = {
  name: "create",
  topic: "server",
  figures: figures("system:masters"),
  async measure(contestant) {
    const values = new Map<string, number>();
    for (const { inFlight, count, ...shape } of loads) {
      const { seconds } = await contestant.createConfigMaps({ ...shape, count });
      values.set(what(inFlight, "system:masters"), count / seconds);
    }
    return values;
  },
};

/** As operators come: the same on a server of its own, as new as the other was. */
export const createAsAccount: Row = {
  name: "create-account",
  topic: "server",
  figures: figures("service account"),
  async measure(contestant: Contestant): Promise<Values> {
    const server = await contestant.startAnother();
    try {
      const account = await asServiceAccount(await contestant.prepare(server), "creating");
      const request = { method: "POST", path: configMapsPath, body: configMap({}) };
      const values = new Map<string, number>();
      for (const { inFlight, count, ...shape } of loads) {
        const result = await contestant.requestsTo(account, request, { ...shape, count });
        if (!allAnswered(result, 201)) throw new Error(`${contestant.name} does not let a service account create`);
        values.set(what(inFlight, "service account"), count / result.seconds);
      }
      return values;
    } finally {
      await server.stop();
    }
  },
};
