import type { DeepReadonly } from "@coxswain/api";
import type { PodSpec, ResourceRequirements } from "@coxswain/api/core/v1";
import { containerResources, quantities, specOnly } from "@coxswain/api/pods";
import { append } from "@coxswain/apimachinery/append";
import { type FieldError, type FieldPath, forbidden, invalid } from "@coxswain/apimachinery/field";
import { wasGivenEmpty } from "@coxswain/apimachinery/json";
import { getOwn, ownEntries } from "@coxswain/apimachinery/own";
import { parseQuantity } from "@coxswain/apimachinery/quantity";
import { checkPodResources, type ResourceFacts } from "./requirements.js";
import { isHugePages } from "./resource-names.js";

/** Resources of the pod as a whole, which its containers share. */
export function checkPodLevelResources(
  spec: DeepReadonly<PodSpec>,
  path: FieldPath,
  facts: ResourceFacts,
): FieldError[] {
  const { resources, os } = spec;
  if (!resources) return [];
  if (os?.name === "windows") return [forbidden(path, "may not be set for a windows pod")];
  const errors =
    resources.claims || wasGivenEmpty(resources, "claims")
      ? [forbidden(path.child("claims"), "claims may not be set for Resources at pod-level")]
      : [];
  append(errors, [
    ...checkPodResources(resources, path, facts),
    ...checkSums(spec, resources, path),
    ...checkEachLimit(spec, resources, path),
  ]);
  return errors;
}

/** Huge pages are never overcommitted, so that their limits count like requests. */
function checkSums(
  spec: DeepReadonly<PodSpec>,
  { requests, limits }: DeepReadonly<ResourceRequirements>,
  path: FieldPath,
): FieldError[] {
  const errors: FieldError[] = [];
  for (const kind of ["requests", "limits"] as const) {
    for (const [name, sum] of containerResources({ spec }, kind, specOnly, quantities)) {
      const own = getOwn(kind === "requests" ? requests : limits, name);
      if (own === undefined || (kind === "limits" && !isHugePages(name)) || sum.compare(parseQuantity(own)) <= 0)
        continue;
      errors.push(
        invalid(
          path.child(kind).key(name),
          own,
          `must be greater than or equal to aggregate container ${kind} of ${sum}`,
        ),
      );
    }
  }
  return errors;
}

/** The path is upstream's, although no such field exists. */
function checkEachLimit(
  { containers }: DeepReadonly<PodSpec>,
  { limits }: DeepReadonly<ResourceRequirements>,
  path: FieldPath,
): FieldError[] {
  const errors: FieldError[] = [];
  for (const [i, { resources }] of (containers ?? []).entries()) {
    for (const [name, limit] of ownEntries(resources?.limits)) {
      const most = getOwn(limits, name);
      if (most === undefined || parseQuantity(limit).compare(parseQuantity(most)) <= 0) continue;
      errors.push(
        invalid(
          path.child("containers").index(i).key(name).child("limits"),
          limit,
          `must be less than or equal to pod limits of ${most}`,
        ),
      );
    }
  }
  return errors;
}
