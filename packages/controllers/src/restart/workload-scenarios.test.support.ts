import type { Pod } from "@coxswain/api/core/v1";
import type { TestCluster } from "../controller/test-cluster.test.support.js";
import { cronJobController } from "../cron-job/controller.js";
import { daemonSetController } from "../daemon-set/controller.js";
import { deploymentController } from "../deployment/controller.js";
import { disruptionController } from "../disruption/controller.js";
import { horizontalPodAutoscalerController } from "../horizontal-pod-autoscaler/controller.js";
import { jobController } from "../job/controller.js";
import { markPods, podsIn } from "../pods/pods.test.support.js";
import { replicaSetController } from "../replica-set/controller.js";
import { replicationControllerController } from "../replication-controller/controller.js";
import type { MetricsSource } from "../settings/metrics-source.js";
import { statefulSetController } from "../stateful-set/controller.js";
import { ttlAfterFinishedController } from "../ttl-after-finished/controller.js";
import type { Scenario } from "./scenario.test.support.js";

const metadata = { name: "web" };
const selector = { matchLabels: { app: "web" } };
const template = (image: string) => ({
  metadata: { labels: { app: "web" } },
  spec: { containers: [{ name: "c", image }] },
});
const jobTemplate = { spec: { ...template("one").spec, restartPolicy: "Never" as const } };
const ready = (cluster: TestCluster): Promise<void> => markPods(cluster);

/** Ends the first pod that has not ended, as a kubelet would. */
async function endOnePod({ client }: TestCluster): Promise<void> {
  const waiting = (await podsIn(client)).find(({ status }) => status?.phase === "Pending");
  if (!waiting) return;
  await client.core.v1
    .pods("default")
    .subresource<Pod>("status")
    .patch(waiting.metadata?.name ?? "", { merge: { status: { phase: "Succeeded" } } });
}

const createNodes = async ({ client }: TestCluster, ...names: string[]): Promise<void> => {
  for (const name of names) {
    await client.core.v1.nodes().create({ metadata: { name } });
    await client.core.v1.nodes().patch(name, { merge: { spec: { taints: null } } });
  }
};

const deploy = ({ client }: TestCluster, replicas: number): Promise<unknown> =>
  client.apps.v1.deployments("default").create({ metadata, spec: { replicas, selector, template: template("one") } });

/** A queue with eight things in it, two of which a pod can take. */
const queueMetrics: MetricsSource = {
  resource: () => Promise.reject(new Error("no resource metrics here")),
  pods: () => Promise.reject(new Error("no custom metrics here")),
  object: () => Promise.reject(new Error("no custom metrics here")),
  external: () => Promise.resolve([8000]),
};

