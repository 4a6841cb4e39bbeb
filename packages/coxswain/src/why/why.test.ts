import { drainNode } from "@coxswain/client/drain";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { churn } from "./churn.test.support.js";
import { openStoryCluster, type StoryCluster } from "./story-cluster.test.support.js";
import { runWhy } from "./why-command.js";

/** Of each workload; more by `npm run tool -- causes`. */
const copies = Number(process.env.COXSWAIN_CAUSES ?? "3");
let story: StoryCluster;

async function ask(line: string): Promise<string[]> {
  const lines: string[] = [];
  const { client, runtime } = story;
  await runWhy(line.split(" "), {
    client,
    namespace: "default",
    print: (text) => lines.push(text),
    now: () => runtime.clock.now(),
  });
  return lines;
}

/** Where the chain ends: with a person, the clock, a node. */
const endOf = async (object: string): Promise<string> =>
  (JSON.parse((await ask(`${object} -o json`)).join("\n")) as { end: string }).end;

/** What is printed, without what no two runs share. */
async function why(line: string): Promise<string[]> {
  return (await ask(line)).map((text) =>
    text
      .replaceAll(/\b(web|tick|base)-[a-z0-9]{5,10}(-[a-z0-9]{5})?\b/g, "$1-x")
      .replaceAll(/, \d\d:\d\d:\d\d/g, "")
      .replaceAll(/ +r\d+(?= \(|$)/g, "")
      .trimEnd(),
  );
}

const labels = { app: "web" };
const pods = async () => (await story.client.core.v1.pods("default").list({ labelSelector: "app=web" })).items;
const newestPod = async (): Promise<string> => {
  const found = (await pods()).filter(({ metadata }) => metadata?.deletionTimestamp === undefined);
  const byAge = found.toSorted((a, b) => Number(a.metadata?.resourceVersion) - Number(b.metadata?.resourceVersion));
  const newest = byAge.toSorted(
    (a, b) => Date.parse(String(a.metadata?.creationTimestamp)) - Date.parse(String(b.metadata?.creationTimestamp)),
  );
  return `pod/${newest.at(-1)?.metadata?.name}`;
};
const deployments = () => story.client.apps.v1.deployments("default");

beforeAll(async () => {
  story = await openStoryCluster({ nodes: 3 });
  await deployments().create({
    metadata: { name: "web" },
    spec: {
      replicas: 2,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: "nginx", image: "nginx" }] } },
    },
  });
  await story.runtime.clock.advance(5000);
}, 60_000);
afterAll(() => story.stop());

