import { connectApi } from "../clusters/api.js";
import { allAnswered } from "../contestant.js";
import { definitionsPath, ruleCount, ruledDefinition, thing, thingsPath } from "../custom-resources.js";
import type { Row } from "./row.js";

const what = `creates of a custom resource with ${ruleCount} CEL rules, 16 in flight`;
const group = "ruled.example.com";
const shape = { connections: 4, inFlightEach: 4, count: 6_000, unmeasured: 1_000 };

export const crdRules: Row = {
  name: "crd-rules",
  topic: "custom-resources",
  figures: [{ what, unit: "per s", better: "more", budget: 1.5 }],
  async measure(contestant) {
    const server = await contestant.startAnother();
    const api = connectApi(server.access, contestant.signal);
    try {
      await api.create(definitionsPath, ruledDefinition(group));
      while ((await api.send("POST", thingsPath(group), thing(group))).status !== 201);
      const request = { method: "POST", path: thingsPath(group), body: JSON.stringify(thing(group)) };
      const result = await contestant.requestsTo(server, request, shape);
      if (!allAnswered(result, 201)) throw new Error(`${contestant.name} does not take the objects`);
      return new Map([[what, shape.count / result.seconds]]);
    } finally {
      api.close();
      await server.stop();
    }
  },
};
