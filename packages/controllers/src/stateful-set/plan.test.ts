import type { StatefulSet } from "@coxswain/api/apps/v1";
import type { PersistentVolumeClaim } from "@coxswain/api/core/v1";
import { describe, expect, it } from "vitest";
import { type TestPod, testPod } from "../pods/pods.test.support.js";
import { isRetentionRight, retainedOwners } from "./claim-retention.js";
import { claimsOf, newPod, parentAndOrdinal } from "./identity.js";
import { planStatefulSet, type StatefulSetState } from "./plan.js";

const now = Date.UTC(2026, 0, 1);
type Spec = Partial<NonNullable<StatefulSet["spec"]>>;
const statefulSet = (spec: Spec = {}, status?: StatefulSet["status"]): StatefulSet => ({
  metadata: { name: "db", namespace: "default", uid: "s", generation: 1 },
  spec: {
    replicas: 3,
    selector: { matchLabels: { app: "db" } },
    serviceName: "db",
    updateStrategy: { type: "RollingUpdate", rollingUpdate: { partition: 0 } },
    template: { metadata: { labels: { app: "db" } }, spec: { containers: [{ name: "c", image: "i" }] } },
    ...spec,
  },
  ...(status && { status }),
});
interface Given extends TestPod {
  ordinal: number;
  revision?: string;
}
/** Running and ready since long, with its identity, unless given otherwise. */
const member = ({ ordinal, revision = "new", ...pod }: Given) =>
  testPod({
    name: `db-${ordinal}`,
    readySince: now - 3_600_000,
    labels: { "statefulset.kubernetes.io/pod-name": `db-${ordinal}`, "controller-revision-hash": revision },
    ...pod,
  });
const planFor = (set: StatefulSet, pods: Given[], more: Partial<StatefulSetState> = {}) =>
  planStatefulSet({
    set,
    current: { set, revision: "old" },
    update: { set, revision: "new" },
    collisionCount: 0,
    pods: pods.map(member),
    claim: () => undefined,
    now,
    hasMaxUnavailable: false,
    ...more,
  });
const steps = (plan: ReturnType<typeof planFor>): string[] =>
  plan.phases.flat(2).map((step) => `${step.do} ${step.pod.metadata?.name}`);

/** As `member`, without a time of readiness. */
const pending = (ordinal: number, revision = "new") => {
  const pod = member({ ordinal, revision, phase: "Pending" });
  return { ...pod, status: { phase: "Pending" as const } };
};

describe("the next writes of a StatefulSet", () => {
  const parallel: Spec = { podManagementPolicy: "Parallel" };
  const rows: {
    name: string;
    spec?: Spec;
    pods: Given[];
    pending?: number[];
    more?: Partial<StatefulSetState>;
    steps: string[];
  }[] = [
    { name: "the first pod first", pods: [], steps: ["create db-0"] },
    { name: "the next when the one before is available", pods: [{ ordinal: 0 }], steps: ["create db-1"] },
    { name: "nothing while one is not ready", pods: [], pending: [0], steps: [] },
    {
      name: "all at once where order does not matter",
      spec: parallel,
      pods: [{ ordinal: 1 }],
      steps: ["create db-0", "create db-2"],
    },
    {
      name: "numbers from the one that the set begins with",
      spec: { ordinals: { start: 5 } },
      pods: [{ ordinal: 5 }],
      steps: ["create db-6"],
    },
    {
      name: "a pod that failed goes, and its successor waits",
      pods: [{ ordinal: 0, phase: "Failed" }, { ordinal: 1 }],
      steps: ["delete db-0"],
    },
    {
      name: "the highest of those that are too many goes first, alone",
      spec: { replicas: 1 },
      pods: [{ ordinal: 0 }, { ordinal: 1 }, { ordinal: 2 }],
      steps: ["delete db-2"],
    },
    {
      name: "all that are too many go at once where order does not matter",
      spec: { ...parallel, replicas: 1 },
      pods: [{ ordinal: 0 }, { ordinal: 1 }, { ordinal: 2 }],
      steps: ["delete db-2", "delete db-1"],
    },
    {
      name: "the one that goes is waited for",
      spec: { replicas: 1 },
      pods: [{ ordinal: 0 }, { ordinal: 1 }, { ordinal: 2, deletedAt: now }],
      steps: [],
    },
    {
      name: "an update goes from the highest ordinal down",
      pods: [0, 1, 2].map((ordinal) => ({ ordinal, revision: "old" })),
      steps: ["delete db-2"],
    },
    {
      name: "an update goes on when the last one is available",
      pods: [{ ordinal: 0, revision: "old" }, { ordinal: 1, revision: "old" }, { ordinal: 2 }],
      steps: ["delete db-1"],
    },
    {
      name: "an update stops at the partition",
      spec: { updateStrategy: { type: "RollingUpdate", rollingUpdate: { partition: 2 } } },
      pods: [{ ordinal: 0, revision: "old" }, { ordinal: 1, revision: "old" }, { ordinal: 2 }],
      steps: [],
    },
    {
      name: "nothing is updated until it is deleted, with the strategy OnDelete",
      spec: { updateStrategy: { type: "OnDelete" } },
      pods: [0, 1, 2].map((ordinal) => ({ ordinal, revision: "old" })),
      steps: [],
    },
    {
      name: "several are updated at once where that many may be unavailable",
      spec: { updateStrategy: { type: "RollingUpdate", rollingUpdate: { partition: 0, maxUnavailable: 2 } } },
      pods: [0, 1, 2].map((ordinal) => ({ ordinal, revision: "old" })),
      more: { hasMaxUnavailable: true },
      steps: ["delete db-2", "delete db-1"],
    },
    {
      name: "a pod without its label is given it",
      pods: [{ ordinal: 0, labels: {} }, { ordinal: 1 }, { ordinal: 2 }],
      steps: ["update db-0", "delete db-0"],
    },
  ];
  for (const row of rows)
    it(row.name, () => {
      const pods = [...row.pods.map(member), ...(row.pending ?? []).map((ordinal) => pending(ordinal))];
      expect(steps(planFor(statefulSet(row.spec), [], { pods, ...row.more }))).toEqual(row.steps);
    });
  it("below the partition a pod is created of the current revision", () => {
    const set = statefulSet({ updateStrategy: { type: "RollingUpdate", rollingUpdate: { partition: 1 } } });
    const [step] = planFor(set, []).phases.flat(2);
    expect(step?.pod.metadata?.labels?.["controller-revision-hash"]).toBe("old");
  });
  it("a set that is being deleted only counts", () => {
    const set = statefulSet();
    const plan = planFor({ ...set, metadata: { ...set.metadata, deletionTimestamp: "2026-01-01T00:00:00Z" } }, [
      { ordinal: 0 },
    ]);
    expect(plan).toMatchObject({ phases: [], status: { replicas: 1, readyReplicas: 1, updatedReplicas: 1 } });
  });
  it("an update that has reached all pods makes its revision the current one", () =>
    expect(planFor(statefulSet({ replicas: 1 }), [{ ordinal: 0 }]).status).toMatchObject({
      currentRevision: "new",
      currentReplicas: 1,
      availableReplicas: 1,
    }));
  it("an update that is under way does not", () =>
    expect(
      planFor(statefulSet({ replicas: 2 }), [{ ordinal: 0, revision: "old" }, { ordinal: 1 }]).status,
    ).toMatchObject({
      currentRevision: "old",
      currentReplicas: 0,
      updatedReplicas: 1,
    }));
});

