import type { Steps } from "@coxswain/runtime/steps";
import { getOwn } from "../own/index.js";
import { isList, isObject, type JsonObject } from "../patch/json-value.js";
import { badRequest, StatusError } from "../status/index.js";
import { capManagers } from "./cap-managers.js";
import { conflictError } from "./conflict-error.js";
import { describeObject, groupVersionKindOf } from "./describe-object.js";
import { longerSteps } from "./element-steps.js";
import { isEmpty } from "./field-set.js";
import { lastAppliedOf, ownedByLastApplied, remainingConflicts, withLastApplied } from "./last-applied.js";
import type { ManagedFieldsEntry } from "./managed-fields-entry.js";
import { type Managers, managerId, readManagersInSteps, writeManagers } from "./managers.js";
import { type Applied, mergeAndOwn } from "./merge-and-own.js";
import { withoutUnowned, withSet } from "./ownership.js";
import { NotConvertible, TypeMismatch } from "./type-mismatch.js";
import { trackWrite } from "./update.js";
import { findMismatchInSteps } from "./validate-applied.js";
import { createVersions, type Typed, type VersionOptions, type Versions } from "./versions.js";
import { zeroObject } from "./zero-object.js";

export interface ApplyRequest extends VersionOptions {
  /** The object as stored, in the version of the request; undefined if there is none yet. Without managedFields. */
  readonly live: JsonObject | undefined;
  /** What the client applies, as it was parsed. */
  readonly applied: unknown;
  /** The kind that the request is for. */
  readonly kind: string;
  readonly manager: string;
  /** Take what others own, rather than fail. @default false */
  readonly force?: boolean;
  /** "" for the main resource. */
  readonly subresource?: string;
  /** Now, RFC 3339 in whole seconds. */
  readonly time: string;
  /** `metadata.managedFields` as stored. */
  readonly entries: readonly ManagedFieldsEntry[];
  /** Why the fields of an object that nobody managed so far cannot be given to "before-first-apply". @default they can */
  readonly refuseUnmanaged?: string;
}

export interface ApplyResult {
  /**
   * The merged object, or `live` itself if nothing changed. What was applied is in it as it was written: it still has to go
   * through the decoder's walk, and to be given its defaults.
   */
  readonly object: JsonObject;
  readonly entries: readonly ManagedFieldsEntry[];
}

/**
 * Server-side apply: merges by the type, removes what the applier applied before and does no more, and keeps account of who
 * owns what. Throws a StatusError: 409 with a cause for each field that another manager owns (unless `force`), 400 for an
 * object of another kind or version, 500 without a reason for one that does not fit its type, all in upstream's words.
 */
export const applyServerSideInSteps = (request: ApplyRequest): Steps<ApplyResult> => longerSteps(apply(request));

function* apply(request: ApplyRequest): Steps<ApplyResult> {
  const { applied, node, manager, entries, force = false } = request;
  let managers = yield* readEntries(entries);
  const patch = checkType(applied, request);
  if (managers.size === 0 && request.refuseUnmanaged !== undefined) throw unmanaged(request.refuseUnmanaged);
  checkManagedFields(patch);
  const live = request.live ?? zeroObject(node);
  const versions = createVersions(request);
  const before = versions.own(live);
  const after = versions.own(patch);
  if (managers.size === 0) managers = yield* captureUnmanaged(live, request);
  const mismatch = yield* findMismatchInSteps(patch, after.atom);
  if (mismatch !== undefined)
    throw failed(`failed to create typed patch object (${describeObject(patch)}): ${mismatch}`);
  const stale = request.checked ? yield* findMismatchInSteps(live, before.atom, { duplicates: true }) : undefined;
  if (stale !== undefined) throw failed(`failed to create typed live object (${describeObject(live)}): ${stale}`);
  const result = yield* mergeOrFail(managers, { before, after, force, versions, request });
  const object = result.typed?.object ?? live;
  return {
    object: manager === "kubectl" && lastAppliedOf(object) !== undefined ? withLastApplied(object, patch) : object,
    entries: writeManagers(result.managers),
  };
}

