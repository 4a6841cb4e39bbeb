import { describe, expect, it } from "vitest";
import { planPhase } from "./phase.js";
import { c, pod, sidecar, status } from "./pod.test.support.js";

const never = { restartPolicy: "Never" as const };
const onFailure = { restartPolicy: "OnFailure" as const };
const two = { containers: [c("a"), c("b")] };
const withInit = { initContainers: [c("i")], containers: [c("a")] };
const withSidecar = { initContainers: [sidecar("s")], containers: [c("a")] };

const cases: {
  name: string;
  spec: object;
  states: Record<string, string>;
  phase: string;
  isTerminal?: boolean;
  hasInitialized?: boolean;
}[] = [
  { name: "nothing is known", spec: {}, states: {}, phase: "Pending" },
  { name: "a container waits", spec: {}, states: { a: "waiting" }, phase: "Pending" },
  { name: "all run", spec: two, states: { a: "running", b: "running" }, phase: "Running" },
  { name: "one runs, one waits", spec: two, states: { a: "running", b: "waiting" }, phase: "Pending" },
  {
    name: "one runs, one has exited",
    spec: { ...two, ...never },
    states: { a: "running", b: "exited 1" },
    phase: "Running",
  },
  { name: "exited, and comes again", spec: {}, states: { a: "exited 1" }, phase: "Running" },
  { name: "waits to come again", spec: {}, states: { a: "waiting after 1" }, phase: "Running" },
  {
    name: "all succeeded, never again",
    spec: { ...two, ...never },
    states: { a: "exited 0", b: "exited 0" },
    phase: "Succeeded",
  },
  {
    name: "one failed, never again",
    spec: { ...two, ...never },
    states: { a: "exited 0", b: "exited 1" },
    phase: "Failed",
  },
  { name: "failed, again on failure", spec: onFailure, states: { a: "exited 1" }, phase: "Running" },
  { name: "succeeded, again on failure", spec: onFailure, states: { a: "exited 0" }, phase: "Succeeded" },
  {
    name: "always again, but the pod is over",
    spec: {},
    states: { a: "exited 0" },
    isTerminal: true,
    phase: "Succeeded",
  },
  {
    name: "always again, but the pod is over, and failed",
    spec: {},
    states: { a: "exited 137" },
    isTerminal: true,
    phase: "Failed",
  },
  {
    name: "waits to come again, but the pod is over",
    spec: {},
    states: { a: "waiting after 0" },
    isTerminal: true,
    phase: "Failed",
  },
  { name: "an init container runs", spec: withInit, states: { i: "running", a: "waiting" }, phase: "Pending" },
  {
    name: "an init container failed for good",
    spec: { ...withInit, ...never },
    states: { i: "exited 1", a: "waiting" },
    phase: "Failed",
  },
  {
    name: "an init container failed and comes again",
    spec: withInit,
    states: { i: "exited 1", a: "waiting" },
    phase: "Pending",
  },
  { name: "init containers are done", spec: withInit, states: { i: "exited 0", a: "running" }, phase: "Running" },
  {
    name: "a sidecar has not started",
    spec: withSidecar,
    states: { s: "running unstarted", a: "waiting" },
    phase: "Pending",
  },
  {
    name: "a sidecar restarts beside a running container",
    spec: withSidecar,
    states: { s: "running unstarted", a: "running" },
    hasInitialized: true,
    phase: "Running",
  },
  {
    name: "only the sidecar is left",
    spec: { ...withSidecar, ...never },
    states: { s: "running", a: "exited 0" },
    hasInitialized: true,
    phase: "Running",
  },
  {
    name: "the sidecar's exit does not count",
    spec: { ...withSidecar, ...never },
    states: { s: "exited 137", a: "exited 0" },
    hasInitialized: true,
    phase: "Succeeded",
  },
  {
    name: "a rule restarts a container of a pod that never does",
    spec: {
      ...never,
      containers: [
        c("a", {
          restartPolicy: "Never",
          restartPolicyRules: [{ action: "Restart", exitCodes: { operator: "In", values: [42] } }],
        }),
      ],
    },
    states: { a: "exited 42" },
    phase: "Running",
  },
];

describe("the phase of a pod", () => {
  for (const { name, spec, states, phase, isTerminal = false, hasInitialized = false } of cases)
    it(`${name}: ${phase}`, () => {
      const statuses = Object.entries(states).map(([container, text]) => status(container, text));
      expect(planPhase(pod(spec), { statuses, isTerminal, hasInitialized })).toBe(phase);
    });
});
