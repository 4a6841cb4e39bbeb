import { formatTime } from "@coxswain/apimachinery/time";
import { describe, expect, it } from "vitest";
import { conditionOf } from "./conditions.js";
import { maxSurge, maxUnavailable } from "./deployment-strategy.js";
import { planCleanup } from "./plan-cleanup.js";
import { planRolling } from "./plan-rolling.js";
import { isScalingEvent, planScale, type Scaling } from "./plan-scale.js";
import { nextProgressCheck, planRolloutStatus, planStatus } from "./plan-status.js";
import {
  now,
  type TestDeployment,
  type TestReplicaSet,
  testDeployment,
  testReplicaSet,
} from "./replica-set.test.support.js";
import { lastRevision, maxRevision, withRevision } from "./revision.js";
import { planRollback } from "./rollback.js";

const sizes = (plan: readonly Scaling[]) =>
  Object.fromEntries(plan.map(({ replicaSet, replicas }) => [replicaSet.metadata?.name, replicas]));
const named = (sets: readonly TestReplicaSet[]) =>
  sets.map((set, index) => testReplicaSet({ name: `old${index}`, age: sets.length - index, ...set }));

describe("how far a rollout may go", () => {
  const rows: [name: string, given: TestDeployment, surge: number, unavailable: number][] = [
    [
      "percents of the surge are rounded up, of the unavailable down",
      { replicas: 10, maxSurge: "25%", maxUnavailable: "25%" },
      3,
      2,
    ],
    ["where both are nothing, one pod may be unavailable", { replicas: 10, maxSurge: 0, maxUnavailable: 0 }, 0, 1],
    ["no more can be unavailable than there are", { replicas: 2, maxUnavailable: 5 }, 0, 2],
    ["nothing can be unavailable where nothing is asked for", { replicas: 0, maxUnavailable: 5 }, 0, 0],
  ];
  for (const [name, given, surge, unavailable] of rows)
    it(name, () => {
      const deployment = testDeployment(given);
      expect([maxSurge(deployment), maxUnavailable(deployment)]).toEqual([surge, unavailable]);
    });
});

describe("the next step of a rolling update", () => {
  const rows: {
    name: string;
    deployment: TestDeployment;
    current: TestReplicaSet;
    old: TestReplicaSet[];
    plan: object;
  }[] = [
    {
      name: "the new ReplicaSet grows as far as the surge allows",
      deployment: { replicas: 10, maxSurge: 2 },
      current: { replicas: 0 },
      old: [{ replicas: 10 }],
      plan: { new: 2 },
    },
    {
      name: "it never gets more than is asked for",
      deployment: { replicas: 10, maxSurge: 20 },
      current: { replicas: 8 },
      old: [],
      plan: { new: 10 },
    },
    {
      name: "it shrinks to what is asked for",
      deployment: { replicas: 2 },
      current: { replicas: 5 },
      old: [{ replicas: 3 }],
      plan: { new: 2 },
    },
    {
      name: "old pods go as far as availability allows",
      deployment: { replicas: 10, maxUnavailable: 2 },
      current: { replicas: 0 },
      old: [{ replicas: 10 }],
      plan: { old0: 8 },
    },
    {
      name: "old pods wait for new ones to become available",
      deployment: { replicas: 10, maxSurge: 2 },
      current: { replicas: 2, available: 0 },
      old: [{ replicas: 10 }],
      plan: {},
    },
    {
      name: "old pods that are not available go first, from the oldest ReplicaSet",
      deployment: { replicas: 10, maxUnavailable: 2 },
      current: { replicas: 2, available: 2 },
      old: [
        { replicas: 4, available: 3 },
        { replicas: 4, available: 3 },
      ],
      plan: { old0: 3, old1: 3 },
    },
    {
      name: "a rollout that is done changes nothing",
      deployment: { replicas: 3, maxSurge: 1 },
      current: { replicas: 3 },
      old: [{ replicas: 0 }],
      plan: {},
    },
  ];
  for (const { name, deployment, current, old, plan } of rows)
    it(name, () =>
      expect(
        sizes(
          planRolling(
            testDeployment(deployment),
            testReplicaSet({ name: "new", image: "new", ...current }),
            named(old),
          ),
        ),
      ).toEqual(plan),
    );
});

