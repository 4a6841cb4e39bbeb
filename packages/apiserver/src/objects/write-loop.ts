import { encodeJson } from "@coxswain/apimachinery/json";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import { spliceResourceVersion, withoutManagedFields } from "@coxswain/apimachinery/object";
import { internalError } from "@coxswain/apimachinery/status";
import { type Soon, whenKnown } from "@coxswain/runtime/soon";
import { runSteps } from "@coxswain/runtime/steps";
import {
  type DeleteResult,
  hasStoreReason,
  type KeyRecord,
  type Note,
  type PutResult,
  type PutWrite,
  type Write,
} from "@coxswain/storage";
import { bytesOf } from "../cache/cache-entry.js";
import type { EncodedObject } from "../cache/encoded-object.js";
import { encodedObject, parseStored } from "../cache/encoded-object.js";
import { unreadableObjectError } from "../cache/read-errors.js";
import { type EncodedStored, encodeForStore, encodeStored, isStoredVersion } from "./encode-stored.js";
import { fromStore } from "./from-store.js";
import { isHeartbeat } from "./heartbeat-kinds.js";
import { isLarge, microsPerByte } from "./large-object.js";
import type { ObjectDeps } from "./object-deps.js";
import { fromStoredForm } from "./stored-form.js";
import { isTooLarge, leastBytesOfFields, maxStoredBytes, tooLarge } from "./stored-size.js";
import type { WriteScope } from "./write-scope.js";
import type { TransactionWrites } from "./write-transaction.js";

/** An object as it is stored now; `object` is a private copy. */
export interface Current {
  readonly revision: number;
  readonly object: KubernetesObject;
  /** With the resourceVersion in it. */
  readonly bytes: Uint8Array;
  /** Kept in a form that would be written otherwise today: writing it unchanged is a write all the same. */
  readonly stale: boolean;
}

/** What is to become of the object. */
export type Decision =
  /** The object is the write's from then on. `mustTrack`: without its managed fields it is not what was asked for (server-side apply). */
  | {
      readonly do: "put";
      readonly object: KubernetesObject;
      readonly transaction?: TransactionWrites | undefined;
      readonly mustTrack?: boolean | undefined;
    }
  /** `answer`: an update that removes answers with the revision that was there, a delete with its own. */
  | {
      readonly do: "remove";
      readonly object: KubernetesObject;
      readonly answer: "old revision" | "new revision";
      readonly transaction?: TransactionWrites | undefined;
    }
  /** Nothing is written; the answer is this. */
  | { readonly do: "keep"; readonly object: KubernetesObject };

export interface Written {
  readonly done: "created" | "updated" | "unchanged" | "removed" | "kept";
  readonly object: EncodedObject;
}

/** One write of one object. */
export interface ObjectWrite {
  readonly deps: ObjectDeps;
  readonly scope: WriteScope;
  readonly key: string;
  /** What should become of the object as it is now. Asked again, with what the others left, when somebody else was faster. */
  decide(current: Current | undefined): Soon<Decision>;
}

/**
 * Writes what `decide` wants, against the object as it then is, until the write wins. Bytes equal to the stored ones are no write.
 *
 * The object comes from the cache, which may not have what another server wrote. A write finds that out by itself; an answer without one
 * (a refusal, an object that stays as it is, a dry run) is given once the object is as new as the store's, as upstream's GuaranteedUpdate
 * does (storage/etcd3/store.go, `origStateIsCurrent`).
 */
export async function writeObject(write: ObjectWrite): Promise<Written> {
  // Here and below, what is known is not awaited: each await of a value is two promises and a round of the microtask queue.
  const found = currentIn(write);
  let current = found instanceof Promise ? await found : found;
  let isNewest = false;
  for (;;) {
    const outcome = await attempt(write, current);
    if (outcome.done === "again") [current, isNewest] = [await currentIn(write), false];
    else if (outcome.done === "lost") [current, isNewest] = [await lostTo(write, outcome.current), true];
    else if (isNewest || isStored(write, outcome)) return writtenOf(outcome);
    else {
      const newer = await newerThan(write, current);
      if (newer === undefined) return writtenOf(outcome);
      [current, isNewest] = [newer.newest, true];
    }
  }
}

async function attempt(write: ObjectWrite, current: Current | undefined): Promise<Outcome> {
  if (current && isLarge(current.bytes.length))
    await write.deps.runtime.scheduler.yield(current.bytes.length * microsPerByte);
  let decision: Decision;
  try {
    decision = await write.decide(current);
  } catch (reason) {
    return { done: "refused", reason };
  }
  if (decision.do === "keep")
    return { done: "kept", object: encodedObject(encodeJson(decision.object, write.scope.kind.schema)) };
  return decision.do === "put" ? put(write, decision, current) : remove(write, decision, current);
}

type Ended = Written | { readonly done: "refused"; readonly reason: unknown };
type Outcome = Ended | { readonly done: "lost"; readonly current: KeyRecord | undefined } | { readonly done: "again" };

const isStored = ({ scope }: ObjectWrite, { done }: Ended): boolean =>
  !scope.dryRun && (done === "created" || done === "updated" || done === "removed");

