import { encodeJson } from "@coxswain/apimachinery/json";
import { startTurn } from "@coxswain/apimachinery/wait";
import { bytesOf, type CacheEntry, withBytes } from "../../cache/cache-entry.js";
import { createDelivery, type Delivery } from "../../cache/cache-event.js";
import { encodedObject, parseStored } from "../../cache/encoded-object.js";
import type { VersionKind } from "../../catalogue/version-kind.js";
import type { Answer, ListAnswer, WatchAnswer } from "../../request/answer.js";

/** What a handler answered of the hub, in the version that the client asked for. Only here: answers of the hub are never looked at. */
export function answerInVersion(answer: Answer, version: VersionKind): Answer | Promise<Answer> {
  // A subresource's own kind (Scale) is the same in every version.
  if (answer.as === "object" && answer.kind === version.hub)
    return { ...answer, kind: version, object: encodedObject(convertBytes(answer.object.bytes, version)) };
  if (answer.as === "list") return listInVersion(answer, version);
  if (answer.as === "watch") return watchInVersion(answer, version);
  return answer;
}

const convertBytes = (bytes: Uint8Array, version: VersionKind): Uint8Array =>
  encodeJson(version.fromHub(parseStored(bytes)), version.schema);

/** Lets others run in between: a long list takes its time. */
async function listInVersion(answer: ListAnswer, version: VersionKind): Promise<ListAnswer> {
  const turn = startTurn();
  const entries: CacheEntry[] = [];
  for (const entry of answer.entries) {
    entries.push(convertEntry(entry, version));
    if (turn.isOver()) await turn.next();
  }
  const { resourceVersion, continueToken, remainingItemCount } = answer;
  // Without the leaves: they hold the hub's entries.
  return {
    as: "list",
    kind: version,
    entries,
    resourceVersion,
    ...(continueToken !== undefined && { continueToken }),
    ...(remainingItemCount !== undefined && { remainingItemCount }),
  };
}

/** An entry outside the cache, with bytes of its own. */
const convertEntry = (entry: CacheEntry, version: VersionKind): CacheEntry =>
  withBytes(entry, convertBytes(bytesOf(entry), version));

export function watchInVersion(answer: WatchAnswer, version: VersionKind): WatchAnswer {
  return {
    ...answer,
    kind: version,
    open: (sink) =>
      answer.open({
        deliver: (deliveries) => sink.deliver(deliveries.map((delivery) => convertDelivery(delivery, version))),
        bookmark: (revision, initial) => sink.bookmark(revision, initial),
        end: (reason) => sink.end(reason),
      }),
  };
}

/** Watchers of the same version share what was converted, and so what was encoded. */
const converted = new WeakMap<Delivery, Map<VersionKind, Delivery>>();

function convertDelivery(delivery: Delivery, version: VersionKind): Delivery {
  let own = converted.get(delivery);
  if (!own) converted.set(delivery, (own = new Map()));
  let made = own.get(version);
  if (!made)
    own.set(version, (made = createDelivery(delivery.type, convertEntry(delivery.entry, version), delivery.revision)));
  return made;
}
