import type { DeepReadonly } from "@coxswain/api";
import type { DaemonSetUpdateStrategy, RollingUpdateDaemonSet } from "@coxswain/api/apps/v1";
import { append } from "@coxswain/apimachinery/append";
import {
  type FieldError,
  type FieldPath,
  fieldPath,
  invalid,
  notSupported,
  required,
} from "@coxswain/apimachinery/field";
import { validateLabelSelector, validateNonnegative } from "@coxswain/apimachinery/validation";
import { checkCollisions, checkCounts } from "../../checks/counts.js";
import { checkImmutable } from "../../checks/immutable.js";
import { checkAtMostAll, checkIntOrPercent, countOrPercent } from "../../checks/int-or-percent.js";
import { hasInvalidLabelValue } from "../../checks/label-selector.js";
import { checkObjectMeta, checkObjectMetaUpdate } from "../../checks/object-meta.js";
import type { StrategyContext } from "../../definition/strategy.js";
import { checkPodTemplateSpec } from "../../pod-spec/template-validation.js";
import {
  checkNotEmpty,
  checkRunsForever,
  checkSelected,
  readSelector,
  templateRules,
} from "../../workload/template.js";
import type { StoredDaemonSet } from "./stored.js";
import { templateGeneration } from "./template-generation.js";

type ReadSet = DeepReadonly<StoredDaemonSet>;

const specPath = fieldPath("spec");
const statusPath = fieldPath("status");

export const checkDaemonSet = (set: ReadSet, context: StrategyContext): FieldError[] => [
  ...checkObjectMeta(set.metadata, { namespaced: true }),
  ...checkSpec(set, undefined, context),
];

export const checkDaemonSetUpdate = (next: ReadSet, old: ReadSet, context: StrategyContext): FieldError[] => [
  ...checkObjectMetaUpdate(next.metadata, old.metadata),
  ...checkImmutable(next.spec.selector, old.spec.selector, specPath.child("selector")),
  ...checkSpec(next, old, context),
];

function checkSpec({ metadata, spec }: ReadSet, old: ReadSet | undefined, context: StrategyContext): FieldError[] {
  const { selector, template, minReadySeconds = 0, updateStrategy = {}, revisionHistoryLimit } = spec;
  const errors = validateLabelSelector(selector, specPath.child("selector"), {
    allowInvalidValues: hasInvalidLabelValue(old?.spec.selector),
  });
  const read = readSelector(selector);
  const path = specPath.child("template");
  if (read) append(errors, checkSelected(read, template, path));
  if (selector) append(errors, checkNotEmpty(selector, specPath.child("selector"), "daemonset"));
  append(errors, [
    ...checkPodTemplateSpec(template, path, templateRules(context, old?.spec.template)),
    ...checkRunsForever(template, path, "DaemonSet"),
  ]);
  append(errors, [
    ...validateNonnegative(minReadySeconds, specPath.child("minReadySeconds")),
    ...validateNonnegative(templateGeneration(metadata), specPath.child("templateGeneration")),
  ]);
  append(errors, checkStrategy(updateStrategy, specPath.child("updateStrategy")));
  if (revisionHistoryLimit !== undefined)
    append(errors, validateNonnegative(revisionHistoryLimit, specPath.child("revisionHistoryLimit")));
  return errors;
}

function checkStrategy(strategy: DeepReadonly<DaemonSetUpdateStrategy>, path: FieldPath): FieldError[] {
  const { type, rollingUpdate } = strategy;
  switch (type) {
    case "OnDelete":
      return [];
    case "RollingUpdate":
      return rollingUpdate
        ? checkRollingUpdate(rollingUpdate, path.child("rollingUpdate"))
        : [required(path.child("rollingUpdate"))];
    default:
      return [notSupported(path, printed(strategy), ["RollingUpdate", "OnDelete"])];
  }
}

function checkRollingUpdate(
  { maxUnavailable = 0, maxSurge = 0 }: DeepReadonly<RollingUpdateDaemonSet>,
  path: FieldPath,
): FieldError[] {
  const [unavailable, surge] = [path.child("maxUnavailable"), path.child("maxSurge")];
  const errors = [
    ...checkIntOrPercent(maxUnavailable, unavailable),
    ...checkIntOrPercent(maxSurge, surge),
    ...checkAtMostAll(maxUnavailable, unavailable),
    ...checkAtMostAll(maxSurge, surge),
  ];
  const [hasUnavailable, hasSurge] = [countOrPercent(maxUnavailable) !== 0, countOrPercent(maxSurge) !== 0];
  if (hasUnavailable && hasSurge)
    errors.push(invalid(surge, maxSurge, "may not be set when maxUnavailable is non-zero"));
  if (!hasUnavailable && !hasSurge) errors.push(required(unavailable, "cannot be 0 when maxSurge is 0"));
  return errors;
}

/** As Go prints its own form. */
const printed = ({ type, rollingUpdate }: DeepReadonly<DaemonSetUpdateStrategy>): unknown => ({
  Type: type,
  RollingUpdate: rollingUpdate
    ? { MaxUnavailable: rollingUpdate.maxUnavailable ?? 0, MaxSurge: rollingUpdate.maxSurge ?? 0 }
    : null,
});

export function checkDaemonSetStatus(next: ReadSet, old: ReadSet): FieldError[] {
  const counts = [
    "currentNumberScheduled",
    "numberMisscheduled",
    "desiredNumberScheduled",
    "numberReady",
    "observedGeneration",
    "updatedNumberScheduled",
    "numberAvailable",
    "numberUnavailable",
    "collisionCount",
  ] as const;
  return [
    ...checkObjectMetaUpdate(next.metadata, old.metadata),
    ...checkCounts(next.status, counts, statusPath),
    ...checkCollisions(next.status.collisionCount, old.status.collisionCount, statusPath),
  ];
}
