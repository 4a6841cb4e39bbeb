import type { DaemonSet } from "@coxswain/api/apps/v1";
import { afterEach, describe, expect, it } from "vitest";
import { startTestCluster, type TestCluster } from "../controller/test-cluster.test.support.js";
import { podTemplateHash } from "../pod-template-hash/pod-template-hash.js";
import { markPods, podsIn } from "../pods/pods.test.support.js";
import { daemonSetController } from "./controller.js";
import { targetNode } from "./daemon-pod.js";

type Spec = Partial<NonNullable<DaemonSet["spec"]>>;
const daemonSet = (spec: Spec): DaemonSet => ({
  metadata: { name: "agent" },
  spec: {
    selector: { matchLabels: { app: "agent" } },
    template: { metadata: { labels: { app: "agent" } }, spec: { containers: [{ name: "c", image: "one" }] } },
    ...spec,
  },
});

describe("the DaemonSet controller", () => {
  let cluster: TestCluster;
  afterEach(() => cluster.stop());
  const sets = () => cluster.client.apps.v1.daemonsets("default");
  const nodes = () => cluster.client.core.v1.nodes();
  /** A new node has a taint until it is ready. */
  const addNode = async (name: string): Promise<void> => {
    await nodes().create({ metadata: { name } });
    await nodes().patch(name, { merge: { spec: { taints: null } } });
  };
  const start = async (spec: Spec = {}): Promise<void> => {
    cluster = await startTestCluster({ controllers: [daemonSetController] });
    for (const name of ["a", "b", "c"]) await addNode(name);
    await sets().create(daemonSet(spec));
    await cluster.settle();
  };
  const finish = async (): Promise<void> => {
    for (let step = 0; step < 8; step++) {
      await cluster.advance(1000);
      await markPods(cluster);
    }
  };
  const places = async () => (await podsIn(cluster.client)).map((pod) => targetNode(pod)).sort();
  const images = async () => (await podsIn(cluster.client)).map(({ spec }) => spec?.containers[0]?.image).sort();
  const setImage = async (image: string): Promise<void> => {
    await sets().patch("agent", { merge: { spec: { template: { spec: { containers: [{ name: "c", image }] } } } } });
    await cluster.settle();
  };

  it("keeps a pod on each node as nodes come, are tainted and go", async () => {
    await start();
    expect(await places()).toEqual(["a", "b", "c"]);
    await markPods(cluster);
    expect((await sets().get("agent")).status).toMatchObject({
      desiredNumberScheduled: 3,
      currentNumberScheduled: 3,
      numberAvailable: 3,
      updatedNumberScheduled: 3,
      observedGeneration: 1,
    });
    await addNode("d");
    await cluster.settle();
    expect(await places()).toEqual(["a", "b", "c", "d"]);
    await nodes().patch("d", { merge: { spec: { taints: [{ key: "k", effect: "NoExecute" }] } } });
    await cluster.settle();
    expect(await places()).toEqual(["a", "b", "c"]);
    await nodes().delete("c");
    await cluster.settle();
    expect(await places()).toEqual(["a", "b"]);
  });

  it("names its revision by the hash of the template", async () => {
    await start();
    const live = await sets().get("agent");
    const hash = podTemplateHash(live.spec?.template ?? {}, undefined);
    const [revision] = (await cluster.client.apps.v1.controllerrevisions("default").list()).items;
    expect(revision?.metadata?.name).toBe(`agent-${hash}`);
    const [pod] = await podsIn(cluster.client);
    expect(pod?.metadata?.labels).toMatchObject({ "controller-revision-hash": hash, "pod-template-generation": "1" });
  });

  it("rolls one node after the other, and keeps a revision of each template", async () => {
    await start();
    await markPods(cluster);
    await setImage("two");
    expect(await images()).toEqual(["one", "one", "two"]);
    await finish();
    expect(await images()).toEqual(["two", "two", "two"]);
    const revisions = (await cluster.client.apps.v1.controllerrevisions("default").list()).items;
    expect(revisions.map(({ revision }) => revision).sort()).toEqual([1, 2]);
  });

  it("with surge it has an old and a new pod on a node until the new one is available", async () => {
    await start({ updateStrategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } } });
    await markPods(cluster);
    await setImage("two");
    expect(await images()).toEqual(["one", "one", "one", "two"]);
    await finish();
    expect(await images()).toEqual(["two", "two", "two"]);
  });

  it("updates pods only when they are deleted, with the strategy OnDelete", async () => {
    await start({ updateStrategy: { type: "OnDelete" } });
    await setImage("two");
    expect(await images()).toEqual(["one", "one", "one"]);
    const [pod] = await podsIn(cluster.client);
    await cluster.client.core.v1.pods("default").delete(pod?.metadata?.name ?? "");
    await cluster.settle();
    expect(await images()).toEqual(["one", "one", "two"]);
  });

  it("a restart makes no second pod on a node", async () => {
    await start();
    for (let step = 0; step < 3; step++) {
      await cluster.restart();
      await cluster.settle();
    }
    expect(await places()).toEqual(["a", "b", "c"]);
    expect((await cluster.client.apps.v1.controllerrevisions("default").list()).items).toHaveLength(1);
  });
});
