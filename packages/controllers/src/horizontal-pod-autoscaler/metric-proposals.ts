import type { DeepReadonly } from "@coxswain/api";
import type { MetricSpec, MetricStatus, MetricTarget, MetricValueStatus } from "@coxswain/api/autoscaling/v2";
import type { LabelSelector } from "@coxswain/api/meta/v1";
import { parseQuantity, Quantity, quantityMilliValue } from "@coxswain/apimachinery/quantity";
import { goSelectorText, labelSelectorFromObject, type Selector } from "@coxswain/apimachinery/selector";
import { messageOf } from "../pods/pod-control.js";
import type { CachedPod } from "../pods/pod-state.js";
import type { MetricsSource } from "../settings/metrics-source.js";
import type { CachedAutoscaler } from "./plan.js";
import { podRequests } from "./pod-requests.js";
import {
  averageReplicas,
  type PodMetricInputs,
  perPodReplicas,
  type Tolerances,
  utilizationReplicas,
  valueReplicas,
} from "./replica-calculator.js";

type Spec = DeepReadonly<MetricSpec>;
type Target = DeepReadonly<MetricTarget>;
export type CachedMetricStatus = DeepReadonly<MetricStatus>;

/** How many replicas one metric asks for. */
export interface Proposal {
  readonly replicas: number;
  /** In the words of conditions and events. */
  readonly metric: string;
  readonly status: CachedMetricStatus;
}

/** Why a metric has no result. */
export class MetricError extends Error {
  /** Of the condition and of the event. */
  readonly reason: string;
  /** Reason of the condition and the event; the message has more. */
  readonly detail: string;

  constructor(reason: string, detail: string, message: string) {
    super(message);
    this.reason = reason;
    this.detail = detail;
  }
}

export interface ProposalInputs {
  readonly source: MetricsSource;
  readonly namespace: string;
  /** Of the target's pods. */
  readonly selector: Selector;
  readonly pods: readonly CachedPod[];
  readonly specReplicas: number;
  readonly statusReplicas: number;
  readonly tolerances: Tolerances;
  readonly hasPodLevelResources: boolean;
  readonly cpuInitializationMs: number;
  readonly initialReadinessMs: number;
  readonly now: number;
}

/** Asks the source and computes. @throws MetricError */
export async function proposeReplicas(spec: Spec, inputs: ProposalInputs): Promise<Proposal> {
  switch (spec.type) {
    case "Resource":
      return tryWith("FailedGetResourceMetric", `failed to get ${spec.resource?.name} resource metric value`, () =>
        ofResource(spec, inputs),
      );
    case "ContainerResource": {
      const prefix = `failed to get ${spec.containerResource?.container} container metric value`;
      return tryWith("FailedGetContainerResourceMetric", prefix, () => ofResource(spec, inputs));
    }
    case "Pods":
      return tryWith("FailedGetPodsMetric", "failed to get pods metric value", () => ofPods(spec, inputs));
    case "Object":
      return tryWith("FailedGetObjectMetric", "failed to get object metric value", () => ofObject(spec, inputs));
    case "External": {
      const prefix = `failed to get ${spec.external?.metric.name} external metric value`;
      return tryWith("FailedGetExternalMetric", prefix, () => ofExternal(spec, inputs));
    }
    default: {
      const message = `unknown metric source type "${String(spec.type)}"`;
      throw new MetricError("InvalidMetricSourceType", message, message);
    }
  }
}

/** A failure whose own message the condition has, while the message of the metric adds to it. */
class Wrapped extends Error {
  readonly detail: string;

  constructor(prefix: string, cause: unknown) {
    super(`${prefix}: ${messageOf(cause)}`, { cause });
    this.detail = messageOf(cause);
  }
}

async function tryWith(reason: string, prefix: string, work: () => Promise<Proposal>): Promise<Proposal> {
  try {
    return await work();
  } catch (error) {
    const detail = error instanceof Wrapped ? error.detail : messageOf(error);
    throw new MetricError(reason, detail, `${prefix}: ${messageOf(error)}`);
  }
}

