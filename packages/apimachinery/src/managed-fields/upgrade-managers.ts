import { type FieldSet, isSubset, union } from "./gen/field-set.js";
import { readFieldsV1 } from "./gen/fields-v1.js";
import type { ManagedFieldsEntry } from "./managed-fields-entry.js";

export interface UpgradeOptions {
  /** Managers of client-side apply, such as "kubectl-client-side-apply". */
  readonly from: readonly string[];
  /** The manager that applies from now on, such as "kubectl". */
  readonly to: string;
  /** "" for the main resource. */
  readonly subresource?: string;
}

/**
 * Hands what client-side appliers own to a server-side applier, so that a later apply may remove it. Done by clients, on an
 * object they read. Answers `entries` itself if there is nothing to do; throws if an entry cannot be read.
 */
export function upgradeToServerSideApply(
  entries: readonly ManagedFieldsEntry[],
  { from, to, subresource = "" }: UpgradeOptions,
): readonly ManagedFieldsEntry[] {
  return from.reduce((current, name) => upgradeOne(current, name, to, subresource), entries);
}

function upgradeOne(
  entries: readonly ManagedFieldsEntry[],
  from: string,
  to: string,
  subresource: string,
): readonly ManagedFieldsEntry[] {
  const here = (entry: ManagedFieldsEntry): boolean => (entry.subresource ?? "") === subresource;
  const isOld = (entry: ManagedFieldsEntry): boolean =>
    entry.manager === from && entry.operation === "Update" && here(entry);
  const applier = entries.findIndex((entry) => entry.manager === to && entry.operation === "Apply" && here(entry));
  const target = applier >= 0 ? applier : entries.findIndex(isOld);
  const before = entries[target];
  if (before === undefined) return entries;
  const same = entries.find(
    (entry, index) => index !== target && isOld(entry) && entry.apiVersion === before.apiVersion,
  );
  const own = readFieldsV1(before.fieldsV1);
  const upgraded: ManagedFieldsEntry = {
    ...before,
    operation: "Apply",
    manager: to,
    fieldsV1: same ? union(own, readFieldsV1(same.fieldsV1)) : own,
  };
  if (applier >= 0 && !entries.some(isOld)) return entries;
  return entries.map((entry, index) => (index === target ? upgraded : entry)).filter((entry) => !isOld(entry));
}

/** The entries of one operation that own all of `fields`; entries that cannot be read own nothing. */
export function ownersOf(
  entries: readonly ManagedFieldsEntry[],
  operation: "Apply" | "Update",
  fields: FieldSet,
): ManagedFieldsEntry[] {
  return entries.filter((entry) => {
    if (entry.operation !== operation) return false;
    try {
      return isSubset(fields, readFieldsV1(entry.fieldsV1));
    } catch {
      return false; // a client may be looking for owners among what others spoilt
    }
  });
}
