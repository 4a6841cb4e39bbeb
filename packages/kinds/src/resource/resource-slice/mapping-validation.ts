import type { DeepReadonly } from "@coxswain/api";
import type { DeviceCapacity, NodeAllocatableResourceMapping } from "@coxswain/api/resource/v1";
import { type FieldError, type FieldPath, invalid, namedText, notFound } from "@coxswain/apimachinery/field";
import { getOwn, ownEntries } from "@coxswain/apimachinery/own";
import { parseQuantity } from "@coxswain/apimachinery/quantity";
import { isNativeResource } from "../../pod-spec/resources/resource-names.js";

type Mappings = DeepReadonly<Record<string, NodeAllocatableResourceMapping>>;
type Capacities = DeepReadonly<Record<string, DeviceCapacity>>;

/** How much of a node's own resources a device takes with it. */
export function checkMappings(
  mappings: Mappings | undefined,
  capacities: Capacities | undefined,
  path: FieldPath,
): FieldError[] {
  return ownEntries(mappings).flatMap(([name, { allocationMultiplier: factor, capacityKey: key }]) => {
    const here = path.key(name);
    const errors = isNativeResource(name)
      ? []
      : [invalid(here, namedText(name), "must be a node allocatable resource name")];
    if (factor === undefined && key === undefined)
      return [...errors, invalid(here, "", "at least one of allocationMultiplier or capacityKey must be set")];
    if (factor !== undefined && parseQuantity(factor).sign <= 0)
      errors.push(invalid(here.child("allocationMultiplier"), factor, "must be positive"));
    if (key === "") errors.push(invalid(here.child("capacityKey"), "", "capacityKey must not be an empty string"));
    else if (key !== undefined && !getOwn(capacities, key))
      errors.push(notFound(here.child("capacityKey"), namedText(key)));
    return errors;
  });
}
