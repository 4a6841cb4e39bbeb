import type { DeepReadonly } from "@coxswain/api";
import type { HPAScalingPolicy, HPAScalingRules } from "@coxswain/api/autoscaling/v2";
import { append } from "@coxswain/apimachinery/append";
import {
  type FieldError,
  type FieldPath,
  fieldPath,
  invalid,
  namedText,
  notSupported,
  required,
} from "@coxswain/apimachinery/field";
import { parseQuantity } from "@coxswain/apimachinery/quantity";
import { checkCounts } from "../../checks/counts.js";
import { checkOneOf } from "../../checks/field-errors.js";
import { checkObjectMeta, checkObjectMetaUpdate } from "../../checks/object-meta.js";
import { checkQuantity } from "../../checks/quantity.js";
import type { StrategyContext } from "../../definition/strategy.js";
import { checkMetrics } from "./metric-validation.js";
import { apiVersionProblem, checkReference, type ReferenceRules } from "./reference-validation.js";
import type { StoredHorizontalPodAutoscaler } from "./stored.js";

type Autoscaler = DeepReadonly<StoredHorizontalPodAutoscaler>;

interface Rules {
  readonly fewest: number;
  readonly target: ReferenceRules;
  readonly metrics: ReferenceRules;
}

const specPath = fieldPath("spec");
const longestPeriod = 1800;
const longestWindow = 3600;

export const checkHorizontalPodAutoscaler = (autoscaler: Autoscaler, context: StrategyContext): FieldError[] => [
  ...checkObjectMeta(autoscaler.metadata, { namespaced: true }),
  ...checkSpec(autoscaler.spec, rulesFor(autoscaler, undefined, context)),
];

export const checkHorizontalPodAutoscalerUpdate = (
  next: Autoscaler,
  old: Autoscaler,
  context: StrategyContext,
): FieldError[] => [
  ...checkObjectMetaUpdate(next.metadata, old.metadata),
  ...checkSpec(next.spec, rulesFor(next, old, context)),
];

export const checkHorizontalPodAutoscalerStatus = ({ metadata, status }: Autoscaler, old: Autoscaler): FieldError[] => [
  ...checkObjectMetaUpdate(metadata, old.metadata),
  ...checkCounts(status, ["currentReplicas", "desiredReplicas"], fieldPath("status")),
];

/** What is stored may stay as it is, even where it could not be written today. */
function rulesFor({ spec }: Autoscaler, old: Autoscaler | undefined, { gates }: StrategyContext): Rules {
  const { kind, apiVersion } = spec.scaleTargetRef;
  const isOld =
    old !== undefined && old.spec.scaleTargetRef.kind === kind && old.spec.scaleTargetRef.apiVersion === apiVersion;
  const hasWrongMetric = (old?.spec.metrics ?? []).some(
    ({ type, object }) =>
      type === "Object" && object && apiVersionProblem(object.describedObject, { mayLackGroup: true }) !== undefined,
  );
  return {
    fewest: gates.enabled("HPAScaleToZero") || old?.spec.minReplicas === 0 ? 0 : 1,
    target: { mayLackGroup: kind === "ReplicationController", anyApiVersion: isOld },
    metrics: { mayLackGroup: true, anyApiVersion: hasWrongMetric },
  };
}

function checkSpec(
  { minReplicas, maxReplicas = 0, scaleTargetRef, metrics = [], behavior }: Autoscaler["spec"],
  rules: Rules,
): FieldError[] {
  const errors: FieldError[] = [];
  const maxPath = specPath.child("maxReplicas");
  if (minReplicas !== undefined && minReplicas < rules.fewest)
    errors.push(
      invalid(specPath.child("minReplicas"), minReplicas, `must be greater than or equal to ${rules.fewest}`),
    );
  if (maxReplicas === 0) errors.push(required(maxPath, "must be set and greater than 0"));
  else if (maxReplicas < 0) errors.push(invalid(maxPath, maxReplicas, "must be greater than or equal to 1"));
  if (minReplicas !== undefined && maxReplicas < minReplicas)
    errors.push(invalid(maxPath, maxReplicas, "must be greater than or equal to `minReplicas`"));
  return [
    ...errors,
    ...checkReference(scaleTargetRef, specPath.child("scaleTargetRef"), rules.target),
    ...checkMetrics(metrics, specPath.child("metrics"), { scalesToZero: minReplicas === 0, references: rules.metrics }),
    ...checkScaling(behavior?.scaleUp, specPath.child("behavior", "scaleUp")),
    ...checkScaling(behavior?.scaleDown, specPath.child("behavior", "scaleDown")),
  ];
}

function checkScaling(rules: DeepReadonly<HPAScalingRules> | undefined, path: FieldPath): FieldError[] {
  if (!rules) return [];
  const { stabilizationWindowSeconds: window = 0, selectPolicy, policies = [], tolerance } = rules;
  const errors: FieldError[] = [];
  const windowPath = path.child("stabilizationWindowSeconds");
  if (window < 0) errors.push(invalid(windowPath, window, "must be greater than or equal to zero"));
  if (window > longestWindow)
    errors.push(invalid(windowPath, window, `must be less than or equal to ${longestWindow}`));
  if (selectPolicy !== undefined)
    append(errors, checkOneOf(selectPolicy, ["Disabled", "Max", "Min"], path.child("selectPolicy")));
  if (policies.length === 0) errors.push(required(path.child("policies"), "must specify at least one Policy"));
  append(
    errors,
    policies.flatMap((policy, at) => checkPolicy(policy, path.child("policies").index(at))),
  );
  if (tolerance !== undefined) append(errors, checkQuantity(parseQuantity(tolerance), path.child("tolerance")));
  return errors;
}

function checkPolicy(
  { type, value = 0, periodSeconds: period = 0 }: DeepReadonly<HPAScalingPolicy>,
  path: FieldPath,
): FieldError[] {
  const errors: FieldError[] = [];
  if (type !== "Pods" && type !== "Percent")
    errors.push(notSupported(path.child("type"), namedText(type ?? ""), ["Percent", "Pods"]));
  if (value <= 0) errors.push(invalid(path.child("value"), value, "must be greater than zero"));
  if (period <= 0) errors.push(invalid(path.child("periodSeconds"), period, "must be greater than zero"));
  if (period > longestPeriod)
    errors.push(invalid(path.child("periodSeconds"), period, `must be less than or equal to ${longestPeriod}`));
  return errors;
}
