import type { DaemonSet, Deployment, StatefulSet } from "@coxswain/api/apps/v1";
import { describe, expect, it } from "vitest";
import { daemonSetRollout, deploymentRollout, type RolloutStatus, statefulSetRollout } from "./index.js";

const template = { spec: { containers: [] } };
const deployment = (status: Deployment["status"], generation = 2): Deployment => ({
  metadata: { name: "web", generation },
  spec: { replicas: 3, selector: {}, template },
  status: { observedGeneration: 2, ...status },
});
const daemonSet = (
  status: Partial<DaemonSet["status"]>,
  type: "RollingUpdate" | "OnDelete" = "RollingUpdate",
): DaemonSet => ({
  metadata: { name: "agent", generation: 1 },
  spec: { selector: {}, template, updateStrategy: { type } },
  status: { observedGeneration: 1, desiredNumberScheduled: 3, ...status } as NonNullable<DaemonSet["status"]>,
});
const statefulSet = (status: Partial<StatefulSet["status"]>, partition?: number): StatefulSet => ({
  metadata: { name: "db", generation: 1 },
  spec: {
    replicas: 3,
    selector: {},
    serviceName: "db",
    template,
    updateStrategy: { type: "RollingUpdate", ...(partition !== undefined && { rollingUpdate: { partition } }) },
  },
  status: { observedGeneration: 1, replicas: 3, ...status },
});

const rows: { status: RolloutStatus; state: RolloutStatus["state"]; message: string }[] = [
  {
    status: deploymentRollout(deployment({}, 3)),
    state: "progressing",
    message: "Waiting for deployment spec update to be observed...",
  },
  {
    status: deploymentRollout(
      deployment({ conditions: [{ type: "Progressing", status: "False", reason: "ProgressDeadlineExceeded" }] }),
    ),
    state: "failed",
    message: 'deployment "web" exceeded its progress deadline',
  },
  {
    status: deploymentRollout(deployment({ updatedReplicas: 1 })),
    state: "progressing",
    message: 'Waiting for deployment "web" rollout to finish: 1 out of 3 new replicas have been updated...',
  },
  {
    status: deploymentRollout(deployment({ updatedReplicas: 3, replicas: 4 })),
    state: "progressing",
    message: 'Waiting for deployment "web" rollout to finish: 1 old replicas are pending termination...',
  },
  {
    status: deploymentRollout(deployment({ updatedReplicas: 3, replicas: 3, availableReplicas: 2 })),
    state: "progressing",
    message: 'Waiting for deployment "web" rollout to finish: 2 of 3 updated replicas are available...',
  },
  {
    status: deploymentRollout(deployment({ updatedReplicas: 3, replicas: 3, availableReplicas: 3 })),
    state: "complete",
    message: 'deployment "web" successfully rolled out',
  },
  {
    status: daemonSetRollout(daemonSet({}, "OnDelete")),
    state: "failed",
    message: "rollout status is only available for RollingUpdate strategy type",
  },
  {
    status: daemonSetRollout(daemonSet({ updatedNumberScheduled: 1 })),
    state: "progressing",
    message: 'Waiting for daemon set "agent" rollout to finish: 1 out of 3 new pods have been updated...',
  },
  {
    status: daemonSetRollout(daemonSet({ updatedNumberScheduled: 3, numberAvailable: 2 })),
    state: "progressing",
    message: 'Waiting for daemon set "agent" rollout to finish: 2 of 3 updated pods are available...',
  },
  {
    status: daemonSetRollout(daemonSet({ updatedNumberScheduled: 3, numberAvailable: 3 })),
    state: "complete",
    message: 'daemon set "agent" successfully rolled out',
  },
  {
    status: statefulSetRollout(statefulSet({ observedGeneration: 0 })),
    state: "progressing",
    message: "Waiting for statefulset spec update to be observed...",
  },
  {
    status: statefulSetRollout(statefulSet({ readyReplicas: 1 })),
    state: "progressing",
    message: "Waiting for 2 pods to be ready...",
  },
  {
    status: statefulSetRollout(statefulSet({ readyReplicas: 3, updatedReplicas: 1 }, 1)),
    state: "progressing",
    message: "Waiting for partitioned roll out to finish: 1 out of 2 new pods have been updated...",
  },
  {
    status: statefulSetRollout(statefulSet({ readyReplicas: 3, updatedReplicas: 2 }, 1)),
    state: "complete",
    message: "partitioned roll out complete: 2 new pods have been updated...",
  },
  {
    status: statefulSetRollout(
      statefulSet({ readyReplicas: 3, updatedReplicas: 1, updateRevision: "b", currentRevision: "a" }),
    ),
    state: "progressing",
    message: "waiting for statefulset rolling update to complete 1 pods at revision b...",
  },
  {
    status: statefulSetRollout(
      statefulSet({ readyReplicas: 3, currentReplicas: 3, updateRevision: "b", currentRevision: "b" }),
    ),
    state: "complete",
    message: "statefulset rolling update complete 3 pods at revision b...",
  },
];

describe("how far a rollout is, as kubectl prints it", () => {
  for (const { status, state, message } of rows) it(message, () => expect(status).toEqual({ state, message }));
});
