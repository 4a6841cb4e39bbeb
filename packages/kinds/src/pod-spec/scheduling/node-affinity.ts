import type { DeepReadonly } from "@coxswain/api";
import type {
  NodeAffinity,
  NodeSelector,
  NodeSelectorRequirement,
  NodeSelectorTerm,
  PreferredSchedulingTerm,
} from "@coxswain/api/core/v1";
import { append } from "@coxswain/apimachinery/append";
import { type FieldError, type FieldPath, forbidden, invalid, namedText, required } from "@coxswain/apimachinery/field";
import { checkLabelValue, nameIsDnsSubdomain, validateLabelName } from "@coxswain/apimachinery/validation";
import { problemsAt } from "../../checks/field-errors.js";

/** Values that are no label values match no node; a stored object may hold them. */
export interface NodeSelectorRules {
  readonly invalidValues: boolean;
}

export function checkNodeAffinity(
  affinity: DeepReadonly<NodeAffinity>,
  path: FieldPath,
  rules: NodeSelectorRules,
): FieldError[] {
  const {
    requiredDuringSchedulingIgnoredDuringExecution: must,
    preferredDuringSchedulingIgnoredDuringExecution: should = [],
  } = affinity;
  return [
    ...(must ? checkNodeSelector(must, path.child("requiredDuringSchedulingIgnoredDuringExecution"), rules) : []),
    ...checkPreferredTerms(should, path.child("preferredDuringSchedulingIgnoredDuringExecution")),
  ];
}

export function checkNodeSelector(
  { nodeSelectorTerms: terms }: DeepReadonly<NodeSelector>,
  path: FieldPath,
  rules: NodeSelectorRules,
): FieldError[] {
  const at = path.child("nodeSelectorTerms");
  if (!terms?.length) return [required(at, "must have at least one node selector term")];
  return terms.flatMap((term, i) => checkNodeSelectorTerm(term, at.index(i), rules));
}

/** What is only preferred may name values that no node has. */
function checkPreferredTerms(terms: readonly DeepReadonly<PreferredSchedulingTerm>[], path: FieldPath): FieldError[] {
  return terms.flatMap(({ weight, preference }, i) => [
    ...checkWeight(weight, path.index(i)),
    ...checkNodeSelectorTerm(preference, path.index(i).child("preference"), { invalidValues: true }),
  ]);
}

export const checkWeight = (weight: number, path: FieldPath): FieldError[] =>
  weight <= 0 || weight > 100 ? [invalid(path.child("weight"), weight, "must be in the range 1-100")] : [];

export const checkNodeSelectorTerm = (
  { matchExpressions = [], matchFields = [] }: DeepReadonly<NodeSelectorTerm>,
  path: FieldPath,
  rules: NodeSelectorRules,
): FieldError[] => [
  ...matchExpressions.flatMap((requirement, i) =>
    checkLabelRequirement(requirement, path.child("matchExpressions").index(i), rules),
  ),
  ...matchFields.flatMap((requirement, i) => checkFieldRequirement(requirement, path.child("matchFields").index(i))),
];

function checkLabelRequirement(
  { key, operator, values = [] }: DeepReadonly<NodeSelectorRequirement>,
  path: FieldPath,
  { invalidValues }: NodeSelectorRules,
): FieldError[] {
  const errors = [...checkValueCount(operator, values, path), ...validateLabelName(key, path.child("key"))];
  if (!invalidValues)
    for (const [i, value] of values.entries())
      append(errors, problemsAt(path.child("values").index(i), value, checkLabelValue(value)));
  return errors;
}

function checkValueCount(operator: string, values: readonly string[], path: FieldPath): FieldError[] {
  const at = path.child("values");
  switch (operator) {
    case "In":
    case "NotIn":
      return values.length === 0 ? [required(at, "must be specified when `operator` is 'In' or 'NotIn'")] : [];
    case "Exists":
    case "DoesNotExist":
      return values.length > 0
        ? [forbidden(at, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")]
        : [];
    case "Gt":
    case "Lt":
      return values.length === 1
        ? []
        : [required(at, "must be specified single value when `operator` is 'Lt' or 'Gt'")];
    default:
      return [invalid(path.child("operator"), namedText(operator), "not a valid selector operator")];
  }
}

/** The only field is the node's name. */
function checkFieldRequirement(
  { key, operator, values = [] }: DeepReadonly<NodeSelectorRequirement>,
  path: FieldPath,
): FieldError[] {
  const errors: FieldError[] = [];
  if (operator !== "In" && operator !== "NotIn")
    errors.push(invalid(path.child("operator"), namedText(operator), "not a valid selector operator"));
  else if (values.length !== 1)
    errors.push(
      required(
        path.child("values"),
        "must be only one value when `operator` is 'In' or 'NotIn' for node field selector",
      ),
    );
  if (key !== "metadata.name") return [...errors, invalid(path.child("key"), key, "not a valid field selector key")];
  for (const [i, value] of values.entries())
    append(errors, problemsAt(path.child("values").index(i), value, nameIsDnsSubdomain(value)));
  return errors;
}