describe("the sizes of ReplicaSets when a Deployment is scaled", () => {
  const rows: {
    name: string;
    deployment: TestDeployment;
    current?: TestReplicaSet;
    old: TestReplicaSet[];
    plan: object;
  }[] = [
    {
      name: "the only one that has pods gets them all",
      deployment: { replicas: 12 },
      current: { replicas: 10 },
      old: [{ replicas: 0 }],
      plan: { new: 12 },
    },
    {
      name: "the newest old one, where there is no new one",
      deployment: { replicas: 2 },
      old: [{ replicas: 0 }, { replicas: 0 }],
      plan: { old1: 2 },
    },
    {
      name: "old ones go when the new one has everything",
      deployment: { replicas: 5 },
      current: { replicas: 5, desired: 5 },
      old: [{ replicas: 2 }],
      plan: { old0: 0 },
    },
    {
      name: "they grow in proportion, and what is left over goes to the largest",
      deployment: { replicas: 20, maxSurge: 0 },
      current: { replicas: 5, max: 10 },
      old: [
        { replicas: 3, max: 10 },
        { replicas: 2, max: 10 },
      ],
      plan: { new: 10, old0: 6, old1: 4 },
    },
    {
      name: "they shrink in proportion",
      deployment: { replicas: 5, maxSurge: 0 },
      current: { replicas: 6, max: 10 },
      old: [{ replicas: 4, max: 10 }],
      plan: { new: 3, old0: 2 },
    },
    {
      name: "all shrink to nothing",
      deployment: { replicas: 0, maxSurge: 3 },
      current: { replicas: 6, max: 13 },
      old: [{ replicas: 4, max: 13 }],
      plan: { new: 0, old0: 0 },
    },
    {
      name: "without annotations the status has how many there were",
      deployment: { replicas: 20, maxSurge: 0, status: { replicas: 10 } },
      current: { replicas: 5 },
      old: [{ replicas: 5 }],
      plan: { new: 10, old0: 10 },
    },
  ];
  for (const { name, deployment, current, old, plan } of rows)
    it(name, () => {
      const found = { current: current && testReplicaSet({ name: "new", image: "new", ...current }), old: named(old) };
      expect(sizes(planScale(testDeployment(deployment), found))).toEqual(plan);
    });
  it("a scaling is seen by what ReplicaSets with pods remember", () => {
    const found = (desired: number, replicas = 1) => ({ current: testReplicaSet({ replicas, desired }), old: [] });
    const deployment = testDeployment({ replicas: 3 });
    expect([found(3), found(2), found(2, 0)].map((each) => isScalingEvent(deployment, each))).toEqual([
      false,
      true,
      false,
    ]);
  });
});

describe("the status of a Deployment", () => {
  const options = { now, hasTerminatingReplicas: true };
  it("adds up its ReplicaSets", () => {
    const found = { current: testReplicaSet({ replicas: 3, available: 1 }), old: named([{ replicas: 2 }]) };
    expect(planStatus(testDeployment({ replicas: 4, maxSurge: 1 }), found, options)).toMatchObject({
      observedGeneration: 1,
      replicas: 5,
      updatedReplicas: 3,
      readyReplicas: 3,
      availableReplicas: 3,
      unavailableReplicas: 2,
      terminatingReplicas: 0,
      conditions: [{ type: "Available", status: "False", reason: "MinimumReplicasUnavailable" }],
    });
  });
  const progressing = (reason: string, secondsAgo: number) => ({
    type: "Progressing",
    status: "True" as const,
    reason,
    lastUpdateTime: formatTime(now - secondsAgo * 1000),
    lastTransitionTime: formatTime(now - secondsAgo * 1000),
  });
  const stuck = { replicas: 2, updatedReplicas: 2, observedGeneration: 1 };
  const rows: {
    name: string;
    status?: TestDeployment["status"];
    current: TestReplicaSet;
    reason: string | undefined;
    is?: string;
  }[] = [
    { name: "it is complete", current: { replicas: 2 }, reason: "NewReplicaSetAvailable", is: "True" },
    { name: "it progresses", current: { replicas: 2, available: 1 }, reason: "ReplicaSetUpdated", is: "True" },
    {
      name: "it waits for its deadline",
      status: { ...stuck, conditions: [progressing("ReplicaSetUpdated", 599)] },
      current: { replicas: 2, available: 0 },
      reason: "ReplicaSetUpdated",
      is: "True",
    },
    {
      name: "it missed its deadline",
      status: { ...stuck, conditions: [progressing("ReplicaSetUpdated", 601)] },
      current: { replicas: 2, available: 0 },
      reason: "ProgressDeadlineExceeded",
      is: "False",
    },
    {
      name: "one that was complete never misses it",
      status: { ...stuck, conditions: [progressing("NewReplicaSetAvailable", 9999)] },
      current: { replicas: 2, available: 0 },
      reason: "NewReplicaSetAvailable",
      is: "True",
    },
  ];
  for (const { name, status, current, reason, is } of rows)
    it(name, () => {
      const deployment = testDeployment({ replicas: 2, ...(status && { status }) });
      const next = planRolloutStatus(deployment, { current: testReplicaSet(current), old: [] }, options);
      const condition = conditionOf(next.conditions, "Progressing");
      expect([condition?.reason, condition?.status]).toEqual([reason, is]);
    });
  it("is looked at again a second after its deadline", () => {
    const status = { ...stuck, conditions: [progressing("ReplicaSetUpdated", 60)] };
    expect(nextProgressCheck(testDeployment({ replicas: 2, status }), status, now)).toBe(541_000);
  });
});

