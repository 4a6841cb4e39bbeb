import type { Selector } from "@coxswain/apimachinery/selector";
import type { Client } from "@coxswain/client";
import type { EventType } from "@coxswain/client/events";
import type { Runtime } from "@coxswain/runtime";
import type { CachedPod } from "../pods/pod-state.js";
import type { MetricsSource } from "../settings/metrics-source.js";
import type { Action, AutoscalerMetrics, Failure } from "./autoscaler-metrics.js";
import type { ControllingAutoscalers } from "./controlling-autoscalers.js";
import type { CachedMetricStatus } from "./metric-proposals.js";
import { type CachedAutoscaler, type CachedCondition, type Finding, withFindings } from "./plan.js";
import type { ScaleHistory } from "./scale-history.js";

/** What the work on all autoscalers shares. */
export interface AutoscalerWork {
  readonly client: Client;
  readonly runtime: Runtime;
  readonly gates: { enabled(gate: string): boolean };
  readonly settings: {
    readonly syncPeriodMs: number;
    readonly downscaleWindowMs: number;
    readonly tolerance: number;
    readonly cpuInitializationMs: number;
    readonly initialReadinessMs: number;
    readonly source: MetricsSource;
  };
  readonly metrics: AutoscalerMetrics;
  readonly controlling: ControllingAutoscalers;
  /** By key of the autoscaler. */
  readonly histories: Map<string, ScaleHistory>;
  autoscalerByKey(key: string): CachedAutoscaler | undefined;
  podsIn(namespace: string, selector: Selector): readonly CachedPod[];
  record(autoscaler: CachedAutoscaler, type: EventType, reason: string, message: string): void;
}

/** What a reconcile has found out so far. */
export interface Draft {
  conditions: readonly CachedCondition[];
  metrics?: readonly CachedMetricStatus[];
  action: Action;
  failure: Failure;
}

export function find({ runtime: { clock } }: AutoscalerWork, draft: Draft, ...findings: readonly Finding[]): void {
  draft.conditions = withFindings(draft.conditions, findings, clock.now());
}

export function forgetZero(draft: Draft): void {
  draft.conditions = draft.conditions.filter(({ type }) => type !== "ScaledToZero");
}

export const hasObjectOrExternal = ({ spec }: CachedAutoscaler): boolean =>
  spec?.metrics?.some(({ type }) => type === "Object" || type === "External") ?? false;
