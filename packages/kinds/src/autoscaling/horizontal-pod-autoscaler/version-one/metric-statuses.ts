import type { DeepReadonly } from "@coxswain/api";
import type { ResourceMetricStatus, MetricStatus as StatusOfOne } from "@coxswain/api/autoscaling/v1";
import type { MetricStatus, MetricValueStatus } from "@coxswain/api/autoscaling/v2";

/** Amounts that the first version cannot leave out are "0" where they are missing. */
export const statusToHub = ({
  type,
  object,
  pods,
  resource,
  containerResource,
  external,
}: DeepReadonly<StatusOfOne>): unknown => ({
  type,
  object: object && {
    describedObject: object.target,
    metric: { name: object.metricName, selector: object.selector },
    current: { value: object.currentValue, averageValue: object.averageValue },
  },
  pods: pods && {
    metric: { name: pods.metricName, selector: pods.selector },
    current: { averageValue: pods.currentAverageValue },
  },
  resource: resource && { name: resource.name, current: usage(resource) },
  containerResource: containerResource && {
    name: containerResource.name,
    container: containerResource.container,
    current: usage(containerResource),
  },
  external: external && {
    metric: { name: external.metricName, selector: external.metricSelector },
    current: { value: external.currentValue, averageValue: external.currentAverageValue },
  },
});

const usage = ({
  currentAverageUtilization: averageUtilization,
  currentAverageValue: averageValue,
}: DeepReadonly<ResourceMetricStatus>): unknown => ({ averageUtilization, averageValue });

export const statusFromHub = ({
  type,
  object,
  pods,
  resource,
  containerResource,
  external,
}: DeepReadonly<MetricStatus>): DeepReadonly<StatusOfOne> =>
  ({
    type,
    object: object && {
      target: object.describedObject,
      metricName: object.metric.name,
      currentValue: object.current.value,
      selector: object.metric.selector,
      averageValue: object.current.averageValue,
    },
    pods: pods && {
      metricName: pods.metric.name,
      currentAverageValue: pods.current.averageValue,
      selector: pods.metric.selector,
    },
    resource: resource && { name: resource.name, ...usageOfOne(resource.current) },
    containerResource: containerResource && {
      name: containerResource.name,
      container: containerResource.container,
      ...usageOfOne(containerResource.current),
    },
    external: external && {
      metricName: external.metric.name,
      metricSelector: external.metric.selector,
      currentValue: external.current.value,
      currentAverageValue: external.current.averageValue,
    },
  }) as DeepReadonly<StatusOfOne>;

const usageOfOne = ({ averageUtilization, averageValue }: DeepReadonly<MetricValueStatus>): object => ({
  currentAverageUtilization: averageUtilization,
  currentAverageValue: averageValue,
});