function writtenOf(outcome: Ended): Written {
  if (outcome.done === "refused") throw outcome.reason;
  return outcome;
}

/** What the store has, where that is another revision. It is asked only where others write to it, too, and the cache lags behind them. */
async function newerThan(
  write: ObjectWrite,
  current: Current | undefined,
): Promise<{ readonly newest: Current | undefined } | undefined> {
  const { store, feed } = write.deps;
  const revision = store.readRevision();
  const isBehind = feed.revision() < (revision instanceof Promise ? await fromStore(revision) : revision);
  const record = isBehind ? await fromStore(store.get(write.key)) : undefined;
  const found = isBehind ? record : feed.cacheOf(write.scope.kind).get(write.key);
  if (found?.revision === current?.revision) return undefined;
  return { newest: await (isBehind ? lostTo(write, record) : currentIn(write)) };
}

const lostTo = (write: ObjectWrite, record: KeyRecord | undefined): Soon<Current | undefined> =>
  record && currentFrom(write, record);

type StoreWrite = Write & { op: "put" | "delete" };
type Sent = PutResult | DeleteResult | "transaction lost";

/** Writes the object, with what joins its transaction. */
function sendWrites(deps: ObjectDeps, write: StoreWrite, transaction: TransactionWrites | undefined): Promise<Sent> {
  if (transaction && transaction.writes.length > 0) return sendTogether(deps, write, transaction);
  return fromStore<PutResult | DeleteResult>(write.op === "put" ? deps.store.put(write) : deps.store.delete(write));
}

async function sendTogether(deps: ObjectDeps, write: StoreWrite, transaction: TransactionWrites): Promise<Sent> {
  const { store } = deps;
  const writes = [write, ...transaction.writes];
  const result = await fromStore(store.transaction(writes));
  if (result.kind === "written") transaction.written?.(result.revision);
  if (result.kind === "written" || result.index === 0) return result;
  transaction.lost?.(writes[result.index]?.key ?? "", result.current);
  // What was there instead is to be seen when the next choice is made.
  await deps.feed.reach(result.current?.revision ?? (await store.status()).revision, new AbortController().signal);
  return "transaction lost";
}

/** The same, its duration recorded where the request wants that. */
function send(
  { deps, scope: { latencies } }: ObjectWrite,
  write: StoreWrite,
  transaction: TransactionWrites | undefined,
): Soon<Sent> {
  return latencies
    ? latencies.track("etcd", deps.runtime.clock, () => sendWrites(deps, write, transaction))
    : sendWrites(deps, write, transaction);
}

/** With a lease where the kind wants one: each write begins the object's time anew. */
async function sendPut(
  write: ObjectWrite,
  put: PutWrite & { op: "put" },
  transaction: TransactionWrites | undefined,
): Promise<Sent> {
  const { deps, scope } = write;
  for (;;) {
    const granting = deps.leases?.leaseOf(scope.kind);
    if (!granting) return send(write, put, transaction);
    const lease = await fromStore(granting);
    try {
      return await send(write, { lease, ...put }, transaction);
    } catch (err) {
      if (!hasStoreReason(err, "lease-gone")) throw err;
      await deps.leases?.forget(scope.kind, lease);
    }
  }
}

async function put(
  write: ObjectWrite,
  { object, transaction, mustTrack }: Decision & { do: "put" },
  current: Current | undefined,
): Promise<Outcome> {
  const { deps, scope } = write;
  const size = Math.max(scope.sentBytes ?? 0, current?.bytes.length ?? 0);
  if (isLarge(size)) await dropFieldsBeyondLimit(write, object, mustTrack);
  const { resourceVersion } = object.metadata; // of a new object: a client's own, which only a dry run lets pass
  if (isLarge(size)) await deps.runtime.scheduler.yield(size * microsPerByte);
  const encoding = encodeForStore(scope.kind, object);
  const encoded = encoding instanceof Promise ? await encoding : encoding;
  if (isLarge(size)) await deps.runtime.scheduler.yield(size * microsPerByte);
  const { value } = encoded;
  if (!current && scope.dryRun)
    return {
      done: "created",
      object: encodedObject(resourceVersion ? spliceResourceVersion(value, resourceVersion) : value),
    };
  try {
    return await putChanged(write, encoded, { transaction, current });
  } catch (err) {
    // Managed fields can be larger than all the rest (pkg/endpoints/handlers/create.go, update.go and patch.go).
    if (!isTooLarge(err) || mustTrack || !encoded.stored.metadata.managedFields) throw err;
    delete encoded.stored.metadata.managedFields;
    const bare = { value: withoutManagedFields(value), stored: encoded.stored };
    return putChanged(write, bare, { transaction, current });
  }
}

/** Managed fields that are too large by themselves are not encoded first. */
async function dropFieldsBeyondLimit(
  { deps, scope }: ObjectWrite,
  object: KubernetesObject,
  mustTrack: boolean | undefined,
): Promise<void> {
  if ((await runSteps(deps.runtime.scheduler, leastBytesOfFields(object), scope.ending)) <= maxStoredBytes) return;
  if (mustTrack) throw tooLarge();
  delete object.metadata.managedFields;
}

