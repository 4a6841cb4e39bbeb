import type { DeepReadonly } from "@coxswain/api";
import { type FieldError, fieldPath, forbidden, invalid, tooLong } from "@coxswain/apimachinery/field";
import { equalJson } from "@coxswain/apimachinery/json";
import { getOwn, ownEntries } from "@coxswain/apimachinery/own";
import { checkConfigMapKey, utf8Length } from "@coxswain/apimachinery/validation";
import { base64Length } from "../../checks/base64-length.js";
import { checkObjectMeta, checkObjectMetaUpdate } from "../../checks/object-meta.js";
import type { StoredConfigMap } from "./stored.js";

/** Of all values together; a Secret has the same limit. */
const mostBytes = 1024 * 1024;

export function checkConfigMap({ metadata, data, binaryData }: DeepReadonly<StoredConfigMap>): FieldError[] {
  const errors = checkObjectMeta(metadata, { namespaced: true });
  let size = 0;
  for (const [key, value] of ownEntries(data)) {
    for (const problem of checkConfigMapKey(key)) errors.push(invalid(fieldPath("data").key(key), key, problem));
    if (getOwn(binaryData, key) !== undefined)
      errors.push(invalid(fieldPath("data").key(key), key, "duplicate of key present in binaryData"));
    size += utf8Length(value);
  }
  for (const [key, value] of ownEntries(binaryData)) {
    for (const problem of checkConfigMapKey(key)) errors.push(invalid(fieldPath("binaryData").key(key), key, problem));
    size += base64Length(value);
  }
  if (size > mostBytes) errors.push(tooLong(fieldPath(""), mostBytes));
  return errors;
}

export function checkConfigMapUpdate(
  next: DeepReadonly<StoredConfigMap>,
  old: DeepReadonly<StoredConfigMap>,
): FieldError[] {
  const errors = checkObjectMetaUpdate(next.metadata, old.metadata);
  if (old.immutable === true) {
    const why = "field is immutable when `immutable` is set";
    if (next.immutable !== true) errors.push(forbidden(fieldPath("immutable"), why));
    if (!equalJson(next.data, old.data)) errors.push(forbidden(fieldPath("data"), why));
    if (!equalJson(next.binaryData, old.binaryData)) errors.push(forbidden(fieldPath("binaryData"), why));
  }
  return [...errors, ...checkConfigMap(next)];
}