describe("the identity of a pod", () => {
  const rows: [name: string, pod: string, parent: string, ordinal: number][] = [
    ["is its set's name and its number", "db-12", "db", 12],
    ["is the last number of several", "db-1-2", "db-1", 2],
    ["is none without a number", "db-x", "", -1],
    ["is no number that is too large", "db-4294967296", "db", -1],
  ];
  for (const [name, pod, parent, ordinal] of rows)
    it(name, () => expect(parentAndOrdinal(pod)).toEqual({ parent, ordinal }));
  it("gives it a host name, labels and claims", () => {
    const set = statefulSet({ volumeClaimTemplates: [{ metadata: { name: "data" } }] });
    const pod = newPod(set, 2, "new");
    expect(pod.metadata).toMatchObject({
      name: "db-2",
      generateName: "db-",
      labels: { app: "db", "apps.kubernetes.io/pod-index": "2" },
    });
    expect(pod.spec).toMatchObject({
      hostname: "db-2",
      subdomain: "db",
      volumes: [{ name: "data", persistentVolumeClaim: { claimName: "data-db-2" } }],
    });
    expect(claimsOf(set, 2)).toMatchObject([{ metadata: { name: "data-db-2", labels: { app: "db" } } }]);
  });
});

describe("who owns a claim", () => {
  const rows: [
    name: string,
    scaled: "Retain" | "Delete",
    deleted: "Retain" | "Delete",
    ordinal: number,
    owner: string | undefined,
  ][] = [
    ["nobody, where it is retained", "Retain", "Retain", 0, undefined],
    ["the set, where it goes with it", "Retain", "Delete", 0, "StatefulSet"],
    ["nobody, where it goes with a pod that stays", "Delete", "Retain", 0, undefined],
    ["a pod that is scaled away", "Delete", "Retain", 9, "Pod"],
    ["the set, where it goes with both and the pod stays", "Delete", "Delete", 0, "StatefulSet"],
    ["the pod, where it goes with both and the pod goes", "Delete", "Delete", 9, "Pod"],
  ];
  for (const [name, whenScaled, whenDeleted, ordinal, owner] of rows)
    it(name, () => {
      const set = statefulSet({ persistentVolumeClaimRetentionPolicy: { whenScaled, whenDeleted } });
      const pod = member({ ordinal });
      const claim: PersistentVolumeClaim = { metadata: { name: "data", ownerReferences: [] } };
      const ownerReferences = retainedOwners(claim, set, pod);
      expect(ownerReferences.map(({ kind }) => kind)).toEqual(owner === undefined ? [] : [owner]);
      expect(isRetentionRight(claim, set, pod)).toBe(owner === undefined);
      expect(isRetentionRight({ metadata: { name: "data", ownerReferences } }, set, pod)).toBe(true);
    });
  it("another controller keeps its claim", () => {
    const set = statefulSet({ persistentVolumeClaimRetentionPolicy: { whenScaled: "Delete", whenDeleted: "Delete" } });
    const other = { apiVersion: "v1", kind: "Other", name: "o", uid: "o", controller: true };
    const claim = { metadata: { name: "data", ownerReferences: [other] } };
    expect(isRetentionRight(claim, set, member({ ordinal: 0 }))).toBe(true);
  });
});
