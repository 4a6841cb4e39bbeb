import { encodeJson } from "@coxswain/apimachinery/json";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import { spliceResourceVersion } from "@coxswain/apimachinery/object";
import { internalError, serviceUnavailable } from "@coxswain/apimachinery/status";
import {
  type DeleteResult,
  hasStoreReason,
  type KeyRecord,
  type LeaseId,
  type Note,
  type PutResult,
  type PutWrite,
  StoreError,
  type Write,
} from "@coxswain/storage";
import { bytesOf } from "../cache/cache-entry.js";
import type { EncodedObject } from "../cache/encoded-object.js";
import { type Soon, whenKnown } from "../runtime/soon.js";
import type { CompanionWrites } from "./companions.js";
import { type EncodedStored, encodeStored } from "./encode-stored.js";
import { encodedObject, parseStored } from "../cache/encoded-object.js";
import type { ObjectDeps } from "./object-deps.js";
import type { WriteScope } from "./write-scope.js";

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
  /** The object is the write's from then on. */
  | { readonly do: "put"; readonly object: KubernetesObject; readonly companions?: CompanionWrites | undefined }
  /** `answer`: an update that removes answers with the revision that was there, a delete with its own. */
  | {
      readonly do: "remove";
      readonly object: KubernetesObject;
      readonly answer: "old revision" | "new revision";
      readonly companions?: CompanionWrites;
    }
  /** Nothing is written; the answer is this. */
  | { readonly do: "keep"; readonly object: KubernetesObject };

export interface Written {
  readonly done: "created" | "updated" | "unchanged" | "removed" | "kept";
  readonly object: EncodedObject;
}

/**
 * Asks `decide` what should become of the object as it is now, and writes that; when somebody else was faster, asks again with
 * what they left. Bytes equal to the stored ones are no write.
 */
export const write = (deps: ObjectDeps, scope: WriteScope, key: string, decide: Decide): Soon<Written> =>
  writeOver(deps, scope, key, decide, currentIn(deps, scope, key));

type Decide = (current: Current | undefined) => Soon<Decision>;

function writeOver(
  deps: ObjectDeps,
  scope: WriteScope,
  key: string,
  decide: Decide,
  current: Current | undefined,
): Soon<Written> {
  return whenKnown(decide(current), (decision) => {
    if (decision.do === "keep")
      return { done: "kept", object: encodedObject(encodeJson(decision.object, scope.kind.schema)) };
    return whenKnown<Outcome, Written>(
      decision.do === "put" ? put(deps, scope, key, decision, current) : remove(deps, scope, key, decision, current),
      (outcome) => {
        if (outcome.done === "again") return writeOver(deps, scope, key, decide, currentIn(deps, scope, key));
        if (outcome.done === "lost")
          return writeOver(deps, scope, key, decide, outcome.current && currentFrom(deps, scope, outcome.current));
        return outcome;
      },
    );
  });
}

type Outcome =
  | Written
  | { readonly done: "lost"; readonly current: KeyRecord | undefined }
  | { readonly done: "again" };

type ObjectWrite = Write & { op: "put" | "delete" };
type Sent = PutResult | DeleteResult | "companion lost";

/** Writes the object, with its companions where it has any. */
function sendWrites(deps: ObjectDeps, write: ObjectWrite, companions: CompanionWrites | undefined): Promise<Sent> {
  if (companions && companions.writes.length > 0) return sendTogether(deps, write, companions);
  return fromStore<PutResult | DeleteResult>(write.op === "put" ? deps.store.put(write) : deps.store.delete(write));
}

async function sendTogether(deps: ObjectDeps, write: ObjectWrite, companions: CompanionWrites): Promise<Sent> {
  const { store } = deps;
  const writes = [write, ...companions.writes];
  const result = await fromStore(store.transaction(writes));
  if (result.kind === "written") companions.written?.(result.revision);
  if (result.kind === "written" || result.index === 0) return result;
  companions.lost?.(writes[result.index]?.key ?? "", result.current);
  // What was there instead is to be seen when the next choice is made.
  await deps.feed.reach(result.current?.revision ?? (await store.status()).revision, new AbortController().signal);
  return "companion lost";
}

/** The same, and whoever wants to know hears how long it took. */
function send(
  deps: ObjectDeps,
  { latencies }: WriteScope,
  write: ObjectWrite,
  companions: CompanionWrites | undefined,
): Soon<Sent> {
  return latencies
    ? latencies.track("etcd", deps.clock, () => sendWrites(deps, write, companions))
    : sendWrites(deps, write, companions);
}

/** With a lease where the kind wants one: each write begins the object's time anew. */
function sendPut(
  deps: ObjectDeps,
  scope: WriteScope,
  write: PutWrite & { op: "put" },
  companions: CompanionWrites | undefined,
): Soon<Sent> {
  const granting = deps.leases?.leaseOf(scope.kind);
  return granting ? sendLeased(deps, scope, write, companions, granting) : send(deps, scope, write, companions);
}

