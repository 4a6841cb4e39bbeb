import type { DeepReadonly } from "@coxswain/api";
import type { Affinity, PodAffinity, PodAffinityTerm } from "@coxswain/api/core/v1";
import { append } from "@coxswain/apimachinery/append";
import { type FieldError, type FieldPath, required } from "@coxswain/apimachinery/field";
import { checkNamespaceName, validateLabelName, validateLabelSelector } from "@coxswain/apimachinery/validation";
import { problemsAt } from "../../checks/field-errors.js";
import type { PodRules } from "../pod-rules.js";
import { checkMergedLabelKeys } from "./label-keys.js";
import { checkNodeAffinity, checkWeight } from "./node-affinity.js";

type SelectorRules = Pick<PodRules, "invalidAffinitySelectors">;

export function checkAffinity(
  { nodeAffinity, podAffinity, podAntiAffinity }: DeepReadonly<Affinity>,
  path: FieldPath,
  rules: PodRules,
): FieldError[] {
  return [
    ...(nodeAffinity
      ? checkNodeAffinity(nodeAffinity, path.child("nodeAffinity"), { invalidValues: rules.invalidNodeAffinityValues })
      : []),
    ...(podAffinity ? checkPodAffinity(podAffinity, path.child("podAffinity"), rules) : []),
    ...(podAntiAffinity ? checkPodAffinity(podAntiAffinity, path.child("podAntiAffinity"), rules) : []),
  ];
}

/** Nearness and farness have the same shape. */
function checkPodAffinity(affinity: DeepReadonly<PodAffinity>, path: FieldPath, rules: SelectorRules): FieldError[] {
  const {
    requiredDuringSchedulingIgnoredDuringExecution: must = [],
    preferredDuringSchedulingIgnoredDuringExecution: should = [],
  } = affinity;
  const mustPath = path.child("requiredDuringSchedulingIgnoredDuringExecution");
  const shouldPath = path.child("preferredDuringSchedulingIgnoredDuringExecution");
  return [
    ...must.flatMap((term, i) => checkTerm(term, mustPath.index(i), rules)),
    ...should.flatMap(({ weight, podAffinityTerm }, i) => [
      ...checkWeight(weight, shouldPath.index(i)),
      ...checkTerm(podAffinityTerm, shouldPath.index(i).child("podAffinityTerm"), rules),
    ]),
  ];
}

function checkTerm(term: DeepReadonly<PodAffinityTerm>, path: FieldPath, rules: SelectorRules): FieldError[] {
  const errors = checkTermSelectors(term, path, rules.invalidAffinitySelectors);
  for (const name of term.namespaces ?? [])
    append(errors, problemsAt(path.child("namespace"), name, checkNamespaceName(name)));
  append(errors, checkMergedLabelKeys(term, path));
  if (term.topologyKey === "") errors.push(required(path.child("topologyKey"), "can not be empty"));
  return [...errors, ...validateLabelName(term.topologyKey, path.child("topologyKey"))];
}

export const checkTermSelectors = (
  { labelSelector, namespaceSelector }: DeepReadonly<PodAffinityTerm>,
  path: FieldPath | undefined,
  allowInvalidValues: boolean,
): FieldError[] => [
  ...validateLabelSelector(labelSelector, path?.child("labelSelector"), { allowInvalidValues }),
  ...validateLabelSelector(namespaceSelector, path?.child("namespaceSelector"), { allowInvalidValues }),
];
