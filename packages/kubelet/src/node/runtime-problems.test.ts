import { describe, expect, it } from "vitest";
import type { RuntimeStatus } from "../runtime/container-runtime.js";
import { runtimeProblems } from "./runtime-problems.js";

const status = (network: boolean, runtime = true): RuntimeStatus => ({
  conditions: [
    { type: "RuntimeReady", status: runtime, reason: "", message: "" },
    {
      type: "NetworkReady",
      status: network,
      reason: network ? "" : "NetworkPluginNotReady",
      message: network ? "" : "Network plugin returns error: cni plugin not initialized",
    },
  ],
  handlers: [],
  features: { supplementalGroupsPolicy: false },
});

const cases: { name: string; status: RuntimeStatus | undefined; problems: string[] }[] = [
  { name: "nothing, when all is well", status: status(true), problems: [] },
  { name: "a runtime that is gone", status: undefined, problems: ["container runtime is down"] },
  {
    name: "a network that is not there yet",
    status: status(false),
    problems: [
      "container runtime network not ready: NetworkReady=false reason:NetworkPluginNotReady message:Network plugin returns error: cni plugin not initialized",
    ],
  },
  {
    name: "both",
    status: status(false, false),
    problems: [
      "container runtime network not ready: NetworkReady=false reason:NetworkPluginNotReady message:Network plugin returns error: cni plugin not initialized",
      "container runtime not ready: RuntimeReady=false reason: message:",
    ],
  },
];

describe("why a node is not ready", () => {
  for (const { name, status: found, problems } of cases)
    it(name, () => expect(runtimeProblems(found)).toEqual(problems));
});
