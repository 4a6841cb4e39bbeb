import type { Steps } from "@coxswain/runtime/steps";
import type { JsonObject } from "../patch/json-value.js";
import { capManagers } from "./cap-managers.js";
import { describeObject } from "./describe-object.js";
import { longerSteps } from "./element-steps.js";
import { isEmpty, unionInSteps } from "./field-set.js";
import type { ManagedFieldsEntry } from "./managed-fields-entry.js";
import { type Manager, type Managers, managerId, startingManagers, writeManagers } from "./managers.js";
import { reconcileManagers, takeChanged, withoutUnowned } from "./ownership.js";
import { TypeMismatch } from "./type-mismatch.js";
import { findMismatchInSteps } from "./validate-applied.js";
import { Change, createVersions, type Typed, type VersionOptions, type Versions } from "./versions.js";
import { zeroObject } from "./zero-object.js";

export interface UpdateRequest extends VersionOptions {
  /** The object as stored; undefined for a create. Without managedFields. */
  readonly live: JsonObject | undefined;
  /** The object as it shall be stored. Without managedFields. */
  readonly next: JsonObject;
  /** Who writes: the field manager, or the first word of the user agent. @default "unknown" */
  readonly manager: string;
  /** "" for the main resource. */
  readonly subresource?: string;
  /** Now, RFC 3339 in whole seconds. */
  readonly time: string;
  /** `metadata.managedFields` as stored. */
  readonly entries: readonly ManagedFieldsEntry[];
  /** `metadata.managedFields` as the client sent it, undefined where it sent none. */
  readonly requested?: unknown;
}

/**
 * The managed fields after an ordinary write (create, update, patch): the writer owns what it changed, and nobody else does.
 *
 * Guarantees: never throws for a client's fault. An object that does not fit its type loses its managed fields, and an
 * object that has none (it was stored without) gets none, both as upstream has it (k8s.io/apimachinery/pkg/util/managedfields/internal/fieldmanager.go, UpdateNoErrors). Entries that did not change are the
 * very same; the writer's time moves only if it changed a field.
 */
export const updateManagedFieldsInSteps = (request: UpdateRequest): Steps<readonly ManagedFieldsEntry[]> =>
  longerSteps(update(request));

function* update(request: UpdateRequest): Steps<readonly ManagedFieldsEntry[]> {
  const { live, entries, requested, subresource = "" } = request;
  const managers = yield* startingManagers({ live: entries, requested, subresource });
  if (managers.size === 0 && live !== undefined) return [];
  try {
    const tracked = yield* trackWrite(managers, live ?? zeroObject(request.node), request);
    const written = writeManagers(yield* capManagers(tracked));
    return written.length === entries.length && written.every((entry, index) => entry === entries[index])
      ? entries
      : written;
  } catch (error) {
    if (error instanceof TypeMismatch) return [];
    throw error;
  }
}

export interface Write extends VersionOptions {
  readonly next: JsonObject;
  readonly manager: string;
  readonly subresource?: string;
  readonly time: string;
}

/** The managers after a write over `live`. */
export function* trackWrite(managers: Managers, live: JsonObject, write: Write): Steps<Managers> {
  const { next, manager, subresource = "", time, apiVersion } = write;
  const versions = createVersions(write);
  const [before, after] = [versions.own(live), versions.own(next)];
  if (write.checked) {
    const mismatch = yield* findMismatchInSteps(next, after.atom, { duplicates: true });
    if (mismatch !== undefined)
      throw new TypeMismatch(`failed to convert new object (${describeObject(next)}) to smd typed: ${mismatch}`);
    const stale = yield* findMismatchInSteps(live, before.atom, { duplicates: true });
    if (stale !== undefined)
      throw new TypeMismatch(`failed to convert live object (${describeObject(live)}) to smd typed: ${stale}`);
  }
  const writer = {
    manager: manager === "" ? "unknown" : manager,
    operation: "Update",
    apiVersion,
    subresource,
    time,
  } as const;
  return yield* giveChanged(managers, { versions, before, after }, managerId(writer), writer);
}

/** The writer `id` gets what changes; everyone loses what changes or goes. */
export function* giveChanged(
  managers: Managers,
  { versions, before, after }: { versions: Versions; before: Typed; after: Typed },
  id: string,
  writer: Omit<Manager, "set" | "entry">,
): Steps<Managers> {
  const change = new Change(versions, before, after);
  const out = yield* takeChanged(yield* reconcileManagers(managers, before, versions), change, "");
  const set = yield* withoutUnowned((yield* change.in(writer.apiVersion))?.changed ?? {});
  if (isEmpty(set)) return out;
  const previous = out.get(id);
  const { manager, operation, apiVersion, subresource, time } = writer;
  return out.set(id, {
    manager,
    operation,
    apiVersion,
    subresource,
    time,
    set: previous ? yield* unionInSteps(previous.set, set) : set,
    entry: previous?.entry,
  });
}
