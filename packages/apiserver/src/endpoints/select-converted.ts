import { encodeJson } from "@coxswain/apimachinery/json";
import type { AnyKind } from "@coxswain/kinds";
import { type Soon, whenKnown } from "@coxswain/runtime/soon";
import { bytesOf, type CacheEntry, withBytes } from "../cache/cache-entry.js";
import { CacheEvent, type Delivery, eventType } from "../cache/cache-event.js";
import { parseStored } from "../cache/encoded-object.js";
import { readFields } from "../cache/entry-reader.js";
import { type Selection, selects } from "../cache/selection.js";
import { fromStoredForm } from "../objects/stored-form.js";
import { isInVersion } from "./respond/version-of-bytes.js";

/**
 * Upstream has one watch cache per version of a custom resource, which holds converted objects (apiextensions-apiserver,
 * pkg/apiserver/customresource_handler.go, getOrCreateServingInfoFor): selectors meet the object in the version of the request.
 * Here all versions share a cache of stored objects. Where conversion may decide, candidates are found by name and namespace,
 * converted, and selected afterwards. What was converted is remembered as long as the entry that it was made of.
 */
export const selectsConverted = ({ storedForm, selectableFields }: AnyKind, { labels, fields }: Selection): boolean =>
  storedForm !== undefined &&
  ((labels !== undefined && storedForm.convertsLabels) ||
    (fields?.requirements.some(({ field }) => selectableFields?.names.includes(field)) ?? false));

/** What conversion changes neither of: the name and the namespace. */
export const candidatesOf = ({ namespace, name }: Selection): Selection => ({
  namespace,
  name,
  labels: undefined,
  fields: undefined,
  id: JSON.stringify([namespace, name, "", ""]),
});

/** A resource as a request reads it. */
export interface ConvertedSelection {
  /** The version of the request. */
  readonly kind: AnyKind;
  /** The version by whose fields the cache reads its entries. */
  readonly cached: AnyKind;
  readonly selection: Selection;
}

/** Those of the candidates that are selected, converted. One request to a conversion webhook at most. */
export const selectEntries = (
  { kind, cached, selection }: ConvertedSelection,
  candidates: readonly CacheEntry[],
): Soon<readonly CacheEntry[]> =>
  whenKnown(convertEntries(kind, cached, candidates), (converted) =>
    converted.filter((each) => selects(selection, each)),
  );

/** What the candidates' deliveries are to a watcher with the selection. */
export function selectDeliveries(
  { kind, cached, selection }: ConvertedSelection,
  deliveries: readonly Delivery[],
): Soon<readonly Delivery[]> {
  const states = deliveries.flatMap(({ type, entry, previous }) =>
    type === "DELETED" || !previous ? [previous ?? entry] : [previous, entry],
  );
  return whenKnown(convertEntries(kind, cached, states), (converted) => {
    const found = new Map(states.map((state, at) => [state, converted[at] as CacheEntry]));
    return deliveries.flatMap((delivery) => {
      const event = eventOf(delivery, kind, found);
      const { current, previous } = event;
      const type = eventType(
        previous !== undefined && selects(selection, previous),
        current !== undefined && selects(selection, current),
      );
      return type ? [event.deliveryOf(type)] : [];
    });
  });
}

/** Watchers of the same version share what was converted, and so what is encoded. */
const events = new WeakMap<Delivery, Map<AnyKind, CacheEvent>>();

function eventOf(delivery: Delivery, kind: AnyKind, converted: ReadonlyMap<CacheEntry, CacheEntry>): CacheEvent {
  const { type, entry, previous, revision } = delivery;
  const own = versionsOf(events, delivery);
  let event = own.get(kind);
  if (!event) {
    event = new CacheEvent({
      revision,
      at: 0, // only the cache's own events are dropped by age
      current: type === "DELETED" ? undefined : converted.get(entry),
      previous: previous && converted.get(previous),
    });
    own.set(kind, event);
  }
  return event;
}

/** Under way or done, so that watchers that come at once ask a webhook once. */
const known = new WeakMap<CacheEntry, Map<AnyKind, Soon<CacheEntry>>>();

function convertEntries(kind: AnyKind, cached: AnyKind, entries: readonly CacheEntry[]): Soon<readonly CacheEntry[]> {
  const isSame = (entry: CacheEntry): boolean => kind === cached && isInVersion(bytesOf(entry), kind);
  const missing = [...new Set(entries)].filter((entry) => !known.get(entry)?.has(kind) && !isSame(entry));
  if (missing.length > 0) remember(kind, missing, makeEntries(kind, missing));
  const found = entries.map((entry) => known.get(entry)?.get(kind) ?? entry);
  return found.some((each) => each instanceof Promise) ? Promise.all(found) : (found as readonly CacheEntry[]);
}

/** A failure is not remembered. */
function remember(kind: AnyKind, entries: readonly CacheEntry[], made: Soon<readonly CacheEntry[]>): void {
  entries.forEach((entry, at) => {
    const own = versionsOf(known, entry);
    const one = whenKnown(made, (all) => all[at] as CacheEntry);
    own.set(kind, one);
    if (one instanceof Promise)
      one.then(
        (done) => own.set(kind, done),
        () => own.delete(kind),
      );
  });
}

const makeEntries = (kind: AnyKind, entries: readonly CacheEntry[]): Soon<readonly CacheEntry[]> =>
  whenKnown(
    fromStoredForm(
      kind,
      entries.map((entry) => parseStored(bytesOf(entry))),
    ),
    (objects) =>
      objects.map((object, at) => {
        const { key, revision, namespace, stale } = entries[at] as CacheEntry;
        const { labels } = object.metadata;
        const facts = { key, revision, namespace, labels, fields: readFields(kind, object), stale };
        return withBytes(facts, encodeJson(object, kind.schema));
      }),
  );

function versionsOf<K extends object, V>(all: WeakMap<K, Map<AnyKind, V>>, key: K): Map<AnyKind, V> {
  let own = all.get(key);
  if (!own) all.set(key, (own = new Map()));
  return own;
}