async function sendLeased(
  deps: ObjectDeps,
  scope: WriteScope,
  write: PutWrite & { op: "put" },
  companions: CompanionWrites | undefined,
  granting: Promise<LeaseId>,
): Promise<Sent> {
  const lease = await fromStore(granting);
  try {
    return await send(deps, scope, { ...write, lease }, companions);
  } catch (err) {
    if (!hasStoreReason(err, "lease-gone")) throw err;
    await deps.leases?.forget(scope.kind, lease);
    return sendPut(deps, scope, write, companions);
  }
}

function put(
  deps: ObjectDeps,
  scope: WriteScope,
  key: string,
  { object, companions }: Decision & { do: "put" },
  current: Current | undefined,
): Soon<Outcome> {
  const { resourceVersion } = object.metadata; // of a new object: a client's own, which only a dry run lets pass
  const encoded = encodeStored(scope.kind, object);
  const { value } = encoded;
  if (!current) {
    if (scope.dryRun)
      return {
        done: "created",
        object: encodedObject(resourceVersion ? spliceResourceVersion(value, resourceVersion) : value),
      };
    return putEncoded(deps, scope, key, encoded, companions, 0);
  }
  const same = spliceResourceVersion(value, String(current.revision));
  return whenKnown<boolean, Outcome>(
    equalBytes(same, current.bytes) && isUpToDate(deps, key, current),
    (isUnchanged) => {
      if (isUnchanged) return { done: "unchanged", object: encodedObject(current.bytes) };
      if (scope.dryRun) return { done: "updated", object: encodedObject(same) };
      return putEncoded(deps, scope, key, encoded, companions, current.revision);
    },
  );
}

function putEncoded(
  deps: ObjectDeps,
  scope: WriteScope,
  key: string,
  { value, stored }: EncodedStored,
  companions: CompanionWrites | undefined,
  expected: number,
): Soon<Outcome> {
  deps.feed.readerOf(scope.kind).expect(value, stored);
  return whenKnown<Sent, Outcome>(
    sendPut(deps, scope, { op: "put", key, value, expected, note: noteOf(deps, scope) }, companions),
    (result) => {
      if (result === "companion lost") return { done: "again" };
      if (result.kind === "conflict") return { done: "lost", current: result.current };
      const entry = deps.feed.cacheOf(scope.kind).get(key);
      const bytes =
        entry?.revision === result.revision ? bytesOf(entry) : spliceResourceVersion(value, String(result.revision));
      return { done: expected === 0 ? "created" : "updated", object: encodedObject(bytes) };
    },
  );
}

/** Keys are rotated while the server runs, and no event tells of it: who writes nothing new asks what the record is today. */
function isUpToDate({ store }: ObjectDeps, key: string, current: Current): Soon<boolean> {
  if (current.stale || !store.isStale) return !current.stale;
  return fromStore(store.isStale(key)).then((isStale) => !isStale);
}

async function remove(
  deps: ObjectDeps,
  scope: WriteScope,
  key: string,
  { object, answer, companions }: Decision & { do: "remove" },
  current: Current | undefined,
): Promise<Outcome> {
  if (!current) throw internalError("nothing to remove");
  const { value } = encodeStored(scope.kind, object);
  const encoded = (revision: number): EncodedObject => encodedObject(spliceResourceVersion(value, String(revision)));
  if (scope.dryRun) return { done: "removed", object: encoded(current.revision) };
  const result = await send(
    deps,
    scope,
    { op: "delete", key, expected: current.revision, note: noteOf(deps, scope) },
    companions,
  );
  if (result === "companion lost") return { done: "again" };
  if (result.kind === "conflict") return { done: "lost", current: result.current };
  return { done: "removed", object: encoded(answer === "old revision" ? current.revision : result.revision) };
}

export function currentIn(deps: ObjectDeps, scope: WriteScope, key: string): Current | undefined {
  const entry = deps.feed.cacheOf(scope.kind).get(key);
  return (
    entry && {
      revision: entry.revision,
      object: decode(deps, scope, bytesOf(entry)),
      bytes: bytesOf(entry),
      stale: entry.stale,
    }
  );
}

function currentFrom(deps: ObjectDeps, scope: WriteScope, record: KeyRecord): Current {
  const bytes = spliceResourceVersion(record.value, String(record.revision));
  return { revision: record.revision, object: decode(deps, scope, bytes), bytes, stale: record.stale ?? false };
}

function decode({ clock }: ObjectDeps, { latencies }: WriteScope, bytes: Uint8Array): KubernetesObject {
  const began = latencies ? clock.monotonic() : 0;
  const object = parseStored(bytes);
  latencies?.add("decode-response-object", clock.monotonic() - began);
  return object;
}

const noteOf = (deps: ObjectDeps, scope: WriteScope): Note => ({
  time: deps.clock.now(),
  user: scope.user.name,
  verb: scope.verb,
  manager: scope.manager,
});

/** A failing store is a fact for the client: no room or no store now (503), or a write whose outcome nobody knows (500). */
const fromStore = <T>(work: Promise<T>): Promise<T> => work.catch(tellClient);

function tellClient(err: unknown): never {
  if (!(err instanceof StoreError) || hasStoreReason(err, "lease-gone")) throw err;
  if (hasStoreReason(err, "outcome-unknown")) throw internalError(err.message, { cause: err });
  throw serviceUnavailable(err.message);
}

function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && Buffer.compare(a, b) === 0;
}