describe("why", () => {
  it("a rollout: a pod is here because a person changed the image", async () => {
    const merge = { spec: { template: { spec: { containers: [{ name: "nginx", image: "nginx:2" }] } } } };
    await deployments().patch("web", { strategic: merge }, { fieldManager: "kubectl-set" });
    await story.runtime.clock.advance(20_000);
    const lines = await why(await newestPod());
    expect(lines).toEqual([
      "Pod web-x was created by replicaset-controller",
      "  because deployment-controller scaled ReplicaSet web-x from 1 to 2",
      "  because kubernetes-admin changed Deployment web with kubectl-set: spec.template.spec.containers[nginx].image: nginx → nginx:2",
      expect.stringMatching(/^Runs on node-\d: (\d nodes fit; scored node-\d \d+, .*|the only node that fits)\.$/),
    ]);
    expect(await endOf(await newestPod())).toBe("person");
  });

  it("a scale: ends at the person who scaled", async () => {
    await story.client
      .scale({ group: "apps", version: "v1", resource: "deployments" }, "default")
      .setReplicas("web", 3, { fieldManager: "kubectl" });
    await story.runtime.clock.advance(10_000);
    expect((await why(await newestPod())).slice(0, 3)).toEqual([
      "Pod web-x was created by replicaset-controller",
      "  because deployment-controller scaled ReplicaSet web-x from 2 to 3",
      "  because kubernetes-admin scaled Deployment web from 2 to 3 with kubectl",
    ]);
    expect(await endOf(await newestPod())).toBe("person");
  });

  it("a drain: a pod replaces one that a person evicted", async () => {
    await drainNode(story.client, { node: "node-1", ignoreDaemonSets: true, runtime: story.runtime });
    await story.runtime.clock.advance(40_000);
    expect((await why(await newestPod())).slice(0, 2)).toEqual([
      "Pod web-x was created by replicaset-controller",
      "  because Pod web-x was evicted by kubernetes-admin with coxswain",
    ]);
    expect(await endOf(await newestPod())).toBe("person");
    await story.client.core.v1.nodes().patch("node-1", { merge: { spec: { unschedulable: false } } });
  });

  it("an eviction by a kubelet: ends at the node", async () => {
    const [pod] = await pods();
    const node = pod?.spec?.nodeName ?? "";
    await story.cluster.components.nodes.evictFirst(node);
    await story.runtime.clock.advance(10_000);
    expect((await why(await newestPod())).slice(0, 2)).toEqual([
      "Pod web-x was created by replicaset-controller",
      expect.stringMatching(/^ {2}because Pod web-x failed: Evicted: The node was low on resource: memory/),
    ]);
    expect(await endOf(await newestPod())).toBe("node");
  });

  it("a dead node: ends at the node that does not report", async () => {
    const [pod] = (await pods()).filter(({ status }) => status?.phase === "Running");
    const node = pod?.spec?.nodeName ?? "";
    await story.cluster.components.nodes.kill(node);
    await story.runtime.clock.advance(400_000);
    expect((await why(await newestPod())).slice(0, 4)).toEqual([
      "Pod web-x was created by replicaset-controller",
      "  because Pod web-x was deleted by node-controller",
      expect.stringMatching(
        /^ {2}because node-controller tainted Node node-\d with node\.kubernetes\.io\/unreachable:/,
      ),
      expect.stringMatching(/^ {2}because Node node-\d has not been ready: Kubelet stopped posting node status\./),
    ]);
    expect(await endOf(await newestPod())).toBe("node");
    await story.cluster.components.nodes.recover(node);
    await story.runtime.clock.advance(60_000);
  });

  it("a CronJob: ends at the clock", async () => {
    await story.client.batch.v1.cronjobs("default").create({
      metadata: { name: "tick" },
      spec: {
        schedule: "*/2 * * * *",
        jobTemplate: {
          spec: {
            template: {
              metadata: { labels: { app: "tick" } },
              spec: { restartPolicy: "Never", containers: [{ name: "c", image: "busybox", command: ["true"] }] },
            },
          },
        },
      },
    });
    await story.runtime.clock.advance(130_000);
    const [pod] = (await story.client.core.v1.pods("default").list({ labelSelector: "app=tick" })).items;
    const lines = await why(`pod/${pod?.metadata?.name}`);
    expect(lines.slice(0, 3)).toEqual([
      expect.stringMatching(/^Pod tick-.* was created by job-controller$/),
      expect.stringMatching(/^ {2}because Job tick-.* was created by cronjob-controller$/),
      expect.stringMatching(/^ {2}because CronJob tick was due at \S+ by its schedule "\*\/2 \* \* \* \*"$/),
    ]);
    expect(await endOf(`pod/${pod?.metadata?.name}`)).toBe("clock");
  });

  it("an autoscaler: ends at what it measured, with the reason of the scaling", async () => {
    await story.client.autoscaling.v2.horizontalpodautoscalers("default").create({
      metadata: { name: "load" },
      spec: {
        scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "web" },
        minReplicas: 4,
        maxReplicas: 6,
      },
    });
    await story.runtime.clock.advance(40_000);
    const [first, ...others] = await why("deployment/web --path spec.replicas");
    expect([first, ...others]).toEqual([
      "horizontal-pod-autoscaler scaled Deployment web from 3 to 4",
      "  because HorizontalPodAutoscaler load: Current number of replicas below Spec.MinReplicas",
    ]);
    expect(await endOf(await newestPod())).toBe("measurement");
    await story.client.autoscaling.v2.horizontalpodautoscalers("default").delete("load");
    await story.client
      .scale({ group: "apps", version: "v1", resource: "deployments" }, "default")
      .setReplicas("web", 3, { fieldManager: "kubectl" });
    await story.runtime.clock.advance(10_000);
  });

  it("a container that its kubelet killed: which probe failed", async () => {
    await story.client.core.v1.pods("default").create({
      metadata: { name: "sick" },
      spec: {
        terminationGracePeriodSeconds: 1,
        containers: [
          {
            name: "c",
            image: "nginx",
            livenessProbe: { exec: { command: ["false"] }, periodSeconds: 1, failureThreshold: 1 },
          },
        ],
      },
    });
    await story.runtime.clock.advance(8000);
    expect((await why("pod/sick")).at(-1)).toMatch(/^Container c failed liveness probe, will be restarted, r\d+\.$/);
    expect(await why("pod/sick --path status.containerStatuses[c].restartCount")).toContain(
      "  because Container c failed liveness probe, will be restarted",
    );
    await story.client.core.v1.pods("default").delete("sick");
  });

  it("a pod that finds no node: node by node", async () => {
    const resources = { requests: { cpu: "1000" } };
    await story.client.core.v1.pods("default").create({
      metadata: { name: "large" },
      spec: { containers: [{ name: "c", image: "nginx", resources }] },
    });
    await story.runtime.clock.advance(2000);
    expect(await why("pod/large")).toEqual([
      "Pod large was created by kubernetes-admin with coxswain",
      expect.stringMatching(/^Pending: node-\d, node-\d, node-\d: Insufficient cpu$/),
    ]);
  });

  it("a member: the last change of it", async () => {
    expect((await why("deployment/web --path spec.replicas"))[0]).toBe(
      "kubernetes-admin scaled Deployment web from 4 to 3 with kubectl",
    );
  });

  it("a deletion: who, and how to have it again", async () => {
    const maps = story.client.core.v1.configmaps("default");
    for (const name of ["base-11111", "base-22222"]) await maps.create({ metadata: { name, labels: { tmp: "true" } } });
    await maps.deleteCollection({ labelSelector: "tmp=true" });
    expect(await why("cm/base-11111")).toEqual([
      "ConfigMap base-x was deleted by kubernetes-admin with coxswain",
      "One of 2 of a deletecollection.",
      expect.stringMatching(/^Its last value is that of r\d+: coxswain history restore configmap\/base-x --to$/),
    ]);
  });

  it("an owner that was deleted takes what it owns with it", async () => {
    const [before] = (await pods()).filter(({ status }) => status?.phase === "Running");
    await deployments().delete("web");
    await story.runtime.clock.advance(40_000);
    expect((await why(`pod/${before?.metadata?.name}`)).filter((line) => line.startsWith("  because"))).toEqual([
      "  because Pod web-x was deleted by generic-garbage-collector",
      "  because ReplicaSet web-x was deleted by generic-garbage-collector",
      "  because Deployment web was deleted by kubernetes-admin with coxswain",
    ]);
  });

  it(
    "links writes of controllers to their work: none wrongly, 99 of 100 exactly",
    async () => {
      await churn(story, { copies, namespace: "busy" });
      const { writes, exact, wrong, others } = story.causeCheck;
      expect(wrong).toEqual([]);
      expect(writes).toBeGreaterThan(100 * copies);
      expect(others.slice(0, exact / writes >= 0.99 ? 0 : undefined)).toEqual([]);
      console.log(`${writes} writes of controllers, ${exact} linked exactly, ${others.length} to one of several items`);
      // 25 copies take some 15 s of processor time; with 70 others on two cores that was 4 minutes.
    },
    60_000 * Math.max(10, copies),
  );
});
