import type { DeepReadonly } from "@coxswain/api";
import { append } from "@coxswain/apimachinery/append";
import { type FieldError, fieldPath, forbidden, namedText } from "@coxswain/apimachinery/field";
import { checkRequiredOneOf } from "../../checks/field-errors.js";
import { checkImmutable } from "../../checks/immutable.js";
import { checkObjectMeta, checkObjectMetaUpdate } from "../../checks/object-meta.js";
import type { StoredPriorityClass } from "./stored.js";

type Class = DeepReadonly<StoredPriorityClass>;

/** Priorities above this are the system's. */
const highest = 1_000_000_000;
const systemClasses: ReadonlyMap<string, number> = new Map([
  ["system-node-critical", 2 * highest + 1000],
  ["system-cluster-critical", 2 * highest],
]);

export const isSystemClass = (name: string): boolean => systemClasses.has(name);

export function checkPriorityClass(priority: Class): FieldError[] {
  const { metadata, value = 0, preemptionPolicy } = priority;
  const errors = checkObjectMeta(metadata, { namespaced: false });
  if (metadata.name?.startsWith("system-")) {
    const problem = systemProblem(priority);
    if (problem !== undefined)
      errors.push(
        forbidden(
          fieldPath("metadata", "name"),
          `priority class names with 'system-' prefix are reserved for system use only. error: ${problem}`,
        ),
      );
  } else if (value > highest)
    errors.push(forbidden(fieldPath("value"), `maximum allowed value of a user defined priority is ${highest}`));
  if (preemptionPolicy !== undefined)
    append(
      errors,
      checkRequiredOneOf(preemptionPolicy, ["PreemptLowerPriority", "Never"], fieldPath("preemptionPolicy")),
    );
  return errors;
}

function systemProblem({ metadata: { name = "" }, value = 0, globalDefault = false }: Class): string | undefined {
  const wanted = systemClasses.get(name);
  if (wanted === undefined) return `${name} is not a known system priority class`;
  if (value !== wanted) return `value of ${name} PriorityClass must be ${wanted}`;
  return globalDefault ? `globalDefault of ${name} PriorityClass must be false` : undefined;
}

/** Pods carry the number, so that it cannot change behind their back. */
export const checkPriorityClassUpdate = (next: Class, old: Class): FieldError[] => [
  ...checkObjectMetaUpdate(next.metadata, old.metadata),
  ...((next.value ?? 0) === (old.value ?? 0)
    ? []
    : [forbidden(fieldPath("value"), "may not be changed in an update.")]),
  ...checkImmutable(
    next.preemptionPolicy,
    old.preemptionPolicy,
    fieldPath("preemptionPolicy"),
    namedText(next.preemptionPolicy ?? ""),
  ),
];