export const workloadScenarios: readonly Scenario[] = [
  {
    name: "a ReplicaSet that grows and shrinks",
    controllers: [replicaSetController],
    others: ready,
    steps: [
      ({ client }) =>
        client.apps.v1
          .replicasets("default")
          .create({ metadata, spec: { replicas: 5, selector, template: template("one") } }),
      ({ client }) => client.apps.v1.replicasets("default").patch("web", { merge: { spec: { replicas: 2 } } }),
    ],
  },
  {
    name: "a ReplicationController that adopts a pod, grows and releases one",
    controllers: [replicationControllerController],
    others: ready,
    steps: [
      async ({ client }) => {
        await client.core.v1
          .pods("default")
          .create({ metadata: { name: "own", labels: { app: "web" } }, spec: template("one").spec });
        await client.core.v1
          .replicationcontrollers("default")
          .create({ metadata, spec: { replicas: 2, selector: { app: "web" }, template: template("one") } });
      },
      ({ client }) =>
        client.core.v1.replicationcontrollers("default").patch("web", { merge: { spec: { replicas: 3 } } }),
      ({ client }) =>
        client.core.v1.pods("default").patch("own", { merge: { metadata: { labels: { app: "other" } } } }),
    ],
  },
  {
    name: "a Deployment that rolls, and rolls back",
    controllers: [replicaSetController, deploymentController],
    others: ready,
    steps: [
      (cluster) => deploy(cluster, 3),
      ({ client }) =>
        client.apps.v1.deployments("default").patch("web", { merge: { spec: { template: template("two") } } }),
      ({ client }) =>
        client.apps.v1.deployments("default").patch("web", { merge: { spec: { template: template("one") } } }),
    ],
  },
  {
    name: "a Deployment that is recreated and cleans its history up",
    controllers: [replicaSetController, deploymentController],
    others: ready,
    // A Deployment that is complete when the new process sees it keeps its old message, upstream too.
    same: [[/ReplicaSet \\"web-[0-9a-z]+\\" has/g, "ReplicaSet has"]],
    steps: [
      ({ client }) =>
        client.apps.v1.deployments("default").create({
          metadata,
          spec: {
            replicas: 2,
            revisionHistoryLimit: 1,
            strategy: { type: "Recreate" },
            selector,
            template: template("one"),
          },
        }),
      ({ client }) =>
        client.apps.v1.deployments("default").patch("web", { merge: { spec: { template: template("two") } } }),
      ({ client }) =>
        client.apps.v1.deployments("default").patch("web", { merge: { spec: { template: template("three") } } }),
    ],
  },
  {
    name: "a StatefulSet with claims that rolls and shrinks",
    controllers: [statefulSetController],
    others: ready,
    steps: [
      ({ client }) =>
        client.apps.v1.statefulsets("default").create({
          metadata,
          spec: {
            replicas: 2,
            serviceName: "web",
            selector,
            template: template("one"),
            persistentVolumeClaimRetentionPolicy: { whenScaled: "Delete", whenDeleted: "Retain" },
            volumeClaimTemplates: [
              {
                metadata: { name: "data" },
                spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
              },
            ],
          },
        }),
      ({ client }) =>
        client.apps.v1.statefulsets("default").patch("web", { merge: { spec: { template: template("two") } } }),
      ({ client }) => client.apps.v1.statefulsets("default").patch("web", { merge: { spec: { replicas: 1 } } }),
    ],
  },
  {
    name: "a DaemonSet that rolls over its nodes and gets one more",
    controllers: [daemonSetController],
    others: ready,
    steps: [
      async (cluster) => {
        await createNodes(cluster, "a", "b");
        await cluster.client.apps.v1
          .daemonsets("default")
          .create({ metadata, spec: { selector, template: template("one") } });
      },
      ({ client }) =>
        client.apps.v1.daemonsets("default").patch("web", { merge: { spec: { template: template("two") } } }),
      (cluster) => createNodes(cluster, "c"),
    ],
  },
  {
    name: "a Job that counts its pods",
    controllers: [jobController],
    others: endOnePod,
    steps: [
      ({ client }) =>
        client.batch.v1
          .jobs("default")
          .create({ metadata, spec: { parallelism: 2, completions: 4, template: jobTemplate } }),
    ],
  },
  {
    name: "an indexed Job that is suspended and resumed",
    controllers: [jobController],
    steps: [
      ({ client }) =>
        client.batch.v1.jobs("default").create({
          metadata,
          spec: { parallelism: 3, completions: 3, completionMode: "Indexed", template: jobTemplate },
        }),
      ({ client }) => client.batch.v1.jobs("default").patch("web", { merge: { spec: { suspend: true } } }),
      ({ client }) => client.batch.v1.jobs("default").patch("web", { merge: { spec: { suspend: false } } }),
      async (cluster) => {
        for (let pod = 0; pod < 3; pod++) await endOnePod(cluster);
      },
    ],
  },
  {
    name: "a CronJob that starts its Job once, and is cleaned up after",
    controllers: [cronJobController],
    passMs: 900_000,
    steps: [
      ({ client }) =>
        client.batch.v1.cronjobs("default").create({
          metadata,
          spec: {
            schedule: "10 0 1 1 *",
            timeZone: "Etc/UTC",
            successfulJobsHistoryLimit: 0,
            jobTemplate: { spec: { template: jobTemplate } },
          },
        }),
      async ({ client }) => {
        const [job] = (await client.batch.v1.jobs("default").list()).items;
        const lastTransitionTime = "2026-01-01T01:00:00Z";
        const conditions = (["SuccessCriteriaMet", "Complete"] as const).map((type) => ({
          type,
          status: "True" as const,
          lastTransitionTime,
        }));
        const status = { startTime: lastTransitionTime, completionTime: lastTransitionTime, conditions };
        await client.batch.v1.jobs("default").updateStatus({ ...job, status } as never);
      },
    ],
  },
  {
    name: "an autoscaler that follows a queue",
    controllers: [horizontalPodAutoscalerController, deploymentController, replicaSetController],
    gates: { HPAScaleToZero: false },
    settings: { autoscalerMetrics: queueMetrics },
    // Killed between the scale and its own status, it does not know that it scaled; upstream's neither.
    same: [[/"lastScaleTime":"now",/g, ""]],
    passMs: 15_000,
    others: ready,
    steps: [
      async (cluster) => {
        await deploy(cluster, 2);
        const target = { type: "AverageValue" as const, averageValue: "2" };
        await cluster.client.autoscaling.v2.horizontalpodautoscalers("default").create({
          metadata,
          spec: {
            scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "web" },
            maxReplicas: 10,
            metrics: [{ type: "External", external: { metric: { name: "queue" }, target } }],
          },
        });
      },
    ],
  },
  {
    name: "a disruption budget while a pod is evicted",
    controllers: [disruptionController, deploymentController, replicaSetController],
    others: ready,
    steps: [
      async (cluster) => {
        await deploy(cluster, 4);
        await cluster.client.policy.v1
          .poddisruptionbudgets("default")
          .create({ metadata, spec: { maxUnavailable: "25%", selector } });
      },
      async ({ client }) => {
        const name = (await podsIn(client))[0]?.metadata?.name ?? "";
        await client.core.v1.pods("default").subresource("eviction").create(name, { metadata: { name } });
      },
    ],
  },
  {
    name: "a finished Job that is deleted when its time is over",
    controllers: [ttlAfterFinishedController],
    passMs: 60_000,
    steps: [
      async ({ client }) => {
        for (const name of ["a", "b"]) {
          await client.batch.v1
            .jobs("default")
            .create({ metadata: { name }, spec: { ttlSecondsAfterFinished: 30, template: jobTemplate } });
          const lastTransitionTime = "2026-01-01T00:00:00Z";
          const conditions = (["FailureTarget", "Failed"] as const).map((type) => ({
            type,
            status: "True",
            lastTransitionTime,
          }));
          await client.batch.v1
            .jobs("default")
            .subresource("status")
            .patch(name, { merge: { status: { startTime: lastTransitionTime, conditions } } });
        }
      },
    ],
  },
];
