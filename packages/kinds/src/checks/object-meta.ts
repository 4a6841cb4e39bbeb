import { type FieldError, type FieldPath, fieldPath, invalid } from "@coxswain/apimachinery/field";
import {
  type NameCheck,
  nameIsDnsSubdomain,
  type ReadableMeta,
  validateObjectMeta,
  validateObjectMetaUpdate,
} from "@coxswain/apimachinery/validation";

/** Finalizers that need no domain before their name. */
const standardFinalizers = new Set(["kubernetes", "orphan", "foregroundDeletion"]);

const metadataPath = fieldPath("metadata");

export interface MetaRules {
  readonly namespaced: boolean;
  /** @default a DNS subdomain */
  readonly checkName?: NameCheck;
}

/** The metadata of a new object, as most kinds check it: the general rules, and finalizers of no domain must be known ones. */
export function checkObjectMeta(
  meta: ReadableMeta,
  { namespaced, checkName = nameIsDnsSubdomain }: MetaRules,
): FieldError[] {
  return [...validateObjectMeta(meta, { namespaced, checkName, path: metadataPath }), ...checkFinalizers(meta)];
}

export function checkObjectMetaUpdate(next: ReadableMeta, old: ReadableMeta): FieldError[] {
  return [...validateObjectMetaUpdate(next, old, metadataPath), ...checkFinalizers(next)];
}

/** The same without the rule for finalizers, for the kinds that never had it. */
export const checkPlainMeta = (
  meta: ReadableMeta,
  { namespaced, checkName = nameIsDnsSubdomain }: MetaRules,
): FieldError[] => validateObjectMeta(meta, { namespaced, checkName, path: metadataPath });

export const checkPlainMetaUpdate = (next: ReadableMeta, old: ReadableMeta): FieldError[] =>
  validateObjectMetaUpdate(next, old, metadataPath);

const checkFinalizers = ({ finalizers = [] }: ReadableMeta): FieldError[] =>
  finalizers.flatMap((name, at) => checkFinalizerIsKnown(name, metadataPath.child("finalizers").index(at)));

export const checkFinalizerIsKnown = (name: string, path: FieldPath): FieldError[] =>
  name.includes("/") || standardFinalizers.has(name)
    ? []
    : [invalid(path, name, "name is neither a standard finalizer name nor is it fully qualified")];
