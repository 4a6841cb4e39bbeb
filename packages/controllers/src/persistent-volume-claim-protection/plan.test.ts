import type { Pod } from "@coxswain/api/core/v1";
import { describe, expect, it } from "vitest";
import { blocksDeletion, countsAsUse, planUnused } from "./plan.js";

const claim = (owner?: string) => ({
  metadata: {
    name: "pod-data",
    namespace: "default",
    ...(owner && { ownerReferences: [{ apiVersion: "v1", kind: "Pod", name: "pod", uid: owner, controller: true }] }),
  },
});
const byName = { name: "data", persistentVolumeClaim: { claimName: "pod-data" } };
const ephemeral = { name: "data", ephemeral: { volumeClaimTemplate: { spec: {} } } };
const pod = (volume: object, rest: Omit<Pod, "spec"> & { nodeName?: string } = {}): Pod => ({
  metadata: { name: "pod", namespace: "default", uid: "u1", ...rest.metadata },
  spec: { containers: [], volumes: [volume as never], nodeName: rest.nodeName ?? "n1" },
  status: rest.status ?? {},
});
const deleted = { deletionTimestamp: "2026-01-01T00:00:00Z", deletionGracePeriodSeconds: 0 };

describe("whether a pod keeps its claim", () => {
  const rows: { name: string; pod: Pod; claim?: ReturnType<typeof claim>; blocks: boolean; uses: boolean }[] = [
    { name: "a pod on a node", pod: pod(byName), blocks: true, uses: true },
    {
      name: "a pod without a node does not, and uses it",
      pod: pod(byName, { nodeName: "" }),
      blocks: false,
      uses: true,
    },
    {
      name: "a pod that has ended, as its volume may still be mounted",
      pod: pod(byName, { status: { phase: "Succeeded" } }),
      blocks: true,
      uses: false,
    },
    {
      name: "a pod with another claim does not",
      pod: pod({ name: "data", persistentVolumeClaim: { claimName: "other" } }),
      blocks: false,
      uses: false,
    },
    { name: "the owner of an ephemeral volume", pod: pod(ephemeral), claim: claim("u1"), blocks: true, uses: true },
    { name: "a namesake of the owner does not", pod: pod(ephemeral), claim: claim("u2"), blocks: false, uses: false },
    {
      name: "a pod that was shut down sets its ephemeral volume free",
      pod: pod(ephemeral, { metadata: deleted }),
      claim: claim("u1"),
      blocks: false,
      uses: false,
    },
    {
      name: "a pod that was shut down keeps a claim that it names",
      pod: pod(byName, { metadata: deleted }),
      blocks: true,
      uses: false,
    },
  ];
  for (const row of rows)
    it(row.name, () => {
      const held = row.claim ?? claim();
      expect([blocksDeletion(row.pod, held), countsAsUse(row.pod, held)]).toEqual([row.blocks, row.uses]);
    });
});

describe("the condition Unused", () => {
  const now = "2026-01-01T00:00:00Z";
  const condition = (status: string) => ({ type: "Unused", status, lastTransitionTime: now });
  const rows = [
    { name: "is written the first time", conditions: [], isUsed: true, status: "False", reason: "PodUsingPVC" },
    {
      name: "changes when the last pod goes",
      conditions: [condition("False")],
      isUsed: false,
      status: "True",
      reason: "NoPodsUsingPVC",
    },
  ];
  for (const { name, conditions, isUsed, status, reason } of rows)
    it(name, () => expect(planUnused({ status: { conditions } }, isUsed, now)).toMatchObject({ status, reason }));
  it("stays as it is otherwise", () =>
    expect(planUnused({ status: { conditions: [condition("True")] } }, false, now)).toBeUndefined());
});
