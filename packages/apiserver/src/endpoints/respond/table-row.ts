import { stringifyJson } from "@coxswain/apimachinery/json";
import type { TableEffort } from "@coxswain/kinds";
import { type AnyKind, age } from "@coxswain/kinds/definition";
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

/** What custom columns of all rows of an answer may visit together beyond the ordinary: about half a second, with other requests in between. */
const visitsPerAnswer = 5_000_000;

/** The rows of one answer. */
export function createRows(kind: AnyKind, now: number): (entry: CacheEntry) => string {
  const effort = { left: visitsPerAnswer };
  return (entry) => rowOfEntry(kind, entry, now, effort);
}

/** `"cells":[…]` and the conditions of an entry's row. Only the age changes with time, so the object is parsed once; where more does, each time. */
export function rowOfEntry(kind: AnyKind, entry: CacheEntry, now: number, effort?: TableEffort): string {
  const known = kept.get(entry);
  if (known && known !== "changes") return textOf(known, now);
  const object = parseStored(bytesOf(entry));
  const row = known ? undefined : keepable(kind, object, now, effort);
  // Where the effort is used up, cells may be missing that the next answer has.
  if (!known && (effort === undefined || effort.left > 0)) kept.set(entry, row ?? "changes");
  return row ? textOf(row, now) : rowOf(kind, object, now, effort);
}

const textOf = ({ head, tail, created }: KeptRow, now: number): string =>
  `${head}${stringifyJson(age(created, now))}${tail}`;

/** The same of an object that is not in the cache. */
export function rowOf(kind: AnyKind, object: unknown, now: number, effort?: TableEffort): string {
  return `"cells":${stringifyJson(kind.columns.cells(object, now, effort))}${conditionsOf(kind, object)}`;
}

function conditionsOf(kind: AnyKind, object: unknown): string {
  const conditions = kind.columns.conditions?.(object) ?? [];
  return conditions.length === 0 ? "" : `,"conditions":${stringifyJson(conditions)}`;
}

/** Undefined: more than the age changes as time goes by. */
function keepable(
  kind: AnyKind,
  object: ReturnType<typeof parseStored>,
  now: number,
  effort: TableEffort | undefined,
): KeptRow | undefined {
  const cells = kind.columns.cells(object, now, effort);
  const later = kind.columns.cells(object, now + aLongTime, effort);
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
