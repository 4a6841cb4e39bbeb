import type { DeepReadonly } from "@coxswain/api";
import { append } from "@coxswain/apimachinery/append";
import { type FieldError, fieldPath, invalid } from "@coxswain/apimachinery/field";
import { validateNonnegative } from "@coxswain/apimachinery/validation";
import { checkCounts, checkPart } from "../../checks/counts.js";
import { checkImmutable } from "../../checks/immutable.js";
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
import type { StoredReplicaSet } from "./stored.js";

type ReadReplicaSet = DeepReadonly<StoredReplicaSet>;

const specPath = fieldPath("spec");
const statusPath = fieldPath("status");

export const checkReplicaSet = (set: ReadReplicaSet, context: StrategyContext): FieldError[] => [
  ...checkObjectMeta(set.metadata, { namespaced: true }),
  ...checkSpec(set, undefined, context),
];

export const checkReplicaSetUpdate = (
  next: ReadReplicaSet,
  old: ReadReplicaSet,
  context: StrategyContext,
): FieldError[] => [
  ...checkObjectMetaUpdate(next.metadata, old.metadata),
  ...checkSpec(next, old, context),
  ...checkImmutable(next.spec.selector, old.spec.selector, specPath.child("selector")),
];

function checkSpec({ spec }: ReadReplicaSet, old: ReadReplicaSet | undefined, context: StrategyContext): FieldError[] {
  const { replicas = 0, minReadySeconds = 0, template = {} } = spec;
  const errors = [
    ...validateNonnegative(replicas, specPath.child("replicas")),
    ...validateNonnegative(minReadySeconds, specPath.child("minReadySeconds")),
    ...checkSelector(spec.selector, specPath.child("selector"), "deployment"),
  ];
  const selector = readSelector(spec.selector);
  if (!selector) return [...errors, invalid(specPath.child("selector"), spec.selector, "invalid label selector")];
  const path = specPath.child("template");
  if (!selector.empty) append(errors, checkSelected(selector, template, path));
  return [
    ...errors,
    ...checkPodTemplateSpec(template, path, templateRules(context, old?.spec.template)),
    ...checkRunsForever(template, path, "ReplicaSet"),
  ];
}

export function checkReplicaSetStatus(next: ReadReplicaSet, old: ReadReplicaSet): FieldError[] {
  const { status } = next;
  return [
    ...checkObjectMetaUpdate(next.metadata, old.metadata),
    ...checkCounts(
      status,
      [
        "replicas",
        "fullyLabeledReplicas",
        "readyReplicas",
        "availableReplicas",
        "observedGeneration",
        "terminatingReplicas",
      ],
      statusPath,
    ),
    ...(["fullyLabeledReplicas", "readyReplicas", "availableReplicas"] as const).flatMap((name) =>
      checkPart(status, name, "replicas", statusPath, "status.replicas"),
    ),
    ...checkPart(status, "availableReplicas", "readyReplicas", statusPath, "readyReplicas"),
  ];
}
