import { describe, expect, it } from "vitest";
import { attachableOfPodVolume, attachableOfVolume, attachmentName } from "./attachable.js";
import { createAttachMemory } from "./memory.js";
import { type NodeFacts, type NodePlan, planVolume } from "./plan.js";

const minutes = (count: number): number => count * 60_000;
const limits = { maxWaitMs: minutes(6), isForceDisabled: false, nowMs: minutes(10) };
const attached = { isAttached: true, isBeingDeleted: false, sinceMs: 0 };
const pending = { isAttached: false, isBeingDeleted: false, sinceMs: minutes(10) - 1000 };
const facts = (node: string, rest: Partial<NodeFacts> = {}): NodeFacts => ({
  node,
  pods: [],
  isInUse: false,
  isNodeReady: true,
  isOutOfService: false,
  ...rest,
});
const pods = (...names: string[]) =>
  names.map((name) => ({ namespace: name.split("/")[0] ?? "", name: name.split("/")[1] ?? "" }));

describe("a volume on its nodes", () => {
  const rows: {
    name: string;
    nodes: NodeFacts[];
    isExclusive?: boolean;
    limits?: object;
    plans: Record<string, NodePlan>;
  }[] = [
    {
      name: "is attached where a pod needs it",
      nodes: [facts("n", { pods: pods("a/p") })],
      plans: { n: { kind: "attach" } },
    },
    {
      name: "stays where a pod needs it",
      nodes: [facts("n", { pods: pods("a/p"), attachment: attached })],
      plans: { n: { kind: "keep" } },
    },
    {
      name: "is waited for, and after two minutes an event reports it",
      nodes: [facts("n", { pods: pods("a/p"), attachment: pending })],
      plans: { n: { kind: "attaching", timeoutAtMs: minutes(12) - 1000 } },
    },
    {
      name: "is reported when its driver fails",
      nodes: [facts("n", { pods: pods("a/p"), attachment: { ...pending, error: "no such disk" } })],
      plans: { n: { kind: "failed", message: "no such disk" } },
    },
    {
      name: "waits until it is detached before it is attached again",
      nodes: [facts("n", { pods: pods("a/p"), attachment: { ...attached, isBeingDeleted: true } })],
      plans: { n: { kind: "detaching" } },
    },
    {
      name: "is detached where nobody needs it",
      nodes: [facts("n", { attachment: attached })],
      plans: { n: { kind: "detach", isVerified: true } },
    },
    {
      name: "is detached also where it may not be attached",
      nodes: [facts("n", { attachment: pending })],
      plans: { n: { kind: "detach", isVerified: true } },
    },
    {
      name: "stays while the node uses it",
      nodes: [facts("n", { attachment: attached, isInUse: true })],
      plans: { n: { kind: "keep", recheckAtMs: minutes(16) + 1 } },
    },
    {
      name: "stays on a ready node that uses it, however long",
      nodes: [facts("n", { attachment: attached, isInUse: true, detachRequestedMs: 0 })],
      plans: { n: { kind: "keep" } },
    },
    {
      name: "is taken from a node that is not ready after six minutes",
      nodes: [facts("n", { attachment: attached, isInUse: true, isNodeReady: false, detachRequestedMs: 0 })],
      plans: { n: { kind: "detach", isVerified: false } },
    },
    {
      name: "is not taken before",
      nodes: [facts("n", { attachment: attached, isInUse: true, isNodeReady: false, detachRequestedMs: minutes(5) })],
      plans: { n: { kind: "keep", recheckAtMs: minutes(11) + 1 } },
    },
    {
      name: "is never taken where that is switched off",
      nodes: [facts("n", { attachment: attached, isInUse: true, isNodeReady: false, detachRequestedMs: 0 })],
      limits: { isForceDisabled: true },
      plans: { n: { kind: "keep" } },
    },
    {
      name: "is taken at once from a node that is out of service",
      nodes: [facts("n", { attachment: attached, isInUse: true, isNodeReady: false, isOutOfService: true })],
      plans: { n: { kind: "detach", isVerified: false } },
    },
    {
      name: "is attached to several nodes where that is allowed",
      nodes: [facts("m", { pods: pods("a/p"), attachment: attached }), facts("n", { pods: pods("a/q") })],
      plans: { m: { kind: "keep" }, n: { kind: "attach" } },
    },
    {
      name: "of one node at a time names the pods that have it",
      isExclusive: true,
      nodes: [facts("m", { pods: pods("a/p", "b/x"), attachment: attached }), facts("n", { pods: pods("a/q") })],
      plans: {
        m: { kind: "keep" },
        n: {
          kind: "blocked",
          messages: [
            {
              namespace: "a",
              name: "q",
              message:
                'Waiting for detach for volume "pv" Volume is already used by pod(s) p and 1 pod(s) in different namespaces',
            },
          ],
        },
      },
    },
    {
      name: "of one node at a time does not name pods of other namespaces",
      isExclusive: true,
      nodes: [facts("m", { pods: pods("b/x"), attachment: attached }), facts("n", { pods: pods("a/q") })],
      plans: {
        m: { kind: "keep" },
        n: {
          kind: "blocked",
          messages: [
            {
              namespace: "a",
              name: "q",
              message: 'Waiting for detach for volume "pv" Volume is already used by 1 pod(s) in different namespaces',
            },
          ],
        },
      },
    },
    {
      name: "of one node at a time waits for the node that nobody needs it on any more",
      isExclusive: true,
      nodes: [facts("m", { attachment: attached, isInUse: true }), facts("n", { pods: pods("a/q") })],
      plans: {
        m: { kind: "keep", recheckAtMs: minutes(16) + 1 },
        n: {
          kind: "blocked",
          messages: [
            {
              namespace: "a",
              name: "q",
              message:
                'Waiting for detach for volume "pv" Volume is already exclusively attached to one node, waiting on detach before it can be attached to another node',
            },
          ],
        },
      },
    },
    {
      name: "of one node at a time waits silently while it is being detached",
      isExclusive: true,
      nodes: [facts("m", { attachment: { ...attached, isBeingDeleted: true } }), facts("n", { pods: pods("a/q") })],
      plans: { m: { kind: "detaching" }, n: { kind: "blocked", messages: [] } },
    },
  ];
  for (const row of rows)
    it(row.name, () =>
      expect(
        Object.fromEntries(
          planVolume({ title: "pv", isExclusive: row.isExclusive ?? false }, row.nodes, { ...limits, ...row.limits }),
        ),
      ).toEqual(row.plans),
    );
});

