import type { DeepReadonly } from "@coxswain/api";
import type {
  ExternalMetricSource,
  MetricSpec as MetricOfOne,
  ObjectMetricSource,
  ResourceMetricSource,
} from "@coxswain/api/autoscaling/v1";
import type { MetricSpec, MetricTarget } from "@coxswain/api/autoscaling/v2";
import { parseQuantity } from "@coxswain/apimachinery/quantity";

export const metricToHub = ({
  type,
  object,
  pods,
  resource,
  containerResource,
  external,
}: DeepReadonly<MetricOfOne>): unknown => ({
  type,
  object: object && {
    describedObject: object.target,
    metric: { name: object.metricName, selector: object.selector },
    target: objectTarget(object),
  },
  pods: pods && {
    metric: { name: pods.metricName, selector: pods.selector },
    target: { type: "AverageValue", averageValue: pods.targetAverageValue ?? "0" },
  },
  resource: resource && { name: resource.name, target: usageTarget(resource) },
  containerResource: containerResource && {
    name: containerResource.name,
    container: containerResource.container,
    target: usageTarget(containerResource),
  },
  external: external && {
    metric: { name: external.metricName, selector: external.metricSelector },
    target: externalTarget(external),
  },
});

/** The first version cannot leave the value out, so a zero beside an average is none. */
function objectTarget({ targetValue = "0", averageValue }: DeepReadonly<ObjectMetricSource>): unknown {
  if (averageValue === undefined) return { type: "Value", value: targetValue };
  return { type: "AverageValue", value: parseQuantity(targetValue).sign === 0 ? undefined : targetValue, averageValue };
}

const usageTarget = ({
  targetAverageUtilization: averageUtilization,
  targetAverageValue: averageValue,
}: DeepReadonly<ResourceMetricSource>): unknown => ({
  type: averageUtilization === undefined ? "AverageValue" : "Utilization",
  averageValue,
  averageUtilization,
});

const externalTarget = ({
  targetValue: value,
  targetAverageValue: averageValue,
}: DeepReadonly<ExternalMetricSource>): unknown => ({
  type: value === undefined ? "AverageValue" : "Value",
  value,
  averageValue,
});

export const metricFromHub = ({
  type,
  object,
  pods,
  resource,
  containerResource,
  external,
}: DeepReadonly<MetricSpec>): DeepReadonly<MetricOfOne> =>
  ({
    type,
    object: object && {
      target: object.describedObject,
      metricName: object.metric.name,
      targetValue: object.target.value,
      selector: object.metric.selector,
      averageValue: object.target.averageValue,
    },
    pods: pods && {
      metricName: pods.metric.name,
      targetAverageValue: pods.target.averageValue,
      selector: pods.metric.selector,
    },
    resource: resource && { name: resource.name, ...usageOfOne(resource.target) },
    containerResource: containerResource && {
      name: containerResource.name,
      container: containerResource.container,
      ...usageOfOne(containerResource.target),
    },
    external: external && {
      metricName: external.metric.name,
      metricSelector: external.metric.selector,
      targetValue: external.target.value,
      targetAverageValue: external.target.averageValue,
    },
  }) as DeepReadonly<MetricOfOne>;

const usageOfOne = ({ averageUtilization, averageValue }: DeepReadonly<MetricTarget>): object => ({
  targetAverageUtilization: averageUtilization,
  targetAverageValue: averageValue,
});
