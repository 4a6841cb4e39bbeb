import type { Pod } from "@coxswain/api/core/v1";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import { formatTime } from "@coxswain/apimachinery/time";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startTestCluster, type TestCluster } from "../controller/test-cluster.test.support.js";
import { deploymentController } from "../deployment/controller.js";
import { markPods, podsIn } from "../pods/pods.test.support.js";
import { replicaSetController } from "../replica-set/controller.js";
import { disruptionController } from "./controller.js";

const selector = { matchLabels: { app: "web" } };
const template = { metadata: { labels: { app: "web" } }, spec: { containers: [{ name: "c", image: "i" }] } };

describe("the disruption controller", () => {
  let cluster: TestCluster;
  beforeEach(async () => {
    cluster = await startTestCluster({
      controllers: [disruptionController, deploymentController, replicaSetController],
    });
  });
  afterEach(() => cluster.stop());
  const budgets = () => cluster.client.policy.v1.poddisruptionbudgets("default");
  const pods = () => cluster.client.core.v1.pods("default");
  const status = async () => (await budgets().get("web")).status;
  const events = async () =>
    (await cluster.client.core.v1.events("default").list()).items.map(({ reason, message }) => `${reason}: ${message}`);
  const deploy = async (replicas: number): Promise<void> => {
    await cluster.client.apps.v1
      .deployments("default")
      .create({ metadata: { name: "web" }, spec: { replicas, selector, template } });
    await cluster.settle();
    await markPods(cluster);
  };

  it("allows to evict pods as long as enough of a Deployment's are left", async () => {
    await deploy(4);
    await budgets().create({ metadata: { name: "web" }, spec: { maxUnavailable: "25%", selector } });
    await cluster.settle();
    expect(await status()).toMatchObject({
      expectedPods: 4,
      currentHealthy: 4,
      desiredHealthy: 3,
      disruptionsAllowed: 1,
    });
    const [first, second] = await podsIn(cluster.client);
    const evict = (pod: Pod | undefined) =>
      pods()
        .subresource("eviction")
        .create(pod?.metadata?.name ?? "", { metadata: { name: pod?.metadata?.name ?? "" } });
    await evict(first);
    await cluster.settle();
    expect(await status()).toMatchObject({ currentHealthy: 3, disruptionsAllowed: 0 });
    await expect(evict(second)).rejects.toThrow("violate the pod's disruption budget");
    await markPods(cluster);
    expect(await status()).toMatchObject({ currentHealthy: 4, disruptionsAllowed: 1 });
  });

  it("asks other controllers for their scale", async () => {
    await cluster.client.apiextensions.v1.customresourcedefinitions().create({
      metadata: { name: "flocks.example.com" },
      spec: {
        group: "example.com",
        scope: "Namespaced",
        names: { plural: "flocks", kind: "Flock" },
        versions: [
          {
            name: "v1",
            served: true,
            storage: true,
            schema: { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
            subresources: { scale: { specReplicasPath: ".spec.size", statusReplicasPath: ".status.size" } },
          },
        ],
      },
    });
    await cluster.settle();
    const resource = { group: "example.com", version: "v1", resource: "flocks" };
    const flock = await cluster.client.dynamic(resource, "default").create({
      apiVersion: "example.com/v1",
      kind: "Flock",
      metadata: { name: "sheep" },
      spec: { size: 7 },
    } as KubernetesObject);
    const owner = {
      apiVersion: "example.com/v1",
      kind: "Flock",
      name: "sheep",
      uid: flock.metadata?.uid ?? "",
      controller: true,
    };
    await pods().create({ ...template, metadata: { name: "dolly", labels: { app: "web" }, ownerReferences: [owner] } });
    await budgets().create({ metadata: { name: "web" }, spec: { minAvailable: "50%", selector } });
    await cluster.settle();
    expect(await status()).toMatchObject({ expectedPods: 7, desiredHealthy: 4, disruptionsAllowed: 0 });
  });

  it("allows nothing where a pod's controller cannot be found", async () => {
    const owner = { apiVersion: "apps/v1", kind: "ReplicaSet", name: "lost", uid: "lost", controller: true };
    await pods().create({ ...template, metadata: { name: "a", labels: { app: "web" }, ownerReferences: [owner] } });
    await budgets().create({ metadata: { name: "web" }, spec: { maxUnavailable: 1, selector } });
    await cluster.settle();
    expect((await status())?.conditions).toMatchObject([
      { type: "DisruptionAllowed", status: "False", reason: "SyncFailed", message: 'found no controllers for pod "a"' },
    ]);
  });

  it("reports pods without a controller", async () => {
    await pods().create({ ...template, metadata: { name: "a", labels: { app: "web" } } });
    await budgets().create({ metadata: { name: "web" }, spec: { maxUnavailable: 1, selector } });
    await cluster.settle();
    expect(await events()).toContainEqual(
      expect.stringMatching(
        /^UnmanagedPods: .*\(selector: &LabelSelector\{MatchLabels:map\[string\]string\{app: web,\},/,
      ),
    );
  });

  it("withdraws from a pod that it is disrupted when it still lives two minutes later", async () => {
    await pods().create({ ...template, metadata: { name: "a", labels: { app: "web" } } });
    const condition = {
      type: "DisruptionTarget",
      status: "True",
      reason: "EvictionByEvictionAPI",
      lastTransitionTime: formatTime(cluster.clock.now()),
    };
    await pods()
      .subresource<Pod>("status")
      .patch("a", { strategic: { status: { conditions: [condition] } } });
    const target = async () =>
      (await pods().get("a")).status?.conditions?.find(({ type }) => type === "DisruptionTarget")?.status;
    await cluster.advance(119_000);
    expect(await target()).toBe("True");
    await cluster.advance(2_000);
    expect(await target()).toBe("False");
  });
});
