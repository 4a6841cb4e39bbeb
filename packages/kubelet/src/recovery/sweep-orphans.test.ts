import { describe, expect, it } from "vitest";
import type { RuntimePod } from "../runtime/container-runtime.js";
import { planOrphans } from "./sweep-orphans.js";

const of = (uid: string, node?: string): RuntimePod => ({
  uid,
  name: uid,
  namespace: "default",
  isRunning: true,
  createdAt: 0,
  ...(node && { node }),
});

const cases: { name: string; runtime: RuntimePod[]; host: string[]; known: string[]; is: object }[] = [
  {
    name: "nothing of pods that the API server has",
    runtime: [of("a", "here")],
    host: ["a"],
    known: ["a"],
    is: { pods: [], traces: [] },
  },
  {
    name: "pods of an earlier cluster on this node",
    runtime: [of("a", "here")],
    host: ["a"],
    known: [],
    is: { pods: ["a"], traces: [] },
  },
  {
    name: "not what another kubelet made in the same runtime, nor its files",
    runtime: [of("a", "there"), of("b")],
    host: ["a", "b"],
    known: [],
    is: { pods: [], traces: [] },
  },
  {
    name: "volumes, groups and logs of pods whose containers are gone, each once",
    runtime: [],
    host: ["a", "a", "b"],
    known: ["b"],
    is: { pods: [], traces: ["a"] },
  },
];

describe("what is swept from a node", () => {
  for (const { name, runtime, host, known, is } of cases)
    it(name, () => expect(planOrphans("here", { runtime, host }, new Set(known))).toEqual(is));
});
