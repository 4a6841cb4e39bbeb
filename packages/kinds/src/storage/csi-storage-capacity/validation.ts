import type { DeepReadonly } from "@coxswain/api";
import { type FieldError, fieldPath } from "@coxswain/apimachinery/field";
import { parseQuantity } from "@coxswain/apimachinery/quantity";
import { nameIsDnsSubdomain, validateLabelSelector } from "@coxswain/apimachinery/validation";
import { problemsAt } from "../../checks/field-errors.js";
import { checkImmutable } from "../../checks/immutable.js";
import { checkObjectMeta, checkObjectMetaUpdate } from "../../checks/object-meta.js";
import { checkQuantity } from "../../checks/quantity.js";
import type { StoredCsiStorageCapacity } from "./stored.js";

type Capacity = DeepReadonly<StoredCsiStorageCapacity>;

export const checkCsiStorageCapacity = (
  { metadata, nodeTopology, storageClassName, capacity }: Capacity,
  allowInvalidValues = false,
): FieldError[] => [
  ...checkObjectMeta(metadata, { namespaced: true }),
  ...validateLabelSelector(nodeTopology, fieldPath("nodeTopology"), { allowInvalidValues }),
  ...problemsAt(fieldPath("storageClassName"), storageClassName, nameIsDnsSubdomain(storageClassName)),
  ...(capacity === undefined ? [] : checkQuantity(parseQuantity(capacity), fieldPath("capacity"))),
];

export const checkCsiStorageCapacityUpdate = (next: Capacity, old: Capacity): FieldError[] => [
  ...checkCsiStorageCapacity(next, validateLabelSelector(old.nodeTopology, undefined).length > 0),
  ...checkObjectMetaUpdate(next.metadata, old.metadata),
  ...checkImmutable(next.nodeTopology, old.nodeTopology, fieldPath("nodeTopology"), next.nodeTopology ?? null),
  ...checkImmutable(next.storageClassName, old.storageClassName, fieldPath("storageClassName")),
];