/** With what went wrong behind the prefix. */
async function prefixed<T>(prefix: string, work: () => Promise<T> | T): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new Error(`${prefix}: ${messageOf(error)}`, { cause: error });
  }
}

const podInputs = (
  inputs: ProposalInputs,
  metrics: PodMetricInputs["metrics"],
  resource?: string,
): PodMetricInputs => ({
  ...inputs,
  currentReplicas: inputs.specReplicas,
  metrics,
  resource,
});

async function ofResource(spec: Spec, inputs: ProposalInputs): Promise<Proposal> {
  const { name = "", target } = spec.resource ?? spec.containerResource ?? {};
  const container = spec.containerResource?.container;
  const { current, replicas, metric } = await resourceValue(name, target, container, inputs);
  return {
    replicas,
    metric,
    status: container
      ? { type: "ContainerResource", containerResource: { name, container, current } }
      : { type: "Resource", resource: { name, current } },
  };
}

async function resourceValue(
  name: string,
  target: Target | undefined,
  container: string | undefined,
  inputs: ProposalInputs,
): Promise<{ readonly current: MetricValueStatus; readonly replicas: number; readonly metric: string }> {
  const { source, namespace, selector, pods, hasPodLevelResources: hasPodLevel } = inputs;
  const ask = async (): Promise<PodMetricInputs> => {
    const metrics = await prefixed(`unable to get metrics for resource ${name}`, () =>
      source.resource({ namespace, selector, resource: name, ...(container !== undefined && { container }) }),
    );
    return podInputs(inputs, metrics, name);
  };
  if (target?.averageValue !== undefined) {
    const wanted = quantityMilliValue(target.averageValue);
    const { replicas, average } = await prefixed(`failed to get ${name} usage`, async () =>
      averageReplicas(await ask(), wanted),
    );
    return { current: { averageValue: resourceQuantity(name, average) }, replicas, metric: `${name} resource` };
  }
  const utilizationTarget = target?.averageUtilization;
  if (utilizationTarget === undefined)
    throw new Error(
      "invalid resource metric source: neither an average utilization target nor an average value (usage) target was set",
    );
  const { replicas, utilization, average } = await prefixed(`failed to get ${name} utilization`, async () =>
    utilizationReplicas(await ask(), {
      target: utilizationTarget,
      requestsOf: () => podRequests(pods, { resource: name, container, hasPodLevel }),
    }),
  );
  return {
    current: { averageUtilization: utilization, averageValue: resourceQuantity(name, average) },
    replicas,
    metric: `${name} ${container === undefined ? "" : "container "}resource utilization (percentage of request)`,
  };
}

async function ofPods({ pods }: Spec, inputs: ProposalInputs): Promise<Proposal> {
  const { name = "", selector } = pods?.metric ?? {};
  const metrics = await prefixed(`unable to get metric ${name}`, () =>
    inputs.source.pods({
      namespace: inputs.namespace,
      selector: inputs.selector,
      metric: name,
      metricSelector: labelSelectorFromObject(selector),
    }),
  );
  const { replicas, average } = averageReplicas(
    podInputs(inputs, metrics),
    quantityMilliValue(pods?.target.averageValue ?? "0"),
  );
  return {
    replicas,
    metric: `pods metric ${name}`,
    status: { type: "Pods", pods: { metric: identifier(name, selector), current: { averageValue: milli(average) } } },
  };
}