/** What the write goes with, and against. */
interface Against {
  readonly transaction: TransactionWrites | undefined;
  readonly current: Current | undefined;
}

async function putChanged(write: ObjectWrite, encoded: EncodedStored, against: Against): Promise<Outcome> {
  const { deps, scope, key } = write;
  const { current } = against;
  if (current) {
    const same = spliceResourceVersion(encoded.value, String(current.revision));
    if (equalBytes(same, current.bytes) && (await isUpToDate(deps, key, current)))
      return { done: "unchanged", object: encodedObject(current.bytes) };
    if (scope.dryRun) return { done: "updated", object: encodedObject(same) };
  }
  return putEncoded(write, encoded, against);
}

async function putEncoded(
  write: ObjectWrite,
  { value, stored }: EncodedStored,
  { transaction, current }: Against,
): Promise<Outcome> {
  const { deps, scope, key } = write;
  if (value.length > maxStoredBytes) throw tooLarge();
  const expected = current?.revision ?? 0;
  // What was written through another version may lack defaults of the stored one: the cache reads it as it reads what others wrote.
  if (isStoredVersion(scope.kind)) deps.feed.readerOf(scope.kind).expect(value, stored);
  const urgent = isHeartbeat(scope.kind);
  const result = await sendPut(write, { op: "put", key, value, expected, note: noteOf(write), urgent }, transaction);
  if (result === "transaction lost") return { done: "again" };
  if (result.kind === "conflict") return { done: "lost", current: result.current };
  const entry = deps.feed.findCache(scope.kind)?.lastKnown(key);
  const bytes =
    entry?.revision === result.revision ? bytesOf(entry) : spliceResourceVersion(value, String(result.revision));
  return { done: expected === 0 ? "created" : "updated", object: encodedObject(bytes) };
}

/** Keys are rotated while the server runs, and no event reports it: a write that changes nothing asks what the record is today. */
function isUpToDate({ store }: ObjectDeps, key: string, current: Current): Soon<boolean> {
  if (current.stale || !store.isStale) return !current.stale;
  return fromStore(store.isStale(key)).then((isStale) => !isStale);
}

async function remove(
  write: ObjectWrite,
  { object, answer, transaction }: Decision & { do: "remove" },
  current: Current | undefined,
): Promise<Outcome> {
  const { deps, scope, key } = write;
  if (!current) throw internalError("nothing to remove");
  if (isLarge(current.bytes.length)) await deps.runtime.scheduler.yield(current.bytes.length * microsPerByte);
  const { value } = encodeStored(scope.kind, object);
  const encoded = (revision: number): EncodedObject => encodedObject(spliceResourceVersion(value, String(revision)));
  if (scope.dryRun) return { done: "removed", object: encoded(current.revision) };
  const result = await send(write, { op: "delete", key, expected: current.revision, note: noteOf(write) }, transaction);
  if (result === "transaction lost") return { done: "again" };
  if (result.kind === "conflict") return { done: "lost", current: result.current };
  return { done: "removed", object: encoded(answer === "old revision" ? current.revision : result.revision) };
}

function currentIn(write: ObjectWrite): Soon<Current | undefined> {
  const cache = write.deps.feed.cacheOf(write.scope.kind);
  const unreadable = cache.unreadable.get(write.key);
  if (unreadable) throw unreadableObjectError(unreadable, write.deps.gates);
  const entry = cache.get(write.key);
  return entry && asCurrent(write, { revision: entry.revision, bytes: bytesOf(entry), stale: entry.stale });
}

function currentFrom(
  write: ObjectWrite,
  { key, value, revision, stale = false, unreadable }: KeyRecord,
): Soon<Current> {
  if (unreadable) throw unreadableObjectError({ key, revision, why: unreadable }, write.deps.gates);
  return asCurrent(write, { revision, bytes: spliceResourceVersion(value, String(revision)), stale });
}

/** With the object in the version that the writer uses. */
function asCurrent(
  { deps: { runtime }, scope: { kind, latencies } }: ObjectWrite,
  stored: Omit<Current, "object">,
): Soon<Current> {
  const began = latencies ? runtime.clock.monotonic() : 0;
  const object = parseStored(stored.bytes);
  latencies?.add("decode-response-object", runtime.clock.monotonic() - began);
  return whenKnown(fromStoredForm(kind, [object]), ([own = object]) => ({ object: own, ...stored }));
}

function noteOf({ deps, scope }: ObjectWrite): Note {
  const { origin, view } = scope;
  const note: { -readonly [Member in keyof Note]: Note[Member] } = {
    time: deps.runtime.clock.now(),
    user: scope.user.name,
    verb: scope.verb,
    manager: scope.manager,
  };
  const subresource = origin?.subresource || view;
  if (subresource !== "") note.subresource = subresource;
  if (!origin) return note;
  note.auditId = origin.auditId;
  if (origin.userAgent !== "") note.userAgent = origin.userAgent;
  if (origin.cause !== "") note.cause = origin.cause;
  if (origin.reason !== "") note.reason = origin.reason;
  return note;
}

function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && Buffer.compare(a, b) === 0;
}
