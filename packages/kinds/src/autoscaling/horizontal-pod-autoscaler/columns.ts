import type { DeepReadonly } from "@coxswain/api";
import type { MetricSpec, MetricStatus, MetricTarget, MetricValueStatus } from "@coxswain/api/autoscaling/v2";
import { age } from "../../definition/age.js";
import { ageColumn, type ColumnSet, column, nameColumn } from "../../definition/columns.js";
import { none } from "../../printing/labels.js";
import { shortened } from "../../printing/shortened.js";
import type { StoredHorizontalPodAutoscaler } from "./stored.js";

type Target = DeepReadonly<MetricTarget>;
type Current = DeepReadonly<MetricValueStatus>;
type Metric = DeepReadonly<MetricSpec>;
type Status = DeepReadonly<MetricStatus>;

export const horizontalPodAutoscalerColumns: ColumnSet<StoredHorizontalPodAutoscaler> = {
  columns: [
    nameColumn,
    column("Reference", "string", "Whose number of pods it sets."),
    column("Targets", "string", "What it measures, and what it wants to measure."),
    column("MinPods", "string", "How few pods there may be."),
    column("MaxPods", "string", "How many there may be."),
    column("Replicas", "string", "How many there are."),
    ageColumn,
  ],
  cells: ({ metadata, spec, status }, now) => [
    metadata.name ?? "",
    `${spec.scaleTargetRef.kind ?? ""}/${spec.scaleTargetRef.name ?? ""}`,
    metricsText(spec.metrics ?? [], status.currentMetrics ?? []),
    spec.minReplicas === undefined ? "<unset>" : String(spec.minReplicas),
    spec.maxReplicas ?? 0,
    status.currentReplicas ?? 0,
    age(metadata.creationTimestamp, now),
  ],
};

function metricsText(metrics: readonly Metric[], statuses: readonly Status[]): string {
  if (metrics.length === 0) return none;
  return shortened(
    metrics.map((metric, at) => metricText(metric, statuses[at])),
    2,
    ", ",
  );
}

/** The metric and its measurement stand at the same place of two lists. */
function metricText(
  { type, external, pods, object, resource, containerResource }: Metric,
  status: Status | undefined,
): string {
  switch (type) {
    case "External":
      return amountText(external?.target, status?.external?.current);
    case "Object":
      return amountText(object?.target, status?.object?.current);
    case "Pods":
      return `${status?.pods ? amount(status.pods.current.averageValue) : unknown}/${amount(pods?.target.averageValue)}`;
    case "Resource":
      return `${resource?.name ?? ""}: ${usageText(resource?.target, status?.resource?.current)}`;
    case "ContainerResource":
      return `${containerResource?.name ?? ""}: ${usageText(containerResource?.target, status?.containerResource?.current)}`;
    default:
      return "<unknown type>";
  }
}

const unknown = "<unknown>";

/** As Go prints an amount that may be missing. */
const amount = (value: string | undefined): string => value ?? "<nil>";

const percent = (value: number | undefined, missing: string): string => (value === undefined ? missing : `${value}%`);

function amountText(target: Target | undefined, current: Current | undefined): string {
  if (target?.averageValue !== undefined) return `${current?.averageValue ?? unknown}/${target.averageValue} (avg)`;
  return `${current ? amount(current.value) : unknown}/${amount(target?.value)}`;
}

function usageText(target: Target | undefined, current: Current | undefined): string {
  if (target?.averageValue !== undefined)
    return `${current ? amount(current.averageValue) : unknown}/${target.averageValue}`;
  return `${percent(current?.averageUtilization, unknown)}/${percent(target?.averageUtilization, "<auto>")}`;
}