async function ofObject({ object }: Spec, inputs: ProposalInputs): Promise<Proposal> {
  const { namespace, tolerances } = inputs;
  const { name = "", selector } = object?.metric ?? {};
  const described = object?.describedObject ?? { kind: "", name: "" };
  const { type, value, averageValue } = object?.target ?? {};
  const usageOf = async (): Promise<number> => {
    try {
      const metricSelector = labelSelectorFromObject(selector);
      return await inputs.source.object({ namespace, object: described, metric: name, metricSelector });
    } catch (error) {
      // In upstream's order of words.
      const message = `unable to get metric ${name}: ${described.kind} on ${namespace} ${described.name}/${messageOf(error)}`;
      throw new Error(message, { cause: error });
    }
  };
  const statusOf = (current: MetricValueStatus): CachedMetricStatus => ({
    type: "Object",
    object: { describedObject: described, metric: identifier(name, selector), current },
  });
  if (type === "Value" && value !== undefined) {
    const usage = await usageOf();
    const target = quantityMilliValue(value);
    return {
      replicas: valueReplicas({ ...inputs, currentReplicas: inputs.specReplicas, usage, target }),
      metric: `${described.kind} metric ${name}`,
      status: statusOf({ value: milli(usage) }),
    };
  }
  if (type === "AverageValue" && averageValue !== undefined) {
    const { statusReplicas } = inputs;
    const { replicas, average } = await wrapped(`failed to get ${name} object metric`, async () =>
      perPodReplicas({ statusReplicas, usage: await usageOf(), target: quantityMilliValue(averageValue), tolerances }),
    );
    return { replicas, metric: externalName(name, selector), status: statusOf({ averageValue: milli(average) }) };
  }
  throw new Error("invalid object metric source: neither a value target nor an average value target was set");
}

async function ofExternal({ external }: Spec, inputs: ProposalInputs): Promise<Proposal> {
  const { namespace, statusReplicas, tolerances } = inputs;
  const { name = "", selector } = external?.metric ?? {};
  const { value, averageValue } = external?.target ?? {};
  const usageOf = async (): Promise<number> => {
    const values = await prefixed(`unable to get external metric ${namespace}/${name}/${selectorText(selector)}`, () =>
      inputs.source.external({ namespace, metric: name, metricSelector: labelSelectorFromObject(selector) }),
    );
    return values.reduce((sum, each) => sum + each, 0);
  };
  const statusOf = (current: MetricValueStatus): CachedMetricStatus => ({
    type: "External",
    external: { metric: identifier(name, selector), current },
  });
  const metric = externalName(name, selector);
  if (averageValue !== undefined) {
    const { replicas, average } = await wrapped(`failed to get ${name} external metric`, async () =>
      perPodReplicas({ statusReplicas, usage: await usageOf(), target: quantityMilliValue(averageValue), tolerances }),
    );
    return { replicas, metric, status: statusOf({ averageValue: milli(average) }) };
  }
  if (value === undefined)
    throw new Error("invalid external metric source: neither a value target nor an average value target was set");
  return wrapped(`failed to get external metric ${name}`, async () => {
    const usage = await usageOf();
    const target = quantityMilliValue(value);
    return {
      replicas: valueReplicas({ ...inputs, currentReplicas: inputs.specReplicas, usage, target }),
      metric,
      status: statusOf({ value: milli(usage) }),
    };
  });
}

async function wrapped<T>(prefix: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new Wrapped(prefix, error);
  }
}

type CachedSelector = DeepReadonly<LabelSelector> | undefined;

const identifier = (name: string, selector: CachedSelector) => ({ name, ...(selector && { selector }) });

const selectorText = (selector: CachedSelector): string => (selector ? goSelectorText(selector) : "nil");

const externalName = (name: string, selector: CachedSelector): string =>
  `external metric ${name}(${selectorText(selector)})`;

const milli = (value: number): string => Quantity.of(value, "DecimalSI", -3).toString();

/** Memory is written in powers of two, as metrics servers do. */
const resourceQuantity = (name: string, value: number): string =>
  name === "memory" ? Quantity.of(value, "BinarySI", -3).toString() : milli(value);

/** Pure: the usual tolerance, or the autoscaler's own. */
export function tolerancesOf({ spec }: CachedAutoscaler, usual: number, isConfigurable: boolean): Tolerances {
  const { scaleUp, scaleDown } = (isConfigurable ? spec?.behavior : undefined) ?? {};
  const read = (text: string | undefined): number => (text === undefined ? usual : parseQuantity(text).toNumber());
  return { up: read(scaleUp?.tolerance), down: read(scaleDown?.tolerance) };
}