/** An object that nobody managed so far belongs to "before-first-apply". */
function* captureUnmanaged(live: JsonObject, request: ApplyRequest): Steps<Managers> {
  const { apiVersion, node, convert, filters, checked, subresource = "", time } = request;
  try {
    return yield* capManagers(
      yield* trackWrite(new Map(), zeroObject(node), {
        apiVersion,
        node,
        convert,
        filters,
        checked,
        next: live,
        manager: "before-first-apply",
        subresource,
        time,
      }),
    );
  } catch (error) {
    if (error instanceof TypeMismatch) throw unmanaged(error.message);
    throw error;
  }
}

const unmanaged = (why: string): StatusError => failed(`failed to create manager for existing fields: ${why}`);

interface Merge {
  readonly before: Typed;
  readonly after: Typed;
  readonly force: boolean;
  readonly versions: Versions;
  readonly request: ApplyRequest;
}

/** A stored object that does not fit its type is no error of the client that applies. */
function* mergeOrFail(managers: Managers, work: Merge): Steps<Extract<Applied, { kind: "applied" }>> {
  try {
    return yield* merge(managers, work);
  } catch (error) {
    if (error instanceof NotConvertible) throw failed(error.message);
    if (error instanceof TypeMismatch) throw failed(`failed to merge config: ${error.message}`);
    throw error;
  }
}

function* merge(
  managers: Managers,
  { before, after, force, versions, request }: Merge,
): Steps<Extract<Applied, { kind: "applied" }>> {
  const { manager, apiVersion, subresource = "", time } = request;
  const applier = {
    manager: manager === "" ? "unknown" : manager,
    operation: "Apply",
    apiVersion,
    subresource,
  } as const;
  const id = managerId(applier);
  const run = (forced: boolean): Steps<Applied> =>
    mergeAndOwn(managers, { live: before, applied: after, id, applier, force: forced, versions });
  let result = yield* run(force);
  if (result.kind === "conflicts") {
    // kubectl may take what it owned by client-side apply.
    const allowed = manager === "kubectl" ? yield* ownedByLastApplied(before) : undefined;
    const conflicts = allowed ? yield* remainingConflicts(result.conflicts, allowed) : result.conflicts;
    if (conflicts.length > 0) throw conflictError(conflicts);
    result = yield* run(true);
    if (result.kind === "conflicts") throw conflictError(result.conflicts);
  }
  const own = result.managers.get(id);
  if (own) {
    const set = yield* withoutUnowned(own.set);
    if (isEmpty(set)) result.managers.delete(id);
    else result.managers.set(id, { ...withSet(own, set), time: result.typed ? time : own.time });
  }
  return result;
}

function* readEntries(entries: readonly ManagedFieldsEntry[]): Steps<Managers> {
  try {
    return yield* readManagersInSteps(entries);
  } catch (error) {
    throw failed(`failed to decode managed fields: ${(error as Error).message}`);
  }
}

function checkType(applied: unknown, { apiVersion, kind }: ApplyRequest): JsonObject {
  const object = isObject(applied) ? applied : {};
  if (getOwn<unknown>(object, "apiVersion") !== apiVersion || getOwn<unknown>(object, "kind") !== kind) {
    throw badRequest(`invalid object type: ${groupVersionKindOf(object)}`);
  }
  return object;
}

function checkManagedFields(applied: JsonObject): void {
  const metadata = getOwn<unknown>(applied, "metadata");
  if (isObject(metadata) && isList(getOwn<unknown>(metadata, "managedFields")))
    throw badRequest("metadata.managedFields must be nil");
}

/** 500 without a reason: what upstream answers where it hands on an error as it is. */
const failed = (message: string): StatusError => new StatusError({ code: 500, reason: "", message });
