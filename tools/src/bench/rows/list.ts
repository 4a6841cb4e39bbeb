import { allAnswered } from "../contestant.js";
import { podsPath } from "../workload.js";
import type { Row, Values } from "./row.js";

const forms = [
  { what: "LIST of 10,000 pods, second: JSON", headers: { accept: "application/json" }, budget: 1 / 8 },
  {
    what: "LIST of 10,000 pods, second: gzip",
    headers: { accept: "application/json", "accept-encoding": "gzip" },
    budget: 1 / 8,
  },
  {
    what: "LIST of 10,000 pods, second: protobuf",
    headers: { accept: "application/vnd.kubernetes.protobuf" },
    budget: 1 / 2,
  },
  {
    what: "LIST of 10,000 pods, second: Table",
    headers: { accept: "application/json;as=Table;v=v1;g=meta.k8s.io" },
    budget: 1 / 3,
  },
];

export const list: Row = {
  name: "list",
  topic: "reads",
  figures: forms.map(({ what, budget }) => ({ what, unit: "ms", better: "less", budget })),
  rounds: 3,
  async measure(contestant): Promise<Values> {
    const values = new Map<string, number | "not yet">();
    const hasPods = await contestant.fillPods();
    for (const { what, headers } of forms) {
      const ask = () =>
        contestant.requests({ method: "GET", path: podsPath, headers }, { connections: 1, inFlightEach: 1, count: 1 });
      const first = hasPods ? await ask() : undefined;
      if (first === undefined || !allAnswered(first, 200)) {
        values.set(what, "not yet");
        continue;
      }
      const second = await ask();
      allAnswered(second, 200);
      values.set(what, second.seconds * 1000);
    }
    return values;
  },
};