describe("the names of volumes", () => {
  it("of CSI drivers", () =>
    expect(
      attachableOfVolume({
        metadata: { name: "pv" },
        spec: { csi: { driver: "d", volumeHandle: "h" }, accessModes: ["ReadWriteOncePod"] },
      }),
    ).toEqual({
      name: "kubernetes.io/csi/d^h",
      title: "pv",
      csi: { driver: "d", handle: "h", persistentVolume: "pv" },
      isExclusive: true,
    }));
  it("of iSCSI", () =>
    expect(
      attachableOfPodVolume({ name: "v", iscsi: { targetPortal: "1.2.3.4:3260", iqn: "iqn.x", lun: 0 } })?.name,
    ).toBe("kubernetes.io/iscsi/1.2.3.4:3260:iqn.x:0"));
  it("of Fibre Channel", () =>
    expect(attachableOfPodVolume({ name: "v", fc: { targetWWNs: ["a", "b"], lun: 1 } })?.name).toBe(
      "kubernetes.io/fc/[a b]:1",
    ));
  it("others are not attached", () => expect(attachableOfPodVolume({ name: "v", emptyDir: {} })).toBeUndefined());
  it("of VolumeAttachments are those that kubelets compute", () =>
    expect(attachmentName("d", "h", "n")).toBe("csi-9072ed11cc1acb5fa433a877ff339b6311d013f33bddd1d0092711a8ace5b16d"));
});

describe("what is remembered", () => {
  it("when a volume was to be detached first, until it is needed again", () => {
    const memory = createAttachMemory();
    memory.keepDetachRequests("v", ["n"], 1);
    memory.keepDetachRequests("v", ["n"], 2);
    expect(memory.detachRequestedMs("v", "n")).toBe(1);
    memory.keepDetachRequests("v", [], 3);
    expect(memory.detachRequestedMs("v", "n")).toBeUndefined();
  });
  it("what a node that went had mounted, until it is back", () => {
    const memory = createAttachMemory();
    memory.nodeWent("n", ["v"]);
    expect([memory.wasInUse("v", "n"), memory.wasInUse("w", "n"), memory.wasInUse("v", "m")]).toEqual([
      true,
      false,
      undefined,
    ]);
    memory.nodeCame("n");
    expect(memory.wasInUse("v", "n")).toBeUndefined();
  });
});
