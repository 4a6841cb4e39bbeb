import { badRequest, resourceExpired, StatusError, tooLargeResourceVersion } from "@coxswain/apimachinery/status";
import { hasStoreReason, type KeyRecord } from "@coxswain/storage";
import { collectionPrefix } from "../cache/object-key.js";
import { unreadableListError } from "../cache/read-errors.js";
import { WatchCache } from "../cache/watch-cache.js";
import type { ListAnswer } from "../request/answer.js";
import type { RequestContext } from "../request/request-context.js";
import { checkReady } from "./check-ready.js";
import { decodeContinue, encodeContinue } from "./continue-token.js";
import type { HandlerDeps, PastStates } from "./handler-deps.js";
import { type ListOptions, readListOptions } from "./list-options.js";
import { answerPage, isNamed, type ListSource } from "./list-page.js";
import { parseListRevision, waitForLatest, waitForRevision } from "./resource-version.js";
import type { Target } from "./target.js";

export const handleList = (deps: HandlerDeps, context: RequestContext, target: Target): Promise<ListAnswer> =>
  listObjects(
    deps,
    context,
    target,
    readListOptions(context, target.version ?? target.kind, deps.gates.enabled("Initializers")),
  );

export async function listObjects(
  deps: HandlerDeps,
  context: RequestContext,
  target: Target,
  options: ListOptions,
): Promise<ListAnswer> {
  const prefix = collectionPrefix(target.kind, options.selection.namespace);
  const source =
    options.continueToken === ""
      ? await firstSource(deps, context, target, options)
      : await nextSource(deps, context, target, options, prefix);
  return answerPage(deps, context, target, options, { source, prefix });
}

async function firstSource(
  deps: HandlerDeps,
  context: RequestContext,
  { kind }: Target,
  options: ListOptions,
): Promise<ListSource> {
  const { resourceVersion, resourceVersionMatch: match, limit } = options;
  const wanted = parseListRevision(resourceVersion);
  const cache = deps.feed.cacheOf(kind);
  // A limit with a revision but no match has always meant that very revision.
  const exact = match === "Exact" || (match === "" && limit > 0 && wanted > 0 && !isNamed(kind, options.selection));
  if (exact)
    return sourceAt(deps, cache, options, {
      revision: wanted,
      expired: () => resourceExpired("The resourceVersion for the provided list is too old."),
      // Only a client that asks for it by name: the implicit form, continue tokens and watches keep upstream's expiry.
      ...(match === "Exact" && {
        before: (revision: number) =>
          deps.pastStates?.({ kind, namespace: options.selection.namespace, revision, user: context.user }),
      }),
    });
  if (resourceVersion === "") {
    await waitForLatest(deps, context);
    cache.counts.consistentLists += 1;
  } else await waitForRevision(deps, wanted, context);
  checkReadable(deps, cache, options);
  return { entries: cache.snapshot(), revision: deps.feed.revision() };
}

/**
 * A list whose cache lacks an object is answered with 429. Pages of all objects are read from the store all the same, and fail only where
 * they meet it (`cacher/delegator.go`, `shouldDelegateListOnNotReadyCache`).
 */
function checkReadable(deps: HandlerDeps, cache: WatchCache, { limit, selection }: ListOptions): void {
  if (cache.unreadable.size === 0) return;
  if (limit === 0 || selection.labels || selection.fields || selection.name !== "") checkReady(deps, cache);
  const met = cache.unreadable.below(collectionPrefix(cache.kind, selection.namespace));
  if (met.length > 0) throw unreadableListError(cache.kind, met, deps.gates);
}

async function nextSource(
  deps: HandlerDeps,
  context: RequestContext,
  { kind }: Target,
  options: ListOptions,
  prefix: string,
): Promise<ListSource> {
  const token = decodeContinue(options.continueToken);
  if (options.resourceVersion !== "" && options.resourceVersion !== "0")
    throw badRequest("specifying resource version is not allowed when using continue");
  const start = `${prefix}${token.start}`;
  const cache = deps.feed.cacheOf(kind);
  if (token.revision < 0) {
    await waitForLatest(deps, context);
    checkReadable(deps, cache, options);
    return { entries: cache.snapshot(), revision: deps.feed.revision(), start };
  }
  const pinned = deps.pins.find(kind.storagePrefix, token.revision);
  if (pinned) return { entries: pinned, revision: token.revision, start, resumed: true };
  const expired = (): StatusError => inconsistentContinue(token.start);
  return { start, resumed: true, ...(await sourceAt(deps, cache, options, { revision: token.revision, expired })) };
}

interface PastRead {
  readonly revision: number;
  readonly expired: () => StatusError;
  /** Where else the state of a compacted revision may be found. @default nowhere */
  readonly before?: ((revision: number) => ReturnType<PastStates> | undefined) | undefined;
}

async function recordsAt(
  deps: HandlerDeps,
  cache: WatchCache,
  revision: number,
  before: PastRead["before"],
): Promise<readonly KeyRecord[]> {
  try {
    return (await deps.store.range({ prefix: collectionPrefix(cache.kind, ""), at: revision })).records;
  } catch (err) {
    const records = hasStoreReason(err, "expired") ? await before?.(revision) : undefined;
    if (!records) throw err;
    return records;
  }
}

/** The state of a past revision, from the store. */
async function sourceAt(
  deps: HandlerDeps,
  cache: WatchCache,
  { selection }: ListOptions,
  { revision, expired, before }: PastRead,
): Promise<ListSource> {
  if (revision === deps.feed.revision() && cache.unreadable.size === 0) return { entries: cache.snapshot(), revision };
  try {
    const records = await recordsAt(deps, cache, revision, before);
    const past = new WatchCache({
      kind: cache.kind,
      reader: deps.feed.readerOf(cache.kind),
      clock: deps.runtime.clock,
      revision,
      content: records,
    });
    const met = past.unreadable.below(collectionPrefix(cache.kind, selection.namespace));
    if (met.length > 0) throw unreadableListError(cache.kind, met, deps.gates);
    return { entries: past.snapshot(), revision };
  } catch (err) {
    if (hasStoreReason(err, "expired")) throw expired();
    if (hasStoreReason(err, "future")) throw tooLargeResourceVersion(revision, deps.feed.revision(), 1);
    throw err;
  }
}

/** The state of the first page is gone. The client may go on from here with what is there now, and the error has the token for that. */
function inconsistentContinue(start: string): StatusError {
  const message =
    "The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, " +
    "or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an " +
    "inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.";
  return new StatusError({
    code: 410,
    reason: "Expired",
    message,
    metadata: { continue: encodeContinue({ revision: -1, start }) },
  });
}
