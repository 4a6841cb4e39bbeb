import type { HorizontalPodAutoscaler } from "@coxswain/api/autoscaling/v2";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import { afterEach, describe, expect, it } from "vitest";
import { startTestCluster, type TestCluster } from "../controller/test-cluster.test.support.js";
import { deploymentController } from "../deployment/controller.js";
import { markPods, podsIn } from "../pods/pods.test.support.js";
import { replicaSetController } from "../replica-set/controller.js";
import type { MetricsSource } from "../settings/metrics-source.js";
import { horizontalPodAutoscalerController } from "./controller.js";

type Spec = NonNullable<HorizontalPodAutoscaler["spec"]>;
const selector = { matchLabels: { app: "web" } };
const periodMs = 15_000;

describe("the horizontal pod autoscaler", () => {
  let cluster: TestCluster;
  afterEach(() => cluster.stop());
  const autoscalers = () => cluster.client.autoscaling.v2.horizontalpodautoscalers("default");
  const deployments = () => cluster.client.apps.v1.deployments("default");
  const status = async () => (await autoscalers().get("web")).status;
  const reasons = async () =>
    (await status())?.conditions?.map(({ type, status: is, reason }) => `${type}=${is} ${reason}`);
  const replicas = async () => (await deployments().get("web")).spec?.replicas;
  const events = async () =>
    (await cluster.client.core.v1.events("default").list()).items
      .filter(({ involvedObject }) => involvedObject.kind === "HorizontalPodAutoscaler")
      .map(({ reason, message }) => `${reason}: ${message}`);

  /** What each pod uses, in thousandths of a CPU, and what a queue outside has. */
  let cpu = 0;
  let queue = 0;
  const source: MetricsSource = {
    async resource({ namespace }) {
      const all = (await cluster.client.core.v1.pods(namespace).list()).items;
      const timestampMs = cluster.clock.now();
      return new Map(all.map(({ metadata }) => [metadata?.name ?? "", { timestampMs, windowMs: 0, value: cpu }]));
    },
    pods: () => Promise.reject(new Error("no custom metrics here")),
    object: () => Promise.reject(new Error("no custom metrics here")),
    external: () => Promise.resolve([queue]),
  };
  const start = async (spec: Partial<Spec> = {}, metrics: MetricsSource | "the cluster's" = source): Promise<void> => {
    cluster = await startTestCluster({
      controllers: [horizontalPodAutoscalerController, deploymentController, replicaSetController],
      gates: { HPAScaleToZero: false },
      settings: {
        autoscalerCpuInitializationMs: 0,
        ...(metrics !== "the cluster's" && { autoscalerMetrics: metrics }),
      },
    });
    const containers = [{ name: "c", image: "i", resources: { requests: { cpu: "1" } } }];
    const template = { metadata: { labels: { app: "web" } }, spec: { containers } };
    await deployments().create({ metadata: { name: "web" }, spec: { replicas: 2, selector, template } });
    await cluster.settle();
    await beReady();
    const scaleTargetRef = { apiVersion: "apps/v1", kind: "Deployment", name: "web" };
    await autoscalers().create({ metadata: { name: "web" }, spec: { scaleTargetRef, maxReplicas: 10, ...spec } });
    await cluster.settle();
  };
  /** As kubelets would. */
  const beReady = async (): Promise<void> => {
    await markPods(cluster);
    for (const { metadata } of await podsIn(cluster.client))
      await cluster.client.core.v1
        .pods("default")
        .subresource("status")
        .patch(metadata?.name ?? "", { merge: { status: { startTime: "2025-12-31T00:00:00Z" } } });
    await cluster.settle();
  };
  const period = async (count = 1): Promise<void> => {
    for (let each = 0; each < count; each++) {
      await cluster.advance(periodMs);
      await beReady();
    }
  };

  it("adds pods when they use more than they should, and removes them after a while", async () => {
    await start();
    cpu = 1600;
    await period();
    expect(await replicas()).toBe(4);
    expect(await reasons()).toEqual([
      "AbleToScale=True SucceededRescale",
      "ScalingActive=True ValidMetricFound",
      "ScalingLimited=False DesiredWithinRange",
    ]);
    expect(await status()).toMatchObject({
      currentReplicas: 2,
      desiredReplicas: 4,
      currentMetrics: [
        { type: "Resource", resource: { name: "cpu", current: { averageUtilization: 160, averageValue: "1600m" } } },
      ],
    });
    expect(await events()).toContain(
      "SuccessfulRescale: New size: 4; reason: cpu resource utilization (percentage of request) above target",
    );
    cpu = 400;
    await period(2);
    expect(await replicas()).toBe(4);
    expect(await reasons()).toContain("AbleToScale=True ScaleDownStabilized");
    await period(20);
    expect(await replicas()).toBe(2);
    expect(await events()).toContain("SuccessfulRescale: New size: 2; reason: All metrics below target");
  });

  it("keeps the number of replicas within the bounds without asking for metrics", async () => {
    await start({ minReplicas: 3 });
    await period();
    expect(await replicas()).toBe(3);
    expect(await events()).toContain(
      "SuccessfulRescale: New size: 3; reason: Current number of replicas below Spec.MinReplicas",
    );
  });

  it("scales by a metric from outside, as fast as its policies allow", async () => {
    const metric = { name: "queue", selector: { matchLabels: { name: "jobs" } } };
    queue = 900_000;
    await start({
      metrics: [{ type: "External", external: { metric, target: { type: "AverageValue", averageValue: "100" } } }],
      behavior: { scaleUp: { policies: [{ type: "Pods", value: 1, periodSeconds: 15 }] } },
    });
    await period();
    expect(await replicas()).toBe(3);
    expect(await reasons()).toContain("ScalingLimited=True ScaleUpLimit");
    await period();
    expect(await replicas()).toBe(4);
    expect(await events()).toContain(
      "SuccessfulRescale: New size: 3; reason: external metric queue(&LabelSelector{MatchLabels:map[string]string{name: jobs,},MatchExpressions:[]LabelSelectorRequirement{},}) above target",
    );
  });

  it("reports what it cannot find out", async () => {
    await start({
      metrics: [
        { type: "Pods", pods: { metric: { name: "hits" }, target: { type: "AverageValue", averageValue: "5" } } },
      ],
    });
    await period();
    expect(await replicas()).toBe(2);
    expect((await status())?.conditions).toContainEqual(
      expect.objectContaining({
        type: "ScalingActive",
        status: "False",
        reason: "FailedGetPodsMetric",
        message: "the HPA was unable to compute the replica count: unable to get metric hits: no custom metrics here",
      }),
    );
    expect(await events()).toEqual(
      expect.arrayContaining([
        "FailedGetPodsMetric: unable to get metric hits: no custom metrics here",
        "FailedComputeMetricsReplicas: invalid metrics (1 invalid out of 1), first error is: failed to get pods metric value: unable to get metric hits: no custom metrics here",
      ]),
    );
  });

  it("reports that its target is not there, or scaled to zero by somebody", async () => {
    await start({ scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "lost" } });
    await period();
    expect((await status())?.conditions).toMatchObject([
      {
        type: "AbleToScale",
        status: "False",
        reason: "FailedGetScale",
        message: `the HPA controller was unable to get the target's current scale: deployments.apps "lost" not found`,
      },
    ]);
    const scaleTargetRef = { apiVersion: "apps/v1", kind: "Deployment", name: "web" };
    await autoscalers().patch("web", { merge: { spec: { scaleTargetRef } } });
    await deployments().patch("web", { merge: { spec: { replicas: 0 } } });
    await period();
    expect(await reasons()).toContain("ScalingActive=False ScalingDisabled");
  });

  it("does not work against another one", async () => {
    await start();
    const scaleTargetRef = { apiVersion: "apps/v1", kind: "Deployment", name: "web" };
    await autoscalers().create({ metadata: { name: "also" }, spec: { scaleTargetRef, maxReplicas: 5 } });
    await period(2);
    expect(await reasons()).toContain("ScalingActive=False AmbiguousSelector");
    expect(await events()).toContain(
      "AmbiguousSelector: pods by selector app=web are controlled by multiple HPAs: [{also default} {web default}]",
    );
  });

  it("asks the metrics APIs of the cluster", async () => {
    await start({}, "the cluster's");
    await period();
    expect(await reasons()).toContain("ScalingActive=False FailedGetResourceMetric");
    await serve(cluster, "metrics.k8s.io", "pods", "PodMetrics");
    const usages = cluster.client.dynamic({ group: "metrics.k8s.io", version: "v1beta1", resource: "pods" }, "default");
    for (const { metadata } of await podsIn(cluster.client))
      await usages.create({
        apiVersion: "metrics.k8s.io/v1beta1",
        kind: "PodMetrics",
        metadata: { name: metadata?.name ?? "", labels: { app: "web" } },
        timestamp: "2026-01-01T00:01:00Z",
        window: "15s",
        containers: [{ name: "c", usage: { cpu: "1200m" } }],
      } as KubernetesObject);
    await period();
    expect(await replicas()).toBe(3);
  });
});

/** Custom resources stand in for a metrics server. */
async function serve({ client, settle }: TestCluster, group: string, plural: string, kind: string): Promise<void> {
  const schema = { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } };
  const annotations = { "api-approved.kubernetes.io": "unapproved, a test" };
  const versions = [{ name: "v1beta1", served: true, storage: true, schema }];
  const names = { plural, kind, singular: kind.toLowerCase() };
  await client.apiextensions.v1.customresourcedefinitions().create({
    metadata: { name: `${plural}.${group}`, annotations },
    spec: { group, scope: "Namespaced", names, versions },
  });
  await settle();
}
