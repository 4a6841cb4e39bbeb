import type { DeepReadonly } from "@coxswain/api";
import { append } from "@coxswain/apimachinery/append";
import {
  type FieldError,
  type FieldPath,
  fieldPath,
  forbidden,
  invalid,
  namedText,
  notSupported,
} from "@coxswain/apimachinery/field";
import { checkLabelKey } from "@coxswain/apimachinery/validation";
import { checkPlainMeta, checkPlainMetaUpdate } from "../../checks/object-meta.js";
import type { StoredLease } from "./stored.js";

type ReadLease = DeepReadonly<StoredLease>;

const specPath = fieldPath("spec");

export const checkLease = ({ metadata, spec }: ReadLease): FieldError[] => [
  ...checkPlainMeta(metadata, { namespaced: true }),
  ...checkSpec(spec),
];

export const checkLeaseUpdate = (next: ReadLease, old: ReadLease): FieldError[] => [
  ...checkPlainMetaUpdate(next.metadata, old.metadata),
  ...checkSpec(next.spec),
];

function checkSpec({
  leaseDurationSeconds: duration,
  leaseTransitions: transitions,
  strategy,
  preferredHolder,
}: ReadLease["spec"]): FieldError[] {
  const errors: FieldError[] = [];
  if (duration !== undefined && duration <= 0)
    errors.push(invalid(specPath.child("leaseDurationSeconds"), duration, "must be greater than 0"));
  if (transitions !== undefined && transitions < 0)
    errors.push(invalid(specPath.child("leaseTransitions"), transitions, "must be greater than or equal to 0"));
  if (strategy !== undefined) append(errors, checkStrategy(strategy, specPath.child("strategy", "strategy")));
  if (preferredHolder && !strategy)
    errors.push(forbidden(specPath.child("preferredHolder"), "may only be specified if `strategy` is defined"));
  return errors;
}

/** A known way to choose a holder, or one with a domain before its name. */
function checkStrategy(strategy: string, path: FieldPath): FieldError[] {
  if (strategy.includes("/"))
    return checkLabelKey(strategy).map((problem) => invalid(path, namedText(strategy), problem));
  return strategy === "OldestEmulationVersion"
    ? []
    : [notSupported(path, namedText(strategy), ["OldestEmulationVersion"])];
}
