import { type FieldError, type FieldPath, forbidden, invalid, required } from "@coxswain/apimachinery/field";
import { repeatedPositions } from "../../../checks/repeated-positions.js";
import { printedItems } from "./printed-schema.js";
import { itemsOf, propertyOf, type Schema } from "./schema-walk.js";

/** A set of values that have parts, of which each could be changed by another: that makes no set. */
export function hasLooseSet(schema: Schema): boolean {
  const items = itemsOf(schema);
  return schema["x-kubernetes-list-type"] === "set" && items !== undefined && isLoose(items);
}

const isLoose = (items: Schema): boolean =>
  items.type === "array"
    ? (items["x-kubernetes-list-type"] ?? "atomic") !== "atomic"
    : items.type === "object" && items["x-kubernetes-map-type"] !== "atomic";

export function checkSetItems(schema: Schema, path: FieldPath): FieldError[] {
  if (!hasLooseSet(schema)) return [];
  const items = itemsOf(schema);
  const member = items?.type === "array" ? "x-kubernetes-list-type" : "x-kubernetes-map-type";
  // Upstream shows the list type in both cases.
  return [
    invalid(
      path.child("items", member),
      items?.["x-kubernetes-list-type"] ?? null,
      "must be atomic as item of a list with x-kubernetes-list-type=set",
    ),
  ];
}

/** Items that are identified by keys must have them, and cannot be null. */
export function checkListKeys(schema: Schema, path: FieldPath): FieldError[] {
  const type = schema["x-kubernetes-list-type"];
  const items = itemsOf(schema);
  if (!items || (type !== "set" && type !== "map")) return [];
  const errors: FieldError[] = [];
  if (items.nullable)
    errors.push(
      forbidden(path.child("items", "nullable"), `cannot be nullable when x-kubernetes-list-type is ${type}`),
    );
  if (type === "set") return errors;
  for (const key of schema["x-kubernetes-list-map-keys"] ?? []) {
    const property = propertyOf(items, key);
    const here = path.child("items", "properties").key(key);
    if (!property) continue;
    if (!items.required?.includes(key) && property.default === undefined)
      errors.push(
        required(
          here.child("default"),
          "this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property",
        ),
      );
    if (property.nullable)
      errors.push(
        forbidden(here.child("nullable"), "this property is in x-kubernetes-list-map-keys, so it cannot be nullable"),
      );
  }
  return errors;
}

export function checkKeyedList(schema: Schema, path: FieldPath): FieldError[] {
  const keys = schema["x-kubernetes-list-map-keys"] ?? [];
  const items = itemsOf(schema);
  const errors: FieldError[] = [];
  if (keys.length === 0)
    errors.push(
      required(path.child("x-kubernetes-list-map-keys"), "must not be empty if x-kubernetes-list-type is map"),
    );
  if (schema.items === undefined)
    errors.push(required(path.child("items"), "must have a schema if x-kubernetes-list-type is map"));
  else if (!items)
    errors.push(
      invalid(
        path.child("items"),
        printedItems(schema),
        "must only have a single schema if x-kubernetes-list-type is map",
      ),
    );
  if (!items) return errors;
  if (items.type !== "object")
    return [
      ...errors,
      invalid(
        path.child("items", "type"),
        items.type ?? "",
        "must be object if parent array's x-kubernetes-list-type is map",
      ),
    ];
  const keysPath = path.child("x-kubernetes-list-map-keys");
  const repeated = repeatedPositions(keys);
  for (const [at, key] of keys.entries()) {
    const property = propertyOf(items, key);
    if (!property) errors.push(invalid(keysPath, keys, "entries must all be names of item properties"));
    // Upstream shows the item's type, not the property's.
    else if (property.type === "array" || property.type === "object")
      errors.push(
        invalid(
          path.child("items", "properties").key(key).child("type"),
          items.type,
          "must be a scalar type if parent array's x-kubernetes-list-type is map",
        ),
      );
    if (repeated.has(at)) errors.push(invalid(keysPath, keys, "must not contain duplicate entries"));
  }
  return errors;
}