describe("revisions", () => {
  const deployment = testDeployment({
    replicas: 1,
    annotations: { note: "n", "deployment.kubernetes.io/revision": "9" },
  });
  it("a new ReplicaSet gets the Deployment's annotations, but for its own", () =>
    expect(withRevision({}, deployment, 3n)).toEqual({ note: "n", "deployment.kubernetes.io/revision": "3" }));
  it("one that is used again remembers the revisions it had", () =>
    expect(
      withRevision(
        { "deployment.kubernetes.io/revision": "3", "deployment.kubernetes.io/revision-history": "1" },
        testDeployment({ replicas: 1 }),
        5n,
      ),
    ).toEqual({ "deployment.kubernetes.io/revision": "5", "deployment.kubernetes.io/revision-history": "1,3" }));
  it("counts on from a revision that is beyond what a number holds", () =>
    expect(maxRevision([testReplicaSet({ replicas: 0, revision: "3546343826724305832" })]) + 1n).toBe(
      3546343826724305833n,
    ));
  it("the last revision is the second newest", () =>
    expect(lastRevision([1, 4, 3].map((revision) => testReplicaSet({ replicas: 0, revision })))).toBe(3n));
  it("history beyond the limit goes, the oldest first, unless it has pods", () => {
    const old = named([
      { replicas: 0, revision: 1 },
      { replicas: 1, revision: 2 },
      { replicas: 0, revision: 3 },
      { replicas: 0, revision: 4 },
    ]);
    const plan = planCleanup(testDeployment({ replicas: 1, revisionHistoryLimit: 1 }), old);
    expect(plan.map(({ metadata }) => metadata?.name)).toEqual(["old0", "old2"]);
  });
  const rows: [name: string, to: string, reason: string, image: string][] = [
    ["goes back to a revision", "1", "DeploymentRollback", "first"],
    ["goes back to the last one", "0", "DeploymentRollback", "second"],
    ["reports that a revision is not there", "7", "DeploymentRollbackRevisionNotFound", "new"],
    ["reports that a revision has the same template", "3", "DeploymentRollbackTemplateUnchanged", "new"],
  ];
  for (const [name, to, reason, image] of rows)
    it(`a rollback ${name}`, () => {
      const plan = planRollback(
        testDeployment({ replicas: 1, annotations: { "deprecated.deployment.rollback.to": to } }),
        [
          testReplicaSet({ replicas: 0, revision: 1, image: "first" }),
          testReplicaSet({ replicas: 0, revision: 2, image: "second" }),
          testReplicaSet({ replicas: 0, revision: 3, image: "new" }),
        ],
      );
      expect(plan.event.reason).toBe(reason);
      expect(plan.deployment.spec?.template?.spec?.containers[0]?.image).toBe(image);
      expect(plan.deployment.metadata?.annotations).toEqual({});
    });
});
