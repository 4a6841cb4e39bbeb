import type { Selector } from "@coxswain/apimachinery/selector";

/** One pod's value of a metric. */
export interface PodMetric {
  /** When it was measured, in milliseconds. */
  readonly timestampMs: number;
  /** Over how long, in milliseconds. */
  readonly windowMs: number;
  /** In thousandths. */
  readonly value: number;
}

/** By name of the pod. */
export type PodMetrics = ReadonlyMap<string, PodMetric>;

/** An object that has a metric. */
export interface DescribedObject {
  readonly apiVersion?: string;
  readonly kind: string;
  readonly name: string;
}

/**
 * Where autoscalers get their metrics. Values are in thousandths. A metric's own selector is `nothing`, whose text is empty, where
 * the autoscaler has none.
 * @throws Error with the message of the autoscaler's condition
 */
export interface MetricsSource {
  /** What pods use of a resource; only one container of each where it is named. */
  resource(query: {
    readonly namespace: string;
    readonly selector: Selector;
    readonly resource: string;
    readonly container?: string;
  }): Promise<PodMetrics>;
  /** A metric of each pod. */
  pods(query: {
    readonly namespace: string;
    readonly selector: Selector;
    readonly metric: string;
    readonly metricSelector: Selector;
  }): Promise<PodMetrics>;
  /** A metric of one object. */
  object(query: {
    readonly namespace: string;
    readonly object: DescribedObject;
    readonly metric: string;
    readonly metricSelector: Selector;
  }): Promise<number>;
  /** All values of a metric that has nothing to do with objects. */
  external(query: {
    readonly namespace: string;
    readonly metric: string;
    readonly metricSelector: Selector;
  }): Promise<readonly number[]>;
}
