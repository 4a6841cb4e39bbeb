import { systemRuntime } from "@coxswain/runtime";
import { describe, expect, it } from "vitest";
import type { ContainerRuntime, RuntimePod } from "../runtime/container-runtime.js";
import { planOrphans, sweepOrphans } from "./sweep-orphans.js";

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

describe("a sweep", () => {
  const { log } = systemRuntime();
  const emptyStatus = { sandboxes: [], containers: new Map() };
  const open = (traces: () => readonly string[], release = async (_uid: string): Promise<void> => {}) => {
    const discarded: string[] = [];
    const containers = { listPods: async () => [], podStatus: async () => emptyStatus } as unknown as ContainerRuntime;
    const host = { release, discard: async (uid: string) => void discarded.push(uid) };
    return { discarded, options: { nodeName: "here", containers, host, hostUids: async () => traces(), log } };
  };

  it("does not take a pod that begins while the node is looked at", async () => {
    const known = new Set<string>();
    const { options, discarded } = open(() => {
      known.add("new"); // its worker is there before its volumes
      return ["new", "old"];
    });
    expect(await sweepOrphans(options, () => known)).toBe(true);
    expect(discarded).toEqual(["old"]);
  });

  it("answers that something is left, and removes the rest", async () => {
    const { options, discarded } = open(
      () => ["stuck", "old"],
      async (uid) => {
        if (uid === "stuck") throw new Error("the connection was lost");
      },
    );
    expect(await sweepOrphans(options, () => new Set())).toBe(false);
    expect(discarded).toEqual(["old"]);
  });
});
