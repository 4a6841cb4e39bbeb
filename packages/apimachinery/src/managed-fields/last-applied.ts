import type { Steps } from "@coxswain/runtime/steps";
import { deleteOwn, getOwn, setOwn } from "../own/index.js";
import { isObject, type JsonObject } from "../patch/json-value.js";
import { compareObjects } from "./comparison.js";
import { differenceInSteps, type FieldSet, isEmpty } from "./field-set.js";
import { goJson } from "./go-json.js";
import type { Conflict } from "./ownership.js";
import { setOfObject } from "./set-of-value.js";
import { findMismatchInSteps } from "./validate-applied.js";
import type { Typed } from "./versions.js";

export const lastAppliedAnnotation = "kubectl.kubernetes.io/last-applied-configuration";
/** All annotations of an object together, in bytes of their names and values. */
const maxAnnotationsSize = 256 * 1024;

export function lastAppliedOf(object: JsonObject): string | undefined {
  const value = getOwn<unknown>(annotationsOf(object), lastAppliedAnnotation);
  return typeof value === "string" && value !== "" ? value : undefined;
}

function annotationsOf(object: JsonObject): JsonObject {
  const metadata = getOwn<unknown>(object, "metadata");
  const annotations = isObject(metadata) ? getOwn<unknown>(metadata, "annotations") : undefined;
  return isObject(annotations) ? annotations : {};
}

/**
 * What kubectl owned by client-side apply: the fields of the last applied configuration that the live object still has
 * unchanged. Undefined where there is none, or it cannot be read.
 */
export function* ownedByLastApplied(live: Typed): Steps<FieldSet | undefined> {
  const text = lastAppliedOf(live.object);
  if (text === undefined) return undefined;
  let lastApplied: unknown;
  try {
    lastApplied = JSON.parse(text);
  } catch {
    return undefined; // anyone may write an annotation
  }
  if (!isObject(lastApplied) || getOwn<unknown>(lastApplied, "apiVersion") !== live.apiVersion) return undefined;
  if ((yield* findMismatchInSteps(lastApplied, live.atom)) !== undefined) return undefined;
  const { changed, removed } = yield* compareObjects(lastApplied, live.object, live.atom);
  const unchanged = yield* differenceInSteps(yield* setOfObject(lastApplied, live.atom), changed);
  return yield* differenceInSteps(unchanged, removed);
}

/** The conflicts that are not within `allowed`. */
export function* remainingConflicts(conflicts: readonly Conflict[], allowed: FieldSet): Steps<Conflict[]> {
  const remaining: Conflict[] = [];
  for (const { manager, set: found } of conflicts) {
    const set = yield* differenceInSteps(found, allowed);
    if (!isEmpty(set)) remaining.push({ manager, set });
  }
  return remaining;
}

/** The object with its last applied configuration brought up to date; without any where that would be too large. */
export function withLastApplied(object: JsonObject, applied: JsonObject): JsonObject {
  const metadata = getOwn<unknown>(object, "metadata");
  const annotations: Record<string, unknown> = { ...annotationsOf(object) };
  setOwn(annotations, lastAppliedAnnotation, `${goJson(withoutLastApplied(applied))}\n`);
  if (sizeOf(annotations) > maxAnnotationsSize) deleteOwn(annotations, lastAppliedAnnotation);
  return { ...object, metadata: { ...(isObject(metadata) ? metadata : {}), annotations } };
}

function withoutLastApplied(applied: JsonObject): JsonObject {
  const metadata = getOwn<unknown>(applied, "metadata");
  if (!isObject(metadata) || !isObject(getOwn<unknown>(metadata, "annotations"))) return applied;
  const { [lastAppliedAnnotation]: _, ...annotations } = annotationsOf(applied);
  const { annotations: __, ...rest } = metadata;
  return { ...applied, metadata: Object.keys(annotations).length > 0 ? { ...metadata, annotations } : rest };
}

function sizeOf(annotations: JsonObject): number {
  const encoder = new TextEncoder();
  return Object.entries(annotations).reduce(
    (sum, [name, value]) => sum + encoder.encode(name).length + encoder.encode(String(value)).length,
    0,
  );
}
