import type { DeepReadonly } from "@coxswain/api";
import type { CrossVersionObjectReference } from "@coxswain/api/autoscaling/v2";
import { type FieldError, type FieldPath, invalid, required } from "@coxswain/apimachinery/field";
import { groupVersionError, parseGroupVersion } from "@coxswain/apimachinery/meta";
import { checkPathSegmentName } from "@coxswain/apimachinery/validation";
import { problemsAt } from "../../checks/field-errors.js";

type Reference = DeepReadonly<CrossVersionObjectReference>;

export interface ReferenceRules {
  /** An object of the core group may be meant. */
  readonly mayLackGroup: boolean;
  readonly anyApiVersion?: boolean;
}

export function checkReference(reference: Reference, path: FieldPath, rules: ReferenceRules): FieldError[] {
  const problem = apiVersionProblem(reference, rules);
  return [
    ...checkSegment(reference.kind, path.child("kind")),
    ...checkSegment(reference.name, path.child("name")),
    ...(problem === undefined ? [] : [invalid(path.child("apiVersion"), reference.apiVersion ?? "", problem)]),
  ];
}

/** What is wrong with the group and version it names. */
export function apiVersionProblem(
  { apiVersion = "" }: Reference,
  { mayLackGroup, anyApiVersion }: ReferenceRules,
): string | undefined {
  if (anyApiVersion) return undefined;
  const parsed = parseGroupVersion(apiVersion);
  if (!parsed) return groupVersionError(apiVersion);
  return parsed.group === "" && !mayLackGroup ? "apiVersion must specify API group" : undefined;
}

const checkSegment = (text: string | undefined, path: FieldPath): readonly FieldError[] =>
  text === undefined || text === "" ? [required(path)] : problemsAt(path, text, checkPathSegmentName(text));
