import type { ObjectMeta } from "@coxswain/apimachinery/meta";
import type { RandomSource } from "@coxswain/apimachinery/random";
import { badRequest } from "@coxswain/apimachinery/status";

/** Milliseconds as the API writes a time: RFC 3339, whole seconds, UTC. */
export const formatTime = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}Z`;

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
  meta.uid = newUid(random);
}

/** A random UUID, version 4. */
export function newUid(random: RandomSource): string {
  const bytes = random.bytes(16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  let text = "";
  for (let at = 0; at < 16; at++) text += `${at === 4 || at === 6 || at === 8 || at === 10 ? "-" : ""}${hexDigits[bytes[at] as number]}`;
  return text;
}

const hexDigits = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

/** An update keeps what only the server may set. Generation is counted by the kind's strategy, from the old one. */
export function keepSystemMetadata(meta: ObjectMeta, old: Readonly<ObjectMeta>): void {
  if (!meta.uid && old.uid !== undefined) meta.uid = old.uid;
  if (old.creationTimestamp) meta.creationTimestamp = old.creationTimestamp;
  if (old.deletionTimestamp) meta.deletionTimestamp = old.deletionTimestamp;
  if (old.deletionGracePeriodSeconds !== undefined && meta.deletionGracePeriodSeconds === undefined) meta.deletionGracePeriodSeconds = old.deletionGracePeriodSeconds;
}

/** The object's namespace is the request's; one that says otherwise is refused. `expected` is "" for cluster-wide kinds. */
export function matchNamespace(meta: ObjectMeta, expected: string): void {
  const actual = meta.namespace ?? "";
  if (actual === expected) return;
  if (actual === "") meta.namespace = expected;
  else if (expected === "") delete meta.namespace;
  else throw badRequest("the namespace of the provided object does not match the namespace sent on the request");
}
