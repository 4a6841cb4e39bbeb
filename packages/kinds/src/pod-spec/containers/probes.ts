import type { DeepReadonly } from "@coxswain/api";
import type { Probe } from "@coxswain/api/core/v1";
import { append } from "@coxswain/apimachinery/append";
import { type FieldError, type FieldPath, invalid } from "@coxswain/apimachinery/field";
import { validateNonnegative } from "@coxswain/apimachinery/validation";
import type { SpecFacts } from "../spec-facts.js";
import type { AnyContainer } from "../visit-containers.js";
import { checkHandler } from "./handlers.js";

type Grace = Pick<SpecFacts, "gracePeriod">;

export function checkProbes(
  { livenessProbe, readinessProbe, startupProbe }: AnyContainer,
  path: FieldPath,
  facts: Grace,
): FieldError[] {
  const errors: FieldError[] = [];
  if (livenessProbe) append(errors, checkRestartingProbe(livenessProbe, path.child("livenessProbe"), facts));
  if (readinessProbe) append(errors, checkReadinessProbe(readinessProbe, path.child("readinessProbe"), facts));
  if (startupProbe) append(errors, checkRestartingProbe(startupProbe, path.child("startupProbe"), facts));
  return errors;
}

/** A container that fails it is restarted, so one success is all there can be. */
function checkRestartingProbe(probe: DeepReadonly<Probe>, path: FieldPath, facts: Grace): FieldError[] {
  const errors = checkProbe(probe, path, facts);
  const { successThreshold = 0 } = probe;
  if (successThreshold !== 1) errors.push(invalid(path.child("successThreshold"), successThreshold, "must be 1"));
  return errors;
}

function checkReadinessProbe(probe: DeepReadonly<Probe>, path: FieldPath, facts: Grace): FieldError[] {
  const errors = checkProbe(probe, path, facts);
  const { terminationGracePeriodSeconds: grace } = probe;
  if (grace !== undefined)
    errors.push(invalid(path.child("terminationGracePeriodSeconds"), grace, "must not be set for readinessProbes"));
  return errors;
}

const counts = [
  "initialDelaySeconds",
  "timeoutSeconds",
  "periodSeconds",
  "successThreshold",
  "failureThreshold",
] as const;

function checkProbe(probe: DeepReadonly<Probe>, path: FieldPath, { gracePeriod }: Grace): FieldError[] {
  const errors = checkHandler(probe, path, gracePeriod);
  for (const member of counts) {
    const count = probe[member] ?? 0;
    if (count < 0) append(errors, validateNonnegative(count, path.child(member)));
  }
  const { terminationGracePeriodSeconds: grace } = probe;
  if (grace !== undefined && grace <= 0)
    errors.push(invalid(path.child("terminationGracePeriodSeconds"), grace, "must be greater than 0"));
  return errors;
}
