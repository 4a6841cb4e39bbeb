import type { DeepReadonly } from "@coxswain/api";
import { append } from "@coxswain/apimachinery/append";
import { type FieldError, fieldPath, required } from "@coxswain/apimachinery/field";
import { selectorFromLabels } from "@coxswain/apimachinery/selector";
import { checkDnsSubdomainBytes, type NameCheck, validateNonnegative } from "@coxswain/apimachinery/validation";
import { checkCounts, checkPart } from "../../checks/counts.js";
import { checkObjectMeta, checkObjectMetaUpdate } from "../../checks/object-meta.js";
import type { StrategyContext } from "../../definition/strategy.js";
import { checkPodTemplateSpec } from "../../pod-spec/template-validation.js";
import { checkRunsForever, checkSelected, templateRules } from "../../workload/template.js";
import type { StoredReplicationController } from "./stored.js";

type ReadController = DeepReadonly<StoredReplicationController>;

const specPath = fieldPath("spec");
const statusPath = fieldPath("status");

/** The prefix of a generated name is not validated: the name is. */
const checkName: NameCheck = (name, prefix = false) => (prefix ? [] : checkDnsSubdomainBytes(name));

export const checkReplicationController = (controller: ReadController, context: StrategyContext): FieldError[] => [
  ...checkObjectMeta(controller.metadata, { namespaced: true, checkName }),
  ...checkSpec(controller, undefined, context),
];

export const checkReplicationControllerUpdate = (
  next: ReadController,
  old: ReadController,
  context: StrategyContext,
): FieldError[] => [...checkObjectMetaUpdate(next.metadata, old.metadata), ...checkSpec(next, old, context)];

function checkSpec({ spec }: ReadController, old: ReadController | undefined, context: StrategyContext): FieldError[] {
  const { replicas, minReadySeconds = 0, template } = spec;
  const selector = selectorFromLabels(spec.selector);
  const errors = [
    ...validateNonnegative(minReadySeconds, specPath.child("minReadySeconds")),
    ...(selector.empty ? [required(specPath.child("selector"))] : []),
    ...(replicas === undefined
      ? [required(specPath.child("replicas"))]
      : validateNonnegative(replicas, specPath.child("replicas"))),
  ];
  const path = specPath.child("template");
  if (!template) return [...errors, required(path)];
  if (!selector.empty) append(errors, checkSelected(selector, template, path));
  return [
    ...errors,
    ...checkPodTemplateSpec(template, path, templateRules(context, old?.spec.template)),
    ...checkRunsForever(template, path, "ReplicationController"),
  ];
}

export function checkReplicationControllerStatus(next: ReadController, old: ReadController): FieldError[] {
  const { status } = next;
  return [
    ...checkObjectMetaUpdate(next.metadata, old.metadata),
    ...checkCounts(
      status,
      ["replicas", "fullyLabeledReplicas", "readyReplicas", "availableReplicas", "observedGeneration"],
      statusPath,
    ),
    ...(["fullyLabeledReplicas", "readyReplicas", "availableReplicas"] as const).flatMap((name) =>
      checkPart(status, name, "replicas", statusPath, "status.replicas"),
    ),
    ...checkPart(status, "availableReplicas", "readyReplicas", statusPath, "readyReplicas"),
  ];
}
