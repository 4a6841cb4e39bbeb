import { append } from "@coxswain/apimachinery/append";
import type { KeyRecord, KeyValueStore } from "../contract/key-value-store.js";
import { isAmong, type Keys, keysOf } from "./key-range.js";
import type { RangeRequest } from "./messages.js";

export interface RangeRead {
  readonly records: readonly KeyRecord[];
  readonly more: boolean;
  readonly count: number;
}

/** Numbers of `sort_order` and `sort_target`. */
const descending = 2;
const targets: readonly ((record: KeyRecord) => string | number | Uint8Array)[] = [
  ({ key }) => key,
  ({ version }) => version,
  ({ createRevision }) => createRevision,
  ({ revision }) => revision,
  ({ value }) => value,
];

const recordsPerPage = 1000;

/** What a range request asks for, as of one revision. */
export async function readRange(store: KeyValueStore, request: RangeRequest, at: number): Promise<RangeRead> {
  const keys = keysOf(request);
  if (keys.kind === "many" && keys.end === undefined && !isSorted(request) && !isFiltered(request))
    return readPrefix(store, keys, request, at);
  return chooseRange(request, await recordsOf(store, keys, at));
}

/** Pure: what a range request asks for, of all records of its keys, which are in order. */
export function chooseRange(request: RangeRequest, all: readonly KeyRecord[]): RangeRead {
  const chosen = sorted(
    request,
    all.filter((record) => passes(request, record)),
  );
  const limited = request.limit > 0 ? chosen.slice(0, request.limit) : chosen;
  return {
    records: request.count_only ? [] : strip(request, limited),
    more: !request.count_only && limited.length < chosen.length,
    count: all.length,
  };
}

async function readPrefix(
  store: KeyValueStore,
  { prefix, start }: Extract<Keys, { kind: "many" }>,
  { limit, keys_only, count_only }: RangeRequest,
  at: number,
): Promise<RangeRead> {
  const query = { prefix, start, at, keysOnly: keys_only, countOnly: count_only };
  return store.range({ ...query, limit: Math.max(0, limit) });
}

/** All records of the keys as of one revision, page by page. */
export async function recordsOf(store: KeyValueStore, keys: Keys, at: number): Promise<KeyRecord[]> {
  if (keys.kind === "one") {
    const record = await store.get(keys.key, { at });
    return record ? [record] : [];
  }
  const all: KeyRecord[] = [];
  let { start } = keys;
  let revision = at;
  for (;;) {
    const page = await store.range({ prefix: keys.prefix, start, at: revision, limit: recordsPerPage });
    const within = page.records.filter(({ key }) => isAmong(keys, key));
    append(all, within);
    if (!page.more || within.length < page.records.length) return all;
    revision = page.revision;
    start = `${page.records.at(-1)?.key}\u0000`;
  }
}

export const isSorted = ({ sort_order, sort_target }: RangeRequest): boolean =>
  sort_order === descending || (sort_order !== 0 && sort_target !== 0) || sort_target !== 0;

export const isFiltered = (request: RangeRequest): boolean =>
  request.min_mod_revision > 0 ||
  request.max_mod_revision > 0 ||
  request.min_create_revision > 0 ||
  request.max_create_revision > 0;

const passes = (request: RangeRequest, { revision, createRevision }: KeyRecord): boolean =>
  isWithin(revision, request.min_mod_revision, request.max_mod_revision) &&
  isWithin(createRevision, request.min_create_revision, request.max_create_revision);

/** 0: no bound. */
const isWithin = (revision: number, min: number, max: number): boolean =>
  (min <= 0 || revision >= min) && (max <= 0 || revision <= max);

function sorted({ sort_order, sort_target }: RangeRequest, records: KeyRecord[]): KeyRecord[] {
  const target = targets[sort_target] ?? targets[0]!;
  const direction = sort_order === descending ? -1 : 1;
  return records.toSorted((a, b) => direction * compareValues(target(a), target(b)));
}

function compareValues(a: string | number | Uint8Array, b: string | number | Uint8Array): number {
  if (typeof a === "number") return a - (b as number);
  return Buffer.compare(Buffer.from(a as string), Buffer.from(b as string));
}

const noBytes = new Uint8Array(0);
const strip = ({ keys_only }: RangeRequest, records: readonly KeyRecord[]): readonly KeyRecord[] =>
  keys_only ? records.map((record) => ({ ...record, value: noBytes })) : records;
