import { stringifyJson } from "@coxswain/apimachinery/json";
import { age, type AnyKind } from "@coxswain/kinds";
import type { CacheEntry } from "../../cache/cache-entry.js";
import { bytesOf } from "../../cache/cache-entry.js";
import { parseStored } from "../../cache/encoded-object.js";

/** The cells of a row as JSON, cut where the age stands. */
interface KeptRow {
  readonly head: string;
  readonly tail: string;
  /** When the object was made. */
  readonly created: string | null | undefined;
}

const kept = new WeakMap<CacheEntry, KeptRow | "changes">();
const aLongTime = 1e13;

/** `"cells":[…]` and the conditions of an entry's row. Only the age changes with time, so the object is parsed once; where more does, each time. */
export function rowOfEntry(kind: AnyKind, entry: CacheEntry, now: number): string {
  const known = kept.get(entry);
  if (known && known !== "changes") return `${known.head}${stringifyJson(age(known.created, now))}${known.tail}`;
  const object = parseStored(bytesOf(entry));
  if (!known) kept.set(entry, keepable(kind, object, now) ?? "changes");
  return rowOf(kind, object, now);
}

/** The same of an object that is not in the cache. */
export function rowOf(kind: AnyKind, object: unknown, now: number): string {
  return `"cells":${stringifyJson(kind.columns.cells(object, now))}${conditionsOf(kind, object)}`;
}

function conditionsOf(kind: AnyKind, object: unknown): string {
  const conditions = kind.columns.conditions?.(object) ?? [];
  return conditions.length === 0 ? "" : `,"conditions":${stringifyJson(conditions)}`;
}

/** Undefined: more than the age changes as time goes by. */
function keepable(kind: AnyKind, object: ReturnType<typeof parseStored>, now: number): KeptRow | undefined {
  const cells = kind.columns.cells(object, now);
  const later = kind.columns.cells(object, now + aLongTime);
  const at = kind.columns.columns.findIndex(({ name }) => name === "Age");
  const created = object.metadata.creationTimestamp;
  if (at < 0 || cells[at] !== age(created, now) || cells.some((cell, index) => index !== at && cell !== later[index]))
    return undefined;
  const text = (part: readonly unknown[]): string => part.map((cell) => stringifyJson(cell)).join(",");
  const before = text(cells.slice(0, at));
  const after = text(cells.slice(at + 1));
  return {
    head: `"cells":[${before}${at > 0 ? "," : ""}`,
    tail: `${after === "" ? "" : ","}${after}]${conditionsOf(kind, object)}`,
    created,
  };
}
