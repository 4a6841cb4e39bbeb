import type { DeepReadonly } from "@coxswain/api";
import type { DeploymentStrategy, RollingUpdateDeployment } from "@coxswain/api/apps/v1";
import { append } from "@coxswain/apimachinery/append";
import {
  type FieldError,
  type FieldPath,
  fieldPath,
  forbidden,
  invalid,
  notSupported,
  required,
} from "@coxswain/apimachinery/field";
import { getOwn } from "@coxswain/apimachinery/own";
import { validateNonnegative } from "@coxswain/apimachinery/validation";
import { checkCollisions, checkCounts, checkPart } from "../../checks/counts.js";
import { checkImmutable } from "../../checks/immutable.js";
import { checkAtMostAll, checkIntOrPercent, countOrPercent } from "../../checks/int-or-percent.js";
import { checkObjectMeta, checkObjectMetaUpdate } from "../../checks/object-meta.js";
import type { StrategyContext } from "../../definition/strategy.js";
import { checkPodTemplateSpec } from "../../pod-spec/template-validation.js";
import {
  checkRunsForever,
  checkSelected,
  checkSelector,
  readSelector,
  templateRules,
} from "../../workload/template.js";
import { rollbackAnnotation } from "./defaults.js";
import type { StoredDeployment } from "./stored.js";

type ReadDeployment = DeepReadonly<StoredDeployment>;

const specPath = fieldPath("spec");
const statusPath = fieldPath("status");

export const checkDeployment = (deployment: ReadDeployment, context: StrategyContext): FieldError[] => [
  ...checkObjectMeta(deployment.metadata, { namespaced: true }),
  ...checkSpec(deployment, undefined, context),
];

export const checkDeploymentUpdate = (
  next: ReadDeployment,
  old: ReadDeployment,
  context: StrategyContext,
): FieldError[] => [
  ...checkObjectMetaUpdate(next.metadata, old.metadata),
  ...checkSpec(next, old, context),
  ...checkImmutable(next.spec.selector, old.spec.selector, specPath.child("selector")),
];

function checkSpec(
  { metadata, spec }: ReadDeployment,
  old: ReadDeployment | undefined,
  context: StrategyContext,
): FieldError[] {
  const { replicas = 0, minReadySeconds = 0, revisionHistoryLimit, progressDeadlineSeconds } = spec;
  const errors = [
    ...validateNonnegative(replicas, specPath.child("replicas")),
    ...checkSelector(spec.selector, specPath.child("selector"), "deployment"),
  ];
  const selector = readSelector(spec.selector);
  if (!selector) errors.push(invalid(specPath.child("selector"), spec.selector, "invalid label selector"));
  else {
    const path = specPath.child("template");
    if (!selector.empty) append(errors, checkSelected(selector, spec.template, path));
    append(errors, [
      ...checkPodTemplateSpec(spec.template, path, templateRules(context, old?.spec.template)),
      ...checkRunsForever(spec.template, path, "ReplicaSet"),
    ]);
  }
  append(errors, [
    ...checkStrategy(spec.strategy ?? {}, specPath.child("strategy")),
    ...validateNonnegative(minReadySeconds, specPath.child("minReadySeconds")),
  ]);
  if (revisionHistoryLimit !== undefined)
    append(errors, validateNonnegative(revisionHistoryLimit, specPath.child("revisionHistoryLimit")));
  const rollback = getOwn(metadata.annotations, rollbackAnnotation);
  if (rollback !== undefined)
    append(errors, validateNonnegative(Number(rollback), specPath.child("rollback", "version")));
  if (progressDeadlineSeconds !== undefined) {
    const path = specPath.child("progressDeadlineSeconds");
    append(errors, validateNonnegative(progressDeadlineSeconds, path));
    if (progressDeadlineSeconds <= minReadySeconds)
      errors.push(invalid(path, progressDeadlineSeconds, "must be greater than minReadySeconds"));
  }
  return errors;
}

function checkStrategy(strategy: DeepReadonly<DeploymentStrategy>, path: FieldPath): FieldError[] {
  const { type, rollingUpdate } = strategy;
  switch (type) {
    case "Recreate":
      return rollingUpdate
        ? [forbidden(path.child("rollingUpdate"), "may not be specified when strategy `type` is 'Recreate'")]
        : [];
    case "RollingUpdate":
      return rollingUpdate
        ? checkRollingUpdate(rollingUpdate, path.child("rollingUpdate"))
        : [required(path.child("rollingUpdate"), "this should be defaulted and never be nil")];
    default:
      return [notSupported(path, printed(strategy), ["Recreate", "RollingUpdate"])];
  }
}

function checkRollingUpdate(
  { maxUnavailable = 0, maxSurge = 0 }: DeepReadonly<RollingUpdateDeployment>,
  path: FieldPath,
): FieldError[] {
  const errors = [
    ...checkIntOrPercent(maxUnavailable, path.child("maxUnavailable")),
    ...checkIntOrPercent(maxSurge, path.child("maxSurge")),
  ];
  if (countOrPercent(maxUnavailable) === 0 && countOrPercent(maxSurge) === 0)
    errors.push(invalid(path.child("maxUnavailable"), maxUnavailable, "may not be 0 when `maxSurge` is 0"));
  return [...errors, ...checkAtMostAll(maxUnavailable, path.child("maxUnavailable"))];
}

/** As Go prints its own form. */
const printed = ({ type, rollingUpdate }: DeepReadonly<DeploymentStrategy>): unknown => ({
  Type: type,
  RollingUpdate: rollingUpdate
    ? { MaxUnavailable: rollingUpdate.maxUnavailable ?? 0, MaxSurge: rollingUpdate.maxSurge ?? 0 }
    : null,
});

export function checkDeploymentStatus(next: ReadDeployment, old: ReadDeployment): FieldError[] {
  const { status } = next;
  const counts = [
    "observedGeneration",
    "replicas",
    "updatedReplicas",
    "readyReplicas",
    "availableReplicas",
    "unavailableReplicas",
    "terminatingReplicas",
    "collisionCount",
  ] as const;
  return [
    ...checkObjectMetaUpdate(next.metadata, old.metadata),
    ...checkCounts(status, counts, statusPath),
    ...(["updatedReplicas", "readyReplicas", "availableReplicas"] as const).flatMap((name) =>
      checkPart(status, name, "replicas", statusPath, "status.replicas"),
    ),
    ...checkPart(status, "availableReplicas", "readyReplicas", statusPath, "readyReplicas"),
    ...checkCollisions(status.collisionCount, old.status.collisionCount, statusPath),
  ];
}
