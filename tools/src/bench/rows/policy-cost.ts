import { connectApi } from "../clusters/api.js";
import { allAnswered } from "../contestant.js";
import { configMap, configMapsPath } from "../workload.js";
import type { Row, Values } from "./row.js";

const without = "creates of 1.5 KB, 16 in flight, without a policy";
const within = "creates of 1.5 KB, 16 in flight, each checked by a ValidatingAdmissionPolicy";
const share = "share of the throughput that is left with the policy";
const policies = "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies";
const shape = { connections: 4, inFlightEach: 4, count: 4_000, unmeasured: 500 };

const policy = {
  apiVersion: "admissionregistration.k8s.io/v1",
  kind: "ValidatingAdmissionPolicy",
  metadata: { name: "bench" },
  spec: {
    failurePolicy: "Fail",
    matchConstraints: {
      resourceRules: [
        { apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE", "UPDATE"], resources: ["configmaps"] },
      ],
    },
    variables: [{ name: "keys", expression: "has(object.data) ? object.data.map(k, k) : []" }],
    validations: [
      { expression: "variables.keys.size() < 20", message: "too many keys" },
      {
        expression: "variables.keys.all(k, k != 'forbidden')",
        messageExpression: "'forbidden in ' + object.metadata.name",
      },
    ],
  },
};
const binding = {
  apiVersion: "admissionregistration.k8s.io/v1",
  kind: "ValidatingAdmissionPolicyBinding",
  metadata: { name: "bench" },
  spec: { policyName: "bench", validationActions: ["Deny"] },
};

/** With and without by turns on one server, so that both have the same machine. */
export const policyCost: Row = {
  name: "policy-cost",
  topic: "custom-resources",
  rounds: 3,
  figures: [
    { what: without, unit: "per s", better: "more", budget: 1 },
    { what: within, unit: "per s", better: "more", budget: 1 },
    {
      what: share,
      unit: "times",
      better: "more",
      budget: 0.9,
      budgetOf: "ours",
      quotient: { of: within, by: without },
    },
  ],
  async measure(contestant): Promise<Values> {
    const server = await contestant.prepare(await contestant.startAnother());
    const api = connectApi(server.access, contestant.signal);
    const throughput = async (): Promise<number> => {
      const result = await contestant.requestsTo(
        server,
        { method: "POST", path: configMapsPath, body: configMap({}) },
        shape,
      );
      if (!allAnswered(result, 201)) throw new Error(`${contestant.name} does not take the ConfigMaps`);
      return shape.count / result.seconds;
    };
    const values: [string, number][] = [];
    try {
      await throughput(); // warm
      await api.create(policies, policy);
      const forbidden = { ...(JSON.parse(configMap({})) as object), data: { forbidden: "x" } };
      for (let turn = 0; turn < 3; turn++) {
        values.push([without, await throughput()]);
        await api.create(`${policies.replace(/policies$/, "policybindings")}`, binding);
        while ((await api.send("POST", `${configMapsPath}?dryRun=All`, forbidden)).status !== 422);
        values.push([within, await throughput()]);
        await api.send("DELETE", `${policies.replace(/policies$/, "policybindings")}/bench`);
        while ((await api.send("POST", `${configMapsPath}?dryRun=All`, forbidden)).status === 422);
      }
      return values;
    } finally {
      api.close();
      await server.stop();
    }
  },
};
