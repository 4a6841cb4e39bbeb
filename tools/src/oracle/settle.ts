import { setTimeout as sleep } from "node:timers/promises";
import type { JsonObject } from "../record/index.js";

/** Kinds that controllers inside the API server write to as soon as there is an object. */
const controlled = new Set(["CustomResourceDefinition", "APIService", "FlowSchema", "PriorityLevelConfiguration"]);

export const isControlled = ({ kind }: { readonly kind: string }): boolean => controlled.has(kind);

const quietReads = 8;
const betweenMs = 50;
const timeoutMs = 10_000;

/** Reads until nobody has written for a while. */
export async function settled(read: () => Promise<JsonObject | undefined>): Promise<JsonObject | undefined> {
  const from = performance.now();
  let last = await read();
  for (let quiet = 0; quiet < quietReads && performance.now() - from < timeoutMs; ) {
    await sleep(betweenMs);
    const next = await read();
    quiet = versionOf(next) === versionOf(last) ? quiet + 1 : 0;
    last = next;
  }
  return last;
}

const versionOf = (object: JsonObject | undefined): unknown =>
  (object?.["metadata"] as JsonObject | undefined)?.["resourceVersion"];
