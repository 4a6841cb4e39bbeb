import { describe, expect, it } from "vitest";
import type { PodRuntimeStatus } from "../runtime/container-runtime.js";
import type { ActionFacts } from "./action-facts.js";
import { c, pod, run, runtime, sandbox, sidecar } from "./pod.test.support.js";
import { planPodActions } from "./pod-actions.js";
import { specHash } from "./spec-hash.js";

interface Case {
  name: string;
  spec?: object;
  now: PodRuntimeStatus;
  probes?: Record<string, "failure" | "success">;
  deleted?: boolean;
  restartsAll?: boolean;
  /** "sandbox", "kill pod", "+name" for a start, "-name" for a kill. */
  does: string;
}

const never = { restartPolicy: "Never" };
const probe = { exec: { command: ["true"] } };
const inits = { initContainers: [c("i"), c("j")] };
const mixed = { initContainers: [c("i"), sidecar("s"), c("j")] };

const startsAllOver = (name: string) =>
  c(name, {
    restartPolicy: "Never",
    restartPolicyRules: [{ action: "RestartAllContainers", exitCodes: { operator: "In", values: [42] } }],
  });

const cases: Case[] = [
  {
    name: "a new pod gets a sandbox and its containers",
    now: { sandboxes: [], containers: new Map() },
    does: "kill pod, sandbox, +a",
  },
  {
    name: "a new pod with init containers begins with the first",
    spec: inits,
    now: { sandboxes: [], containers: new Map() },
    does: "kill pod, sandbox, +i",
  },
  { name: "a running pod is left alone", now: runtime({ a: "running" }), does: "" },
  { name: "a container that exited comes again", now: runtime({ a: "exited 0" }), does: "+a" },
  { name: "a pod that never restarts is over", spec: never, now: runtime({ a: "exited 1" }), does: "kill pod" },
  {
    name: "on failure: a success is over",
    spec: { restartPolicy: "OnFailure" },
    now: runtime({ a: "exited 0" }),
    does: "kill pod",
  },
  {
    name: "on failure: a failure comes again",
    spec: { restartPolicy: "OnFailure" },
    now: runtime({ a: "exited 1" }),
    does: "+a",
  },
  {
    name: "one has ended, the other runs",
    spec: { ...never, containers: [c("a"), c("b")] },
    now: runtime({ a: "exited 0", b: "running" }),
    does: "",
  },
  { name: "a created container is started again", now: runtime({ a: "created" }), does: "+a" },
  { name: "nothing is restarted in a deleted pod", deleted: true, now: runtime({ a: "exited 1" }), does: "kill pod" },
  {
    name: "a changed image replaces the container",
    spec: { ...never, containers: [c("a", { image: "new" })] },
    now: runtime({ a: "running" }),
    does: "-a definition, +a",
  },
  {
    name: "a failed liveness probe restarts",
    now: runtime({ a: "running" }),
    probes: { "a liveness": "failure" },
    does: "-a liveness, +a",
  },
  {
    name: "a failed liveness probe ends what is never restarted",
    spec: never,
    now: runtime({ a: "running" }),
    probes: { "a liveness": "failure" },
    does: "kill pod, -a liveness",
  },
  {
    name: "a failed startup probe restarts",
    now: runtime({ a: "running" }),
    probes: { "a startup": "failure" },
    does: "-a startup, +a",
  },
  {
    name: "a lost sandbox starts everything over",
    spec: inits,
    now: runtime({ i: "exited 0", a: "exited 137" }, sandbox("notReady")),
    does: "kill pod, sandbox, +i",
  },
  {
    name: "a lost sandbox of a pod that never restarts ends it",
    spec: never,
    now: runtime({ a: "exited 137" }, sandbox("notReady")),
    does: "kill pod",
  },
  { name: "the first init container runs", spec: inits, now: runtime({ i: "running" }), does: "" },
  { name: "the second init container follows the first", spec: inits, now: runtime({ i: "exited 0" }), does: "+j" },
  {
    name: "containers follow the last init container",
    spec: inits,
    now: runtime({ i: "exited 0", j: "exited 0" }),
    does: "+a",
  },
  { name: "a failed init container comes again", spec: inits, now: runtime({ i: "exited 1" }), does: "+i" },
  {
    name: "a failed init container ends a pod that never restarts",
    spec: { ...inits, ...never },
    now: runtime({ i: "exited 1" }),
    does: "kill pod",
  },
  {
    name: "what follows a sidecar starts when it runs",
    spec: mixed,
    now: runtime({ i: "exited 0", s: "running" }),
    does: "+j",
  },
  {
    name: "a sidecar with a startup probe is waited for",
    spec: { initContainers: [sidecar("s", { startupProbe: probe })] },
    now: runtime({ s: "running" }),
    does: "",
  },
  {
    name: "a started sidecar lets the containers run",
    spec: { initContainers: [sidecar("s", { startupProbe: probe })] },
    now: runtime({ s: "running" }),
    probes: { "s startup": "success" },
    does: "+a",
  },
  {
    name: "a sidecar that exited comes again beside its pod",
    spec: mixed,
    now: runtime({ i: "exited 0", s: "exited 1", j: "exited 0", a: "running" }),
    does: "+s",
  },
  {
    name: "a sidecar that exited comes again during initialization",
    spec: mixed,
    now: runtime({ i: "exited 0", s: "exited 1", j: "running" }),
    does: "+s",
  },
  {
    name: "a sidecar keeps no pod alive",
    spec: { ...never, initContainers: [sidecar("s")] },
    now: runtime({ s: "running", a: "exited 0" }),
    does: "kill pod",
  },
  {
    name: "an ephemeral container starts at any time",
    spec: { ephemeralContainers: [{ name: "debug" }] },
    now: runtime({ a: "running" }),
    does: "+debug",
  },
  {
    name: "an ephemeral container never starts again",
    spec: { ephemeralContainers: [{ name: "debug" }] },
    now: runtime({ a: "running", debug: "exited 0" }),
    does: "",
  },
  {
    name: "all start over: those that caused it are removed last, ephemeral ones stay",
    spec: {
      ...never,
      initContainers: [c("i"), sidecar("s")],
      containers: [startsAllOver("a"), c("b")],
      ephemeralContainers: [{ name: "debug" }],
    },
    restartsAll: true,
    now: runtime({ i: "exited 0", s: "running", a: "exited 42", b: "running", debug: "running" }),
    does: "-b removed, i removed, -s removed, a removed",
  },
  {
    name: "all start over: once all are removed, the first init container starts",
    spec: { ...never, initContainers: [c("i")], containers: [startsAllOver("a")] },
    now: runtime({}),
    does: "+i",
  },
];

