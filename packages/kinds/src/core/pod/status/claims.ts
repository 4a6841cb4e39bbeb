import type { DeepReadonly } from "@coxswain/api";
import { append } from "@coxswain/apimachinery/append";
import { duplicate, type FieldError, type FieldPath, invalid, namedText, required } from "@coxswain/apimachinery/field";
import { getOwn, ownEntries } from "@coxswain/apimachinery/own";
import { parseQuantity } from "@coxswain/apimachinery/quantity";
import { nameIsDnsSubdomain } from "@coxswain/apimachinery/validation";
import { checkDnsLabelAt, problemsAt } from "../../../checks/field-errors.js";
import type { StoredPod } from "../stored.js";

type ReadonlyPod = DeepReadonly<StoredPod>;

/** Which claims were made for the pod's entries. */
export function checkClaimStatuses({ spec, status }: ReadonlyPod, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  for (const [i, { name, resourceClaimName }] of (status.resourceClaimStatuses ?? []).entries()) {
    const at = path.index(i);
    if (!spec.resourceClaims?.some((claim) => claim.name === name))
      errors.push(invalid(at.child("name"), name, "must match the name of an entry in `spec.resourceClaims`"));
    if (seen.has(name)) errors.push(duplicate(at.child("name"), name));
    seen.add(name);
    if (resourceClaimName !== undefined)
      append(
        errors,
        problemsAt(at.child("resourceClaimName"), resourceClaimName, nameIsDnsSubdomain(resourceClaimName)),
      );
  }
  return errors;
}

/** The claim that the scheduler made for extended resources. */
export function checkExtendedResourceClaim(
  { spec, status: { extendedResourceClaimStatus: claim } }: ReadonlyPod,
  path: FieldPath,
): FieldError[] {
  if (!claim) return [];
  const { requestMappings: mappings, resourceClaimName } = claim;
  const containers = new Map(
    [...(spec.initContainers ?? []), ...(spec.containers ?? [])].map((container) => [container.name, container]),
  );
  const errors = mappings?.length
    ? []
    : [required(path.child("requestMappings"), "at least one request mapping is required")];
  const seen = new Set<string>();
  for (const [i, { containerName, resourceName, requestName }] of (mappings ?? []).entries()) {
    const at = path.child("requestMappings").index(i);
    const container = containers.get(containerName);
    if (!container)
      errors.push(
        invalid(
          at.child("containerName"),
          containerName,
          "must match the name of an entry in spec.initContainers.name or spec.containers.name",
        ),
      );
    else if (getOwn(container.resources?.requests, resourceName) === undefined) {
      errors.push(
        invalid(
          at.child("resourceName"),
          resourceName,
          "must match the extended resource name of an entry in spec.initContainers.resources.requests or spec.containers.resources.requests",
        ),
      );
    }
    append(errors, checkDnsLabelAt(requestName, path.child("requestName")));
    const key = JSON.stringify([containerName, resourceName, requestName]);
    if (seen.has(key))
      errors.push(
        duplicate(at.child("containerName"), containerName),
        duplicate(at.child("resourceName"), resourceName),
        duplicate(at.child("requestName"), requestName),
      );
    seen.add(key);
  }
  const at = path.child("resourceClaimName");
  return [
    ...errors,
    ...(resourceClaimName === ""
      ? [required(at)]
      : problemsAt(at, resourceClaimName, nameIsDnsSubdomain(resourceClaimName))),
  ];
}

/** Claims that take from what the node could give anyway. */
export function checkNodeAllocatableClaims({ spec, status }: ReadonlyPod, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const known = new Set(
    [...(spec.resourceClaims ?? []), ...(status.resourceClaimStatuses ?? [])].map(
      ({ resourceClaimName }) => resourceClaimName,
    ),
  );
  for (const [i, { resourceClaimName: name, containers, resources }] of (
    status.nodeAllocatableResourceClaimStatuses ?? []
  ).entries()) {
    const at = path.index(i);
    if (name === "") errors.push(required(at.child("resourceClaimName"), "must not be empty"));
    if (!known.has(name))
      errors.push(invalid(at.child("resourceClaimName"), name, "no mapping found in pod reference"));
    if (!containers?.length) errors.push(required(at.child("containers"), "must not be empty"));
    const amounts = ownEntries(resources ?? {});
    if (amounts.length === 0) errors.push(required(at.child("resources"), "must not be empty"));
    for (const [resource, text] of amounts) {
      const key = at.child("resources").key(resource);
      if (!isOfNode(resource))
        errors.push(invalid(key, namedText(resource), "must be a node allocatable resource name"));
      if (parseQuantity(text).sign < 0) errors.push(invalid(key, text, "must be non-negative"));
    }
  }
  return errors;
}

const isOfNode = (resource: string): boolean => !resource.includes("/") || resource.includes("kubernetes.io/");
