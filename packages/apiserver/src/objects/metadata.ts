import type { ObjectMeta } from "@coxswain/apimachinery/meta";
import { badRequest } from "@coxswain/apimachinery/status";
import { formatTime } from "@coxswain/apimachinery/time";
import { type RandomSource, randomUuid } from "@coxswain/runtime/random";

/** What a client cannot set when it creates an object. */
export function wipeSystemMetadata(meta: ObjectMeta): void {
  delete meta.deletionTimestamp;
  delete meta.deletionGracePeriodSeconds;
  delete meta.selfLink;
  delete meta.uid;
  meta.creationTimestamp = null;
}

/** What the server gives to a new object. */
export function fillSystemMetadata(meta: ObjectMeta, now: number, random: RandomSource): void {
  meta.creationTimestamp = formatTime(now);
  meta.uid = randomUuid(random);
}

/** An update keeps what only the server may set. Generation is counted by the kind's strategy, from the old one. */
export function keepSystemMetadata(meta: ObjectMeta, old: Readonly<ObjectMeta>): void {
  if (!meta.uid && old.uid !== undefined) meta.uid = old.uid;
  if (old.creationTimestamp) meta.creationTimestamp = old.creationTimestamp;
  if (old.deletionTimestamp) meta.deletionTimestamp = old.deletionTimestamp;
  if (old.deletionGracePeriodSeconds !== undefined && meta.deletionGracePeriodSeconds === undefined)
    meta.deletionGracePeriodSeconds = old.deletionGracePeriodSeconds;
}

/** The object's namespace is the request's; one that has another is refused. `expected` is "" for cluster-wide kinds. */
export function matchNamespace(meta: ObjectMeta, expected: string): void {
  const actual = meta.namespace ?? "";
  if (actual === expected) return;
  if (actual === "") meta.namespace = expected;
  else if (expected === "") delete meta.namespace;
  else throw badRequest("the namespace of the provided object does not match the namespace sent on the request");
}
