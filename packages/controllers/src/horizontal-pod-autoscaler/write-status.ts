import type { HorizontalPodAutoscaler, HorizontalPodAutoscalerStatus } from "@coxswain/api/autoscaling/v2";
import { equalJson } from "@coxswain/apimachinery/json";
import { formatTime } from "@coxswain/apimachinery/time";
import { messageOf } from "../pods/pod-control.js";
import type { AutoscalerWork, Draft } from "./autoscaler-work.js";
import type { CachedAutoscaler } from "./plan.js";

export async function storeStatus(
  work: AutoscalerWork,
  autoscaler: CachedAutoscaler,
  { conditions, metrics: currentMetrics }: Draft,
  { current, desired, scaledAt }: { current: number; desired: number; scaledAt?: number },
): Promise<void> {
  const lastScaleTime = scaledAt === undefined ? autoscaler.status?.lastScaleTime : formatTime(scaledAt);
  await writeStatus(work, autoscaler, {
    ...(lastScaleTime !== undefined && { lastScaleTime }),
    currentReplicas: current,
    desiredReplicas: desired,
    ...(currentMetrics && { currentMetrics }),
    conditions,
  } as HorizontalPodAutoscalerStatus);
}

export const storeConditions = (
  work: AutoscalerWork,
  autoscaler: CachedAutoscaler,
  { conditions }: Draft,
): Promise<void> =>
  writeStatus(work, autoscaler, {
    desiredReplicas: 0,
    ...autoscaler.status,
    conditions,
  } as HorizontalPodAutoscalerStatus);

async function writeStatus(
  { client, record }: AutoscalerWork,
  autoscaler: CachedAutoscaler,
  status: HorizontalPodAutoscalerStatus,
): Promise<void> {
  if (equalJson(status, autoscaler.status)) return;
  const { namespace = "", name } = autoscaler.metadata ?? {};
  try {
    const object = { ...(autoscaler as HorizontalPodAutoscaler), status };
    await client.autoscaling.v2.horizontalpodautoscalers(namespace).updateStatus(object);
  } catch (error) {
    record(autoscaler, "Warning", "FailedUpdateStatus", messageOf(error));
    throw new Error(`failed to update status for ${name}: ${messageOf(error)}`, { cause: error });
  }
}