describe("what is to be done about a pod", () => {
  for (const { name, spec = {}, now, probes = {}, deleted = false, restartsAll = false, does } of cases)
    it(name, () => {
      const facts: ActionFacts = {
        runtime: now,
        restartsAll,
        hashOf: specHash,
        probed: (record, kind) => probes[`${record.name} ${kind}`],
        needsRestartToResize: () => false,
      };
      const actions = planPodActions(pod(spec, deleted ? { deletionTimestamp: "2026-01-01T00:00:00Z" } : {}), facts);
      const taken = [
        ...(actions.killPod ? ["kill pod"] : []),
        ...(actions.createSandbox ? ["sandbox"] : []),
        ...actions.reset.map(({ container, kill }) => `${kill ? "-" : ""}${container.name} removed`),
        ...actions.kill.map(({ container, reason }) => `-${container.name} ${reason}`),
        ...[...actions.startEphemeral, ...actions.startInit, ...actions.start].map((container) => `+${container.name}`),
      ];
      expect(taken.join(", ")).toBe(does);
    });

  it("messages report what happens next", () => {
    const facts: ActionFacts = {
      runtime: runtime({ a: "running" }),
      restartsAll: false,
      hashOf: () => "other",
      probed: () => undefined,
      needsRestartToResize: () => false,
    };
    expect(planPodActions(pod(), facts).kill[0]?.message).toBe("Container a definition changed, will be restarted");
    expect(run("a", "running").specHash).not.toBe("other");
  });
});
