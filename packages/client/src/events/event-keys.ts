import type { Event } from "@coxswain/api/core/v1";

/**
 * What is remembered of an event is found by a hash of 52 bits: the texts themselves were 3 KB of each pod, twice those of its events. Two
 * different ones of the 4,096 that are kept have the same hash once in a billion caches; an event is then counted as another one.
 */
export type EventKey = number;

const [firstPrime, secondPrime] = [0x9e3779b1, 0x85ebca77];
/** Between texts, so that no text can be taken for two: no code unit is so large. */
const end = 0x10000;

/** Pure: two multiplicative hashes of 32 and 20 bits, as one number that is exact as a double. */
function hash(parts: readonly (string | undefined)[]): EventKey {
  let [high, low] = [0xdeadbeef, 0x41c6ce57];
  const mix = (unit: number): void => {
    high = Math.imul(high ^ unit, firstPrime);
    low = Math.imul(low ^ unit, secondPrime);
    high ^= high >>> 15;
    low ^= low >>> 13;
  };
  for (const part of parts) {
    if (part !== undefined) for (let i = 0; i < part.length; i++) mix(part.charCodeAt(i));
    mix(end);
  }
  return (high >>> 12) * 2 ** 32 + (low >>> 0);
}

/** The same event: source, object, type, reason and message. */
export const eventKey = ({ source, involvedObject: about, type, reason, message }: Event): EventKey =>
  hash([
    source?.component,
    source?.host,
    about.kind,
    about.namespace,
    about.name,
    about.fieldPath,
    about.uid,
    about.apiVersion,
    type,
    reason,
    message,
  ]);

const aboutParts = ({ source, involvedObject: about, type }: Event): (string | undefined)[] => [
  source?.component,
  source?.host,
  about.kind,
  about.namespace,
  about.name,
  about.uid,
  about.apiVersion,
  type,
];

/** The same source about the same object. */
export const spamKey = (event: Event): EventKey => hash(aboutParts(event));

/** The same thing about the same object, in whatever words. */
export const similarKey = (event: Event): EventKey =>
  hash([...aboutParts(event), event.reason, event.reportingComponent, event.reportingInstance]);
