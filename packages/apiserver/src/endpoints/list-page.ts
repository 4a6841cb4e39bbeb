import { append } from "@coxswain/apimachinery/append";
import { runSteps, type Steps } from "@coxswain/runtime/steps";
import type { SortedMap } from "@coxswain/storage/sorted-map";
import type { CacheEntry } from "../cache/cache-entry.js";
import { objectKey } from "../cache/object-key.js";
import { type Selection, selects } from "../cache/selection.js";
import type { ListAnswer } from "../request/answer.js";
import type { RequestContext } from "../request/request-context.js";
import { encodeContinue } from "./continue-token.js";
import type { HandlerDeps } from "./handler-deps.js";
import type { ListOptions } from "./list-options.js";
import { type ConvertedSelection, candidatesOf, selectEntries, selectsConverted } from "./select-converted.js";
import type { Target } from "./target.js";

/** One state of the resource, to list from. */
export interface ListSource {
  readonly entries: SortedMap<CacheEntry>;
  readonly revision: number;
  /** The key to begin at. */
  readonly start?: string;
  /** A state that an earlier page was read from. Its time does not begin anew, or who asks often enough keeps it for ever. */
  readonly resumed?: boolean;
}

/** Where in the state the selection can be, and how much of it is wanted. */
interface Range {
  readonly prefix: string;
  readonly start?: string;
  /** 0: all. */
  readonly limit: number;
}

interface Page {
  readonly entries: readonly CacheEntry[];
  /** Whether there are others behind them. */
  readonly more: boolean;
  /** How many entries were looked at. */
  readonly looked: number;
}

export async function answerPage(
  deps: HandlerDeps,
  context: RequestContext,
  { kind }: Target,
  options: ListOptions,
  { source, prefix }: { readonly source: ListSource; readonly prefix: string },
): Promise<ListAnswer> {
  const { selection } = options;
  const resourceVersion = String(source.revision);
  // What is spread comes last: V8 makes a new class for every object that gets members behind a spread one.
  const answer = (rest: Omit<ListAnswer, "as" | "kind" | "resourceVersion">): ListAnswer => ({
    as: "list",
    kind,
    resourceVersion,
    ...rest,
  });
  const { counts, kind: cached } = deps.feed.cacheOf(kind);
  counts.lists += 1;
  // With resourceVersion=0 any state will do, and all of it is returned: upstream's cache has no pages.
  const limit = options.resourceVersion === "0" ? 0 : options.limit;
  const range = { prefix, limit, ...(source.start === undefined ? {} : { start: source.start }) };
  const { entries, more, looked } = selectsConverted(kind, selection)
    ? await findConverted(context, source, { kind, cached, selection }, range)
    : await runSteps(context.scheduler, find(source, kind, selection, range), context);
  counts.looked += looked;
  counts.listed += entries.length;
  const matchesAll = isEverything(selection);
  const last = entries.at(-1);
  if (!more || !last)
    return answer(matchesAll ? { entries, leaves: [...source.entries.leavesOf(range)] } : { entries });
  if (!source.resumed) deps.pins.pin(kind.storagePrefix, source.revision, source.entries);
  const continueToken = encodeContinue({ revision: source.revision, start: `${last.key.slice(prefix.length)}\0` });
  if (!matchesAll) return answer({ entries, continueToken });
  return answer({ entries, continueToken, remainingItemCount: source.entries.count(range) - entries.length });
}

const isEverything = ({ labels, fields, name }: Selection): boolean =>
  labels === undefined && fields === undefined && name === "";

const microsPerEntry = 0.1;
const microsPerRequirement = 0.02;

function* find(source: ListSource, kind: Target["kind"], selection: Selection, range: Range): Steps<Page> {
  const single = source.start === undefined ? singleEntry(source, kind, selection) : undefined;
  if (single) return { entries: single, more: false, looked: 1 };
  const entries: CacheEntry[] = [];
  const matchesAll = isEverything(selection);
  const requirements = (selection.labels?.requirements.length ?? 0) + (selection.fields?.requirements.length ?? 0);
  let looked = 0;
  for (const { leaf, from, to } of source.entries.leavesOf(range)) {
    for (let at = from; at < to; at++) {
      const entry = leaf.values[at] as CacheEntry;
      looked += 1;
      if (!matchesAll && !selects(selection, entry)) continue;
      if (range.limit > 0 && entries.length === range.limit) return { entries, more: true, looked };
      entries.push(entry);
    }
    yield (to - from) * (microsPerEntry + requirements * microsPerRequirement);
  }
  return { entries, more: false, looked };
}

/** How many candidates are converted at once: one request to a conversion webhook. */
const batchSize = 500;
const microsPerBatch = 5_000;

/** Yields to other tasks between batches. A page ends with the batch in which it becomes full. */
async function findConverted(
  context: RequestContext,
  source: ListSource,
  converted: ConvertedSelection,
  { limit, ...range }: Range,
): Promise<Page> {
  const all = { ...range, limit: 0 };
  const { scheduler } = context;
  const { entries: candidates } = await runSteps(
    scheduler,
    find(source, converted.kind, candidatesOf(converted.selection), all),
    context,
  );
  const entries: CacheEntry[] = [];
  const enough = limit === 0 ? Infinity : limit + 1;
  let looked = 0;
  while (looked < candidates.length && entries.length < enough) {
    append(entries, await selectEntries(converted, candidates.slice(looked, looked + batchSize)));
    looked = Math.min(looked + batchSize, candidates.length);
    await scheduler.yield(microsPerBatch);
  }
  const more = entries.length >= enough;
  return { entries: more ? entries.slice(0, limit) : entries, more, looked };
}

/** Whether one object is selected. A single object has no pages, so limit and continue do not count. */
export const isNamed = (kind: Target["kind"], { name, namespace }: Selection): boolean =>
  name !== "" && (!kind.namespaced || namespace !== "");

/** A list of one named object looks it up. */
function singleEntry(source: ListSource, kind: Target["kind"], selection: Selection): CacheEntry[] | undefined {
  if (!isNamed(kind, selection)) return undefined;
  const entry = source.entries.get(objectKey(kind, selection.namespace, selection.name));
  return entry && selects(selection, entry) ? [entry] : [];
}
