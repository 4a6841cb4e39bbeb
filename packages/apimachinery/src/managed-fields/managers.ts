import type { Steps } from "@coxswain/runtime/steps";
import { isList, isObject } from "../patch/json-value.js";
import { compareUtf8 } from "../text/utf8-order.js";
import { type FieldSet, isEmpty } from "./field-set.js";
import { readFieldsV1InSteps } from "./fields-v1.js";
import { goJsonString } from "./go-json.js";
import type { ManagedFieldsEntry } from "./managed-fields-entry.js";

/** A manager and what it owns, while entries are being worked on. */
export interface Manager {
  readonly manager: string;
  readonly operation: "Apply" | "Update";
  readonly apiVersion: string;
  readonly subresource: string;
  readonly time: string | undefined;
  readonly set: FieldSet;
  /** The entry it was read from; written again as it is while nothing else changed. */
  readonly entry: ManagedFieldsEntry | undefined;
}

/** By identity (`managerId`). */
export type Managers = Map<string, Manager>;

/** Appliers are the same in every version; updaters are not. The text is upstream's, and is what entries are compared by. */
export function managerId({
  manager,
  operation,
  apiVersion,
  subresource,
}: Pick<Manager, "manager" | "operation" | "apiVersion" | "subresource">): string {
  let members = `"operation":"${operation}"`;
  if (manager !== "") members = `"manager":${goJsonString(manager)},${members}`;
  if (operation === "Update" && apiVersion !== "") members += `,"apiVersion":${goJsonString(apiVersion)}`;
  if (subresource !== "") members += `,"subresource":${goJsonString(subresource)}`;
  return `{${members}}`;
}

/** Throws what is wrong with them, in upstream's words. */
export function* readManagersInSteps(entries: readonly unknown[]): Steps<Managers> {
  const managers: Managers = new Map();
  for (const [index, entry] of entries.entries()) {
    const manager = yield* readEntry(isObject(entry) ? (entry as ManagedFieldsEntry) : {}, index);
    managers.set(managerId(manager), manager);
  }
  return managers;
}

function* readEntry(entry: ManagedFieldsEntry, index: number): Steps<Manager> {
  const { manager = "", operation, apiVersion = "", subresource = "", time, fieldsType, fieldsV1 } = entry;
  if (operation !== "Apply" && operation !== "Update") throw new Error("operation must be `Apply` or `Update`");
  if (apiVersion === "") throw new Error("apiVersion must not be empty");
  if (fieldsType === undefined || (fieldsType as string) === "")
    throw new Error(`missing fieldsType in managed fields entry ${index}`);
  if (fieldsType !== "FieldsV1")
    throw new Error(`invalid fieldsType ${JSON.stringify(fieldsType)} in managed fields entry ${index}`);
  const set = yield* readFieldsV1InSteps(fieldsV1);
  return { manager, operation, apiVersion, subresource, time: time ?? undefined, set, entry };
}

/** Updates last, older before newer. Managers that own nothing are left out. */
export function writeManagers(managers: Managers): ManagedFieldsEntry[] {
  return [...managers.values()]
    .filter(({ set }) => !isEmpty(set))
    .sort(byOrderOfEntries)
    .map(writeEntry);
}

function byOrderOfEntries(a: Manager, b: Manager): number {
  return (
    compareUtf8(a.operation, b.operation) ||
    secondsOf(a) - secondsOf(b) ||
    compareUtf8(a.manager, b.manager) ||
    compareUtf8(a.apiVersion, b.apiVersion) ||
    compareUtf8(a.subresource, b.subresource)
  );
}

export const secondsOf = ({ time }: Manager): number =>
  time === undefined ? 0 : Math.floor(Date.parse(time) / 1000) || 0;

function writeEntry({ manager, operation, apiVersion, subresource, time, set, entry }: Manager): ManagedFieldsEntry {
  const same = entry?.fieldsV1 === set && entry.time === time && entry.apiVersion === apiVersion;
  if (same && (entry.manager ?? "") === manager && (entry.subresource ?? "") === subresource) return entry;
  // One member after the other: spreading costs ten times as much, at every write.
  const written: { -readonly [name in keyof ManagedFieldsEntry]: ManagedFieldsEntry[name] } = {};
  if (manager !== "") written.manager = manager;
  written.operation = operation;
  written.apiVersion = apiVersion;
  if (time !== undefined) written.time = time;
  written.fieldsType = "FieldsV1";
  written.fieldsV1 = set;
  if (subresource !== "") written.subresource = subresource;
  return written;
}

/**
 * The entries that a write starts from. A client may change them through the main resource; an empty list, or one empty
 * entry, means: forget all. What cannot be read, and a client that sends none, leave the live ones standing.
 */
export function* startingManagers({
  live,
  requested,
  subresource,
}: {
  live: readonly unknown[];
  requested: unknown;
  subresource: string;
}): Steps<Managers> {
  if (subresource === "" && isList(requested)) {
    if (requested.length === 0 || (requested.length === 1 && isBlank(requested[0]))) return new Map();
    try {
      return yield* readManagersInSteps(requested);
    } catch {
      // Upstream forgives clients that spoil what they do not understand: the live entries stand.
    }
  }
  try {
    return yield* readManagersInSteps(live);
  } catch {
    return new Map(); // stored by someone else, and unreadable: upstream starts anew too
  }
}

const isBlank = (entry: unknown): boolean =>
  isObject(entry) && Object.values(entry).every((value) => value === null || value === "" || value === undefined);
