import type { DeepReadonly } from "@coxswain/api";
import type {
  ContainerResourceMetricSource,
  ExternalMetricSource,
  MetricIdentifier,
  MetricSpec,
  MetricTarget,
  ObjectMetricSource,
  PodsMetricSource,
  ResourceMetricSource,
} from "@coxswain/api/autoscaling/v2";
import {
  type FieldError,
  type FieldPath,
  forbidden,
  invalid,
  namedText,
  notSupported,
  required,
} from "@coxswain/apimachinery/field";
import { parseQuantity } from "@coxswain/apimachinery/quantity";
import { checkPathSegmentName } from "@coxswain/apimachinery/validation";
import { checkDnsLabelAt, problemsAt } from "../../checks/field-errors.js";
import { checkContainerResourceName } from "../../pod-spec/resources/resource-names.js";
import { checkReference, type ReferenceRules } from "./reference-validation.js";

type Metric = DeepReadonly<MetricSpec>;
type Target = DeepReadonly<MetricTarget>;

interface MetricRules {
  readonly scalesToZero: boolean;
  readonly references: ReferenceRules;
}

export function checkMetrics(
  metrics: readonly Metric[],
  path: FieldPath,
  { scalesToZero, references }: MetricRules,
): FieldError[] {
  const errors = metrics.flatMap((metric, at) => checkMetric(metric, path.index(at), references));
  if (scalesToZero && !metrics.some(({ type }) => type === "Object" || type === "External")) {
    errors.push(
      forbidden(path, "must specify at least one Object or External metric to support scaling to zero replicas"),
    );
  }
  return errors;
}

const memberOf = {
  Object: "object",
  Pods: "pods",
  Resource: "resource",
  External: "external",
  ContainerResource: "containerResource",
} as const;
const types = ["ContainerResource", "External", "Object", "Pods", "Resource"] as const;

/** A metric is described in the member of its type. Only the first member is looked into. */
function checkMetric(metric: Metric, path: FieldPath, references: ReferenceRules): FieldError[] {
  const type = types.find((one) => one === metric.type);
  const unknown = type ? [] : [notSupported(path.child("type"), namedText(metric.type ?? ""), types)];
  const expected = type && memberOf[type];
  const errors = [
    ...(metric.type ? [] : [required(path.child("type"), "must specify a metric source type")]),
    ...unknown,
    ...checkFirstSource(metric, path, references),
    ...unknown,
  ];
  if (expected && !metric[expected])
    errors.push(required(path.child(expected), "must populate information for the given metric source"));
  const present = Object.values(memberOf).filter((member) => metric[member]);
  if (present.length === 1) return errors;
  return [
    ...errors,
    ...present
      .filter((member) => member !== expected)
      .map((member) => forbidden(path.child(member), "must populate the given metric source only")),
  ];
}

function checkFirstSource(
  { object, external, pods, resource, containerResource }: Metric,
  path: FieldPath,
  references: ReferenceRules,
): FieldError[] {
  if (object) return checkObject(object, path.child("object"), references);
  if (external) return checkExternal(external, path.child("external"));
  if (pods) return checkPods(pods, path.child("pods"));
  if (resource) return checkResource(resource, path.child("resource"));
  return containerResource ? checkContainer(containerResource, path.child("containerResource")) : [];
}

function checkObject(
  { describedObject, metric, target }: DeepReadonly<ObjectMetricSource>,
  path: FieldPath,
  references: ReferenceRules,
): FieldError[] {
  const errors = [
    ...checkReference(describedObject, path.child("describedObject"), references),
    ...checkIdentifier(metric, path.child("metric")),
    ...checkTarget(target, path.child("target")),
  ];
  if (!target.value && !target.averageValue)
    errors.push(required(path.child("target", "averageValue"), "must set either a target value or averageValue"));
  return errors;
}

function checkExternal({ metric, target }: DeepReadonly<ExternalMetricSource>, path: FieldPath): FieldError[] {
  const errors = [...checkIdentifier(metric, path.child("metric")), ...checkTarget(target, path.child("target"))];
  if (!target.value && !target.averageValue)
    errors.push(
      required(path.child("target", "averageValue"), "must set either a target value for metric or a per-pod target"),
    );
  if (target.value && target.averageValue)
    errors.push(
      forbidden(path.child("target", "value"), "may not set both a target value for metric and a per-pod target"),
    );
  return errors;
}

function checkPods({ metric, target }: DeepReadonly<PodsMetricSource>, path: FieldPath): FieldError[] {
  const errors = [...checkIdentifier(metric, path.child("metric")), ...checkTarget(target, path.child("target"))];
  if (!target.averageValue)
    errors.push(required(path.child("target", "averageValue"), "must specify a positive target averageValue"));
  return errors;
}

const checkResource = ({ name, target }: DeepReadonly<ResourceMetricSource>, path: FieldPath): FieldError[] => [
  ...(name ? [] : [required(path.child("name"), "must specify a resource name")]),
  ...checkUsageTarget(target, path.child("target")),
];

const checkContainer = (
  { name, container, target }: DeepReadonly<ContainerResourceMetricSource>,
  path: FieldPath,
): FieldError[] => [
  ...(name
    ? checkContainerResourceName(name, path.child("name"))
    : [required(path.child("name"), "must specify a resource name")]),
  ...(container
    ? checkDnsLabelAt(container, path.child("container"))
    : [required(path.child("container"), "must specify a container")]),
  ...checkUsageTarget(target, path.child("target")),
];

function checkUsageTarget(target: Target, path: FieldPath): FieldError[] {
  const { averageUtilization, averageValue } = target;
  const errors = checkTarget(target, path);
  if (averageUtilization === undefined && !averageValue)
    errors.push(
      required(path.child("averageUtilization"), "must set either a target raw value or a target utilization"),
    );
  if (averageUtilization !== undefined && averageValue)
    errors.push(forbidden(path.child("averageValue"), "may not set both a target raw value and a target utilization"));
  return errors;
}

function checkTarget({ type, value, averageValue, averageUtilization }: Target, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  if (!type) errors.push(required(path.child("type"), "must specify a metric target type"));
  if (type !== "Utilization" && type !== "Value" && type !== "AverageValue")
    errors.push(
      invalid(path.child("type"), namedText(type ?? ""), "must be either Utilization, Value, or AverageValue"),
    );
  for (const [member, amount] of Object.entries({ value, averageValue })) {
    if (amount && parseQuantity(amount).sign <= 0) errors.push(invalid(path.child(member), amount, "must be positive"));
  }
  if (averageUtilization !== undefined && averageUtilization < 1)
    errors.push(invalid(path.child("averageUtilization"), averageUtilization, "must be greater than 0"));
  return errors;
}

const checkIdentifier = ({ name }: DeepReadonly<MetricIdentifier>, path: FieldPath): readonly FieldError[] =>
  name
    ? problemsAt(path.child("name"), name, checkPathSegmentName(name))
    : [required(path.child("name"), "must specify a metric name")];
