import type { DeepReadonly } from "@coxswain/api";
import { type FieldError, fieldPath, required } from "@coxswain/apimachinery/field";
import { validateNonnegative } from "@coxswain/apimachinery/validation";
import { checkImmutable } from "../../checks/immutable.js";
import { checkObjectMeta, checkObjectMetaUpdate } from "../../checks/object-meta.js";
import type { StoredControllerRevision } from "./stored.js";

type ReadRevision = DeepReadonly<StoredControllerRevision>;

const dataPath = fieldPath("data");

export function checkControllerRevision(revision: ReadRevision): FieldError[] {
  const errors = checkAlways(revision);
  const data: unknown = revision.data;
  if (data === undefined || data === null) errors.push(required(dataPath, "data is mandatory"));
  else if (typeof data !== "object" || Array.isArray(data))
    errors.push(required(dataPath, "data must be a valid JSON object"));
  return errors;
}

export const checkControllerRevisionUpdate = (next: ReadRevision, old: ReadRevision): FieldError[] => [
  ...checkObjectMetaUpdate(next.metadata, old.metadata),
  ...checkAlways(next),
  ...checkImmutable(next.data, old.data, dataPath),
];

const checkAlways = ({ metadata, revision }: ReadRevision): FieldError[] => [
  ...checkObjectMeta(metadata, { namespaced: true }),
  ...validateNonnegative(revision, fieldPath("revision")),
];
