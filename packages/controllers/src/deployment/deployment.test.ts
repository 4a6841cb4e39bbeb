import type { Deployment } from "@coxswain/api/apps/v1";
import { afterEach, describe, expect, it } from "vitest";
import { startTestCluster, type TestCluster } from "../controller/test-cluster.test.support.js";
import { podTemplateHash } from "../pod-template-hash/pod-template-hash.js";
import { markPods, podsIn } from "../pods/pods.test.support.js";
import { replicaSetController } from "../replica-set/controller.js";
import { deploymentController } from "./controller.js";

const deployment = (spec: Partial<NonNullable<Deployment["spec"]>> = {}): Deployment => ({
  metadata: { name: "web" },
  spec: {
    replicas: 3,
    selector: { matchLabels: { app: "web" } },
    template: { metadata: { labels: { app: "web" } }, spec: { containers: [{ name: "c", image: "one" }] } },
    ...spec,
  },
});

describe("the Deployment controller", () => {
  let cluster: TestCluster;
  afterEach(() => cluster.stop());
  const deployments = () => cluster.client.apps.v1.deployments("default");
  const replicaSets = async () =>
    [...(await cluster.client.apps.v1.replicasets("default").list()).items].sort(
      (a, b) => Number(revisionOf(a)) - Number(revisionOf(b)),
    );
  const revisionOf = ({ metadata }: { metadata?: { annotations?: Record<string, string> } }) =>
    metadata?.annotations?.["deployment.kubernetes.io/revision"];
  const start = async (spec?: Partial<NonNullable<Deployment["spec"]>>): Promise<void> => {
    cluster = await startTestCluster({ controllers: [replicaSetController, deploymentController] });
    await deployments().create(deployment(spec));
    await cluster.settle();
    await markPods(cluster);
  };
  const setImage = async (image: string): Promise<void> => {
    const template = { spec: { containers: [{ name: "c", image }] } };
    await deployments().patch("web", { merge: { spec: { template } } });
    await cluster.settle();
  };
  /** Marks pods ready until nothing changes any more. */
  const finish = async (): Promise<void> => {
    for (let step = 0; step < 6; step++) {
      await cluster.advance(1000);
      await markPods(cluster);
    }
  };
  const reasons = async () =>
    Object.fromEntries(
      ((await deployments().get("web")).status?.conditions ?? []).map(({ type, reason }) => [type, reason]),
    );
  const images = async () => (await podsIn(cluster.client)).map(({ spec }) => spec?.containers[0]?.image).sort();

  it("makes a ReplicaSet named by the hash of its template, and reports when it is complete", async () => {
    await start();
    const [replicaSet] = await replicaSets();
    const live = await deployments().get("web");
    const hash = podTemplateHash(live.spec?.template ?? {}, undefined);
    expect(replicaSet?.metadata?.name).toBe(`web-${hash}`);
    expect(replicaSet?.spec?.selector.matchLabels).toEqual({ app: "web", "pod-template-hash": hash });
    expect(revisionOf(live)).toBe("1");
    expect(live.status).toMatchObject({ replicas: 3, updatedReplicas: 3, availableReplicas: 3, observedGeneration: 1 });
    expect(await reasons()).toEqual({ Available: "MinimumReplicasAvailable", Progressing: "NewReplicaSetAvailable" });
  });

  it("rolls to a new template, keeps the old ReplicaSet, and rolls back by its annotation", async () => {
    await start();
    await setImage("two");
    expect(await images()).toEqual(["one", "one", "one", "two"]);
    await finish();
    expect(await images()).toEqual(["two", "two", "two"]);
    expect((await replicaSets()).map((each) => [revisionOf(each), each.spec?.replicas])).toEqual([
      ["1", 0],
      ["2", 3],
    ]);
    await deployments().patch("web", {
      merge: { metadata: { annotations: { "deprecated.deployment.rollback.to": "0" } } },
    });
    await cluster.settle();
    await finish();
    expect(await images()).toEqual(["one", "one", "one"]);
    expect((await replicaSets()).map(revisionOf)).toEqual(["2", "3"]);
    expect(revisionOf(await deployments().get("web"))).toBe("3");
  });

  it("a restart between any two steps of a rollout ends in the same state", async () => {
    await start();
    await setImage("two");
    for (let step = 0; step < 8; step++) {
      await cluster.restart();
      await cluster.settle();
      await markPods(cluster);
    }
    expect(await images()).toEqual(["two", "two", "two"]);
    expect((await replicaSets()).map((each) => each.spec?.replicas)).toEqual([0, 3]);
  });

  it("recreates: no new pod before the last old one is gone", async () => {
    await start({ strategy: { type: "Recreate" } });
    await setImage("two");
    await finish();
    expect(await images()).toEqual(["two", "two", "two"]);
    expect(await reasons()).toMatchObject({ Progressing: "NewReplicaSetAvailable" });
  });

  it("a paused Deployment is scaled and does not roll", async () => {
    await start();
    await deployments().patch("web", { merge: { spec: { paused: true } } });
    await setImage("two");
    await deployments().patch("web", { merge: { spec: { replicas: 5 } } });
    await cluster.settle();
    expect(await images()).toEqual(Array(5).fill("one"));
    expect(await reasons()).toMatchObject({ Progressing: "DeploymentPaused" });
    await deployments().patch("web", { merge: { spec: { paused: false } } });
    await cluster.settle();
    await finish();
    expect(await images()).toEqual(Array(5).fill("two"));
  });

  it("reports a rollout that misses its deadline", async () => {
    await start({ progressDeadlineSeconds: 60 });
    await setImage("two");
    await cluster.advance(65_000);
    expect(await reasons()).toMatchObject({ Progressing: "ProgressDeadlineExceeded" });
    await finish();
    expect(await reasons()).toMatchObject({ Progressing: "NewReplicaSetAvailable" });
  });

  it("takes another hash when a ReplicaSet of that name belongs to somebody else", async () => {
    cluster = await startTestCluster({ controllers: [replicaSetController, deploymentController] });
    const other = deployment();
    const created = await deployments().create({ ...other, spec: { ...other.spec!, paused: true } });
    const hash = podTemplateHash(created.spec?.template ?? {}, undefined);
    await cluster.client.apps.v1.replicasets("default").create({
      metadata: { name: `web-${hash}` },
      spec: {
        replicas: 0,
        selector: { matchLabels: { app: "other" } },
        template: { metadata: { labels: { app: "other" } }, spec: { containers: [{ name: "c", image: "i" }] } },
      },
    });
    await cluster.settle();
    await deployments().patch("web", { merge: { spec: { paused: false } } });
    await cluster.advance(1000);
    const live = await deployments().get("web");
    expect(live.status?.collisionCount).toBe(1);
    const names = (await replicaSets()).map(({ metadata }) => metadata?.name);
    expect(names).toContain(`web-${podTemplateHash(live.spec?.template ?? {}, 1)}`);
  });

  it("keeps as much history as its limit", async () => {
    await start({ revisionHistoryLimit: 1 });
    for (const image of ["two", "three", "four"]) {
      await setImage(image);
      await finish();
    }
    expect((await replicaSets()).map(revisionOf)).toEqual(["3", "4"]);
  });
});
