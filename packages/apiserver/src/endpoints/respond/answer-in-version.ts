import { append } from "@coxswain/apimachinery/append";
import { encodeJson } from "@coxswain/apimachinery/json";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import type { AnyKind } from "@coxswain/kinds";
import type { Scheduler } from "@coxswain/runtime/scheduler";
import { type Soon, whenKnown } from "@coxswain/runtime/soon";
import { bytesOf, type CacheEntry, withBytes } from "../../cache/cache-entry.js";
import { createDelivery, type Delivery } from "../../cache/cache-event.js";
import { encodedObject, parseStored } from "../../cache/encoded-object.js";
import { isVersionKind } from "../../catalogue/version-kind.js";
import { fromStoredForm } from "../../objects/stored-form.js";
import type { Answer, ListAnswer, WatchAnswer } from "../../request/answer.js";
import type { Form } from "../../request/form.js";
import { sinkInOrder } from "./sink-in-order.js";
import { isInVersion } from "./version-of-bytes.js";

/** How many objects of a list are converted at once: one request to a conversion webhook. */
const batchSize = 500;
const microsPerBatch = 5_000;

/** Whether answers in this form must be converted: stored is another version, or may be. The metadata of a built-in kind is the same in all its versions. */
export const isConverted = (kind: AnyKind, { metadataOnly }: Pick<Form, "metadataOnly">): boolean =>
  isVersionKind(kind) ? !metadataOnly : kind.storedForm !== undefined;

/** What a handler answered from stored bytes, in the version that the client asked for. */
export function answerInVersion(answer: Answer, version: AnyKind, scheduler: Pick<Scheduler, "yield">): Soon<Answer> {
  const stored = isVersionKind(version) ? version.hub : version;
  // A subresource's own kind (Scale) is the same in every version.
  if (answer.as === "object" && answer.kind === stored)
    return whenKnown(convertBytes([answer.object.bytes], version), ([bytes]) => ({
      ...answer,
      kind: version,
      object: encodedObject(bytes as Uint8Array),
    }));
  if (answer.as === "list") return listInVersion(answer, version, scheduler);
  if (answer.as === "watch") return watchInVersion(answer, version);
  return answer;
}

/** Those that are in the version already are handed back as they are. */
function convertBytes(stored: readonly Uint8Array[], version: AnyKind): Soon<readonly Uint8Array[]> {
  if (isVersionKind(version))
    return stored.map((bytes) => encodeJson(version.fromHub(parseStored(bytes)), version.schema));
  const others = stored.filter((bytes) => !isInVersion(bytes, version));
  if (others.length === 0) return stored;
  return whenKnown(fromStoredForm(version, others.map(parseStored)), (objects) => {
    let next = 0;
    return stored.map((bytes) =>
      isInVersion(bytes, version) ? bytes : encodeJson(objects[next++] as KubernetesObject, version.schema),
    );
  });
}

/** Yields to other tasks in between: a long list takes its time. */
async function listInVersion(
  answer: ListAnswer,
  version: AnyKind,
  scheduler: Pick<Scheduler, "yield">,
): Promise<ListAnswer> {
  const entries: CacheEntry[] = [];
  for (let at = 0; at < answer.entries.length; at += batchSize) {
    append(entries, await convertEntries(answer.entries.slice(at, at + batchSize), version));
    await scheduler.yield(microsPerBatch);
  }
  const { resourceVersion, continueToken, remainingItemCount } = answer;
  // Without the leaves: they hold the stored form's entries.
  return {
    as: "list",
    kind: version,
    entries,
    resourceVersion,
    ...(continueToken !== undefined && { continueToken }),
    ...(remainingItemCount !== undefined && { remainingItemCount }),
  };
}

/** Entries outside the cache, with bytes of their own. */
const convertEntries = (entries: readonly CacheEntry[], version: AnyKind): Soon<readonly CacheEntry[]> =>
  whenKnown(convertBytes(entries.map(bytesOf), version), (converted) =>
    entries.map((entry, at) => withBytes(entry, converted[at] as Uint8Array)),
  );

export function watchInVersion(answer: WatchAnswer, version: AnyKind): WatchAnswer {
  return {
    ...answer,
    kind: version,
    open: (sink) => answer.open(sinkInOrder(sink, (deliveries) => convertDeliveries(deliveries, version))),
  };
}

/** Watchers of the same version share what was converted, and so what was encoded. */
const shared = new WeakMap<Delivery, Map<AnyKind, Soon<Delivery>>>();

function convertDeliveries(deliveries: readonly Delivery[], version: AnyKind): Soon<readonly Delivery[]> {
  const converted = deliveries.map((delivery) => convertDelivery(delivery, version));
  return converted.some((each) => each instanceof Promise)
    ? Promise.all(converted)
    : (converted as readonly Delivery[]);
}

function convertDelivery(delivery: Delivery, version: AnyKind): Soon<Delivery> {
  if (!isVersionKind(version) && isInVersion(bytesOf(delivery.entry), version)) return delivery;
  let own = shared.get(delivery);
  if (!own) shared.set(delivery, (own = new Map()));
  let made = own.get(version);
  if (!made) {
    made = whenKnown(convertEntries([delivery.entry], version), ([entry]) =>
      createDelivery({ ...delivery, entry: entry as CacheEntry }),
    );
    own.set(version, made);
  }
  return made;
}
