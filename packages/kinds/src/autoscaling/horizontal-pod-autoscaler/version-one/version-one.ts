import type { DeepReadonly } from "@coxswain/api";
import type {
  HorizontalPodAutoscaler,
  HorizontalPodAutoscalerStatus as StatusOfOne,
} from "@coxswain/api/autoscaling/v1";
import type { HorizontalPodAutoscalerStatus, MetricSpec } from "@coxswain/api/autoscaling/v2";
import { setOwn } from "@coxswain/apimachinery/own";
import { builtInVersion } from "../../../built-in/built-in-version.js";
import type { Stored } from "../../../definition/stored.js";
import type { StoredHorizontalPodAutoscaler } from "../stored.js";
import { usualMetric } from "../usual-metric.js";
import { behaviorText, readAnnotation, readBehavior, writtenAnnotation } from "./annotation-texts.js";
import { annotations, dropVersionOneAnnotations } from "./annotations.js";
import { metricFromHub, metricToHub } from "./metric-sources.js";
import { statusFromHub, statusToHub } from "./metric-statuses.js";

type AutoscalerOfOne = Stored<HorizontalPodAutoscaler, "spec" | "status">;
type Hub = DeepReadonly<StoredHorizontalPodAutoscaler>;
type Metric = DeepReadonly<MetricSpec>;

/** The first version knows one metric, the use of the processor. The rest it keeps as text in annotations. */
export const horizontalPodAutoscalerVersionOne = builtInVersion<StoredHorizontalPodAutoscaler, AutoscalerOfOne>(
  "autoscaling",
  "v1",
  "horizontalpodautoscalers",
  {
    hub: { group: "autoscaling", version: "v2" },
    setDefaults({ spec }) {
      spec.minReplicas ??= 1;
    },
    toHub,
    fromHub,
  },
);

function toHub({ metadata, spec, status, ...rest }: DeepReadonly<AutoscalerOfOne>): StoredHorizontalPodAutoscaler {
  const given = metadata.annotations ?? {};
  const { targetCPUUtilizationPercentage: target, ...sameSpec } = spec;
  const { currentCPUUtilizationPercentage: current, ...sameStatus } = status;
  const metrics = [
    ...(readAnnotation(given[annotations.metrics], "MetricSpec") ?? []).map(metricToHub),
    ...(target === undefined
      ? []
      : [{ type: "Resource", resource: { name: "cpu", target: { type: "Utilization", averageUtilization: target } } }]),
  ];
  const measured = readAnnotation(given[annotations.currentMetrics], "MetricStatus")?.map(statusToHub);
  const conditions = readAnnotation(given[annotations.conditions], "HorizontalPodAutoscalerCondition");
  const hub = {
    ...rest,
    apiVersion: "autoscaling/v2",
    metadata: { ...metadata, annotations: { ...given } },
    spec: {
      ...sameSpec,
      metrics: metrics.length > 0 ? metrics : [usualMetric()],
      behavior: readBehavior(given[annotations.behavior]),
    },
    status: {
      ...sameStatus,
      currentMetrics:
        measured ??
        (current === undefined
          ? undefined
          : [{ type: "Resource", resource: { name: "cpu", current: { averageUtilization: current } } }]),
      conditions,
    },
  };
  dropVersionOneAnnotations(hub.metadata);
  return hub as StoredHorizontalPodAutoscaler;
}

function fromHub({ metadata, spec, status, ...rest }: Hub): DeepReadonly<AutoscalerOfOne> {
  const { metrics = [], behavior, ...sameSpec } = spec;
  const { currentMetrics: measured, conditions, ...sameStatus } = status;
  const currentMetrics = measured ?? [];
  const own = { ...metadata, annotations: { ...metadata.annotations } };
  dropVersionOneAnnotations(own);
  const others = metrics.filter((metric) => processorTarget(metric) === undefined);
  if (others.length > 0)
    setOwn(own.annotations, annotations.metrics, writtenAnnotation(others.map(metricFromHub), "MetricSpec"));
  if (currentMetrics.length > 0)
    setOwn(
      own.annotations,
      annotations.currentMetrics,
      writtenAnnotation(currentMetrics.map(statusFromHub), "MetricStatus"),
    );
  if (behavior) setOwn(own.annotations, annotations.behavior, behaviorText(behavior));
  if (conditions && conditions.length > 0)
    setOwn(own.annotations, annotations.conditions, writtenAnnotation(conditions, "HorizontalPodAutoscalerCondition"));
  return {
    ...rest,
    apiVersion: "autoscaling/v1",
    metadata: own,
    spec: {
      ...sameSpec,
      targetCPUUtilizationPercentage: metrics.map(processorTarget).find((target) => target !== undefined),
    },
    status: { ...sameStatus, currentCPUUtilizationPercentage: processorUse(currentMetrics) },
  } as DeepReadonly<AutoscalerOfOne>;
}

const processorTarget = ({ type, resource }: Metric): number | undefined =>
  type === "Resource" && resource?.name === "cpu" ? resource.target.averageUtilization : undefined;

/** The last one that is set counts. */
const processorUse = (
  metrics: NonNullable<DeepReadonly<HorizontalPodAutoscalerStatus>["currentMetrics"]>,
): StatusOfOne["currentCPUUtilizationPercentage"] =>
  metrics
    .map(({ type, resource }) =>
      type === "Resource" && resource?.name === "cpu" ? resource.current.averageUtilization : undefined,
    )
    .findLast((use) => use !== undefined);
