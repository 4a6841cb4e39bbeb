import type { DeepReadonly } from "@coxswain/api";
import type { Scheduling } from "@coxswain/api/node/v1";
import { duplicate, type FieldError, type FieldPath, fieldPath, required } from "@coxswain/apimachinery/field";
import { nameIsDnsLabel, validateLabels } from "@coxswain/apimachinery/validation";
import { problemsAt } from "../../checks/field-errors.js";
import { checkImmutable } from "../../checks/immutable.js";
import { checkPlainMeta, checkPlainMetaUpdate } from "../../checks/object-meta.js";
import { internalValue } from "../../internal-form/internal-form.js";
import { checkContainerResources } from "../../pod-spec/resources/requirements.js";
import { checkTolerations } from "../../pod-spec/scheduling/tolerations.js";
import type { StoredRuntimeClass } from "./stored.js";

type Class = DeepReadonly<StoredRuntimeClass>;

export function checkRuntimeClass({ metadata, handler, overhead, scheduling }: Class): FieldError[] {
  const path = fieldPath("handler");
  const facts = { rules: { indivisibleHugePages: false }, claimNames: new Set<string>() };
  return [
    ...checkPlainMeta(metadata, { namespaced: false }),
    ...(handler === "" ? [required(path)] : problemsAt(path, handler, nameIsDnsLabel(handler))),
    ...(overhead
      ? checkContainerResources(
          { ...(overhead.podFixed && { limits: overhead.podFixed }) },
          fieldPath("overhead"),
          facts,
        )
      : []),
    ...(scheduling ? checkScheduling(scheduling, fieldPath("scheduling")) : []),
  ];
}

export const checkRuntimeClassUpdate = (next: Class, old: Class): FieldError[] => [
  ...checkRuntimeClass(next),
  ...checkPlainMetaUpdate(next.metadata, old.metadata),
  ...checkImmutable(next.handler, old.handler, fieldPath("handler")),
];

function checkScheduling({ nodeSelector, tolerations = [] }: DeepReadonly<Scheduling>, path: FieldPath): FieldError[] {
  const seen = new Set<string>();
  const at = path.child("tolerations");
  const repeated = tolerations.flatMap((toleration, i) => {
    const { key = "", operator = "", value = "", effect = "" } = toleration;
    const identity = JSON.stringify([key, operator, value, effect]);
    const isRepeated = seen.has(identity);
    seen.add(identity);
    return isRepeated ? [duplicate(at.index(i), internalValue("Toleration", toleration))] : [];
  });
  return [
    ...validateLabels(nodeSelector, path.child("nodeSelector")),
    ...checkTolerations(tolerations, at, { comparingTolerations: false }),
    ...repeated,
  ];
}
