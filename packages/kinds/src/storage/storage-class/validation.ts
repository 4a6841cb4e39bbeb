import type { DeepReadonly } from "@coxswain/api";
import type { TopologySelectorTerm } from "@coxswain/api/core/v1";
import { append } from "@coxswain/apimachinery/append";
import {
  duplicate,
  type FieldError,
  type FieldPath,
  fieldPath,
  namedText,
  required,
} from "@coxswain/apimachinery/field";
import { asGiven } from "@coxswain/apimachinery/json";
import { validateLabelName } from "@coxswain/apimachinery/validation";
import { checkOneOf } from "../../checks/field-errors.js";
import { checkImmutable } from "../../checks/immutable.js";
import { checkObjectMeta, checkObjectMetaUpdate } from "../../checks/object-meta.js";
import { repeatedPositions } from "../../checks/repeated-positions.js";
import { checkParameters, checkProvisioner } from "../parameters.js";
import type { StoredStorageClass } from "./stored.js";

type Class = DeepReadonly<StoredStorageClass>;

export function checkStorageClass({
  metadata,
  provisioner,
  parameters,
  reclaimPolicy,
  volumeBindingMode: mode,
  allowedTopologies = [],
}: Class): FieldError[] {
  const modePath = fieldPath("volumeBindingMode");
  return [
    ...checkObjectMeta(metadata, { namespaced: false }),
    ...checkProvisioner(provisioner, fieldPath("provisioner")),
    ...checkParameters(parameters, fieldPath("parameters")),
    ...(reclaimPolicy ? checkOneOf(reclaimPolicy, ["Delete", "Retain"], fieldPath("reclaimPolicy")) : []),
    ...(mode === undefined ? [required(modePath)] : checkOneOf(mode, ["Immediate", "WaitForFirstConsumer"], modePath)),
    ...checkTopologies(allowedTopologies, fieldPath("allowedTopologies")),
  ];
}

/** What makes volumes is for life: claims count on it. */
export function checkStorageClassUpdate(next: Class, old: Class): FieldError[] {
  const same = (member: "reclaimPolicy" | "volumeBindingMode"): FieldError[] =>
    checkImmutable(next[member], old[member], fieldPath(member), namedText(next[member] ?? ""));
  return [
    ...checkStorageClass(next),
    ...checkObjectMetaUpdate(next.metadata, old.metadata),
    ...checkImmutable(next.parameters, old.parameters, fieldPath("parameters"), asGiven(next, "parameters", {})),
    ...checkImmutable(next.provisioner, old.provisioner, fieldPath("provisioner")),
    ...same("reclaimPolicy"),
    ...same("volumeBindingMode"),
  ];
}

/** Each term is reported once for each equal one before it: of thousands that are equal, more than anybody is sent. */
const mostRepetitions = 20_000;

function checkTopologies(terms: readonly DeepReadonly<TopologySelectorTerm>[], path: FieldPath): FieldError[] {
  // Upstream begins with an empty term for each that is given, and finds all of these equal to one that asks for nothing.
  const seen = new Map([[meaning({}), terms.length]]);
  let left = mostRepetitions;
  return terms.flatMap((term, at) => {
    const here = path.index(at).child("matchLabelExpressions");
    const errors = checkTerm(term, here);
    const own = meaning(term);
    const equal = seen.get(own) ?? 0;
    for (let times = Math.min(equal, left); times > 0; times--, left--) errors.push(duplicate(here, ""));
    seen.set(own, equal + 1);
    return errors;
  });
}

/** A text that is the same for terms that select the same. */
function meaning({ matchLabelExpressions = [] }: DeepReadonly<TopologySelectorTerm>): string {
  const byKey = new Map(matchLabelExpressions.map(({ key, values }) => [key, [...new Set(values)].sort()]));
  return JSON.stringify([...byKey].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function checkTerm({ matchLabelExpressions = [] }: DeepReadonly<TopologySelectorTerm>, path: FieldPath): FieldError[] {
  const keys = new Set<string>();
  return matchLabelExpressions.flatMap(({ key, values }, at) => {
    const here = path.index(at);
    const list = values ?? [];
    const errors = list.length === 0 ? [required(here.child("values"))] : [];
    append(errors, [
      ...Array.from(repeatedPositions(list), (i) => duplicate(here.child("values").index(i), list[i])),
      ...validateLabelName(key, here.child("key")),
    ]);
    if (keys.has(key)) errors.push(duplicate(here.child("key"), key));
    keys.add(key);
    return errors;
  });
}
