import { getOwn } from "@coxswain/apimachinery/own";
import { formatTime } from "@coxswain/apimachinery/time";
import type { Runtime } from "@coxswain/runtime";
import { type RandomSource, randomUuid } from "@coxswain/runtime/random";

/** The stored form of objects that are the same on every server, by key, with a sample's uid and time in them. */
export type PreparedObjects = Readonly<Record<string, string>>;

/** The time of a sample, in which nothing else has happened. */
export const sampleNow = Date.UTC(1970, 0, 1);
const sampleTime = formatTime(sampleNow);
/** What a sample draws. */
export const sampleRandom: RandomSource = {
  next: () => 0,
  bytes: (length) => new Uint8Array(length),
  drawInto: (bytes) => void bytes.fill(0),
};
const sampleUid = randomUuid(sampleRandom);

/** What is prepared for this key, made now and with a uid of its own. */
export function stampPrepared(
  prepared: PreparedObjects,
  key: string,
  { runtime: { clock, random } }: { readonly runtime: Runtime },
): Uint8Array | undefined {
  const sample = getOwn(prepared, key);
  if (sample === undefined) return undefined;
  return new TextEncoder().encode(
    sample.replace(sampleUid, randomUuid(random)).replaceAll(sampleTime, formatTime(clock.now())),
  );
}
