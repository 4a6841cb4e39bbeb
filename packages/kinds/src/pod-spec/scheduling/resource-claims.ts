import type { DeepReadonly } from "@coxswain/api";
import type { PodResourceClaim } from "@coxswain/api/core/v1";
import { append } from "@coxswain/apimachinery/append";
import {
  duplicate,
  type FieldError,
  type FieldPath,
  fieldPath,
  forbidden,
  invalid,
  required,
} from "@coxswain/apimachinery/field";
import { nameIsDnsSubdomain } from "@coxswain/apimachinery/validation";
import { checkDnsLabelAt, problemsAt } from "../../checks/field-errors.js";
import { internalValue } from "../../internal-form/internal-form.js";

export interface ClaimSurroundings {
  /** A static pod's mirror: its node made it without the API, so no claim was ever allocated. */
  readonly isMirror: boolean;
}

export function checkResourceClaims(
  claims: readonly DeepReadonly<PodResourceClaim>[],
  path: FieldPath,
  { isMirror }: ClaimSurroundings,
): FieldError[] {
  if (isMirror) return claims.map(() => forbidden(fieldPath(""), "static pods do not support resource claims"));
  const errors: FieldError[] = [];
  const names = new Set<string>();
  for (const [i, claim] of claims.entries()) {
    const at = path.index(i);
    const { name, resourceClaimName, resourceClaimTemplateName } = claim;
    if (name === "") errors.push(required(at.child("name")));
    else if (names.has(name)) errors.push(duplicate(at.child("name"), name));
    else append(errors, checkDnsLabelAt(name, at.child("name")));
    names.add(name);
    append(errors, checkChoice(claim, at));
    if (resourceClaimName !== undefined)
      append(
        errors,
        problemsAt(at.child("resourceClaimName"), resourceClaimName, nameIsDnsSubdomain(resourceClaimName)),
      );
    if (resourceClaimTemplateName !== undefined) {
      append(
        errors,
        problemsAt(
          at.child("resourceClaimTemplateName"),
          resourceClaimTemplateName,
          nameIsDnsSubdomain(resourceClaimTemplateName),
        ),
      );
    }
  }
  return errors;
}

function checkChoice(claim: DeepReadonly<PodResourceClaim>, path: FieldPath): FieldError[] {
  const count = [claim.resourceClaimName, claim.resourceClaimTemplateName].filter((name) => name !== undefined).length;
  if (count === 1) return [];
  const why =
    count === 0
      ? "must specify one of: `resourceClaimName`, `resourceClaimTemplateName`"
      : "at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified";
  return [invalid(path, internalValue("PodResourceClaim", claim), why)];
}
