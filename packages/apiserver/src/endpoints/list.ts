import { badRequest, resourceExpired, StatusError, tooLargeResourceVersion } from "@coxswain/apimachinery/status";
import { hasStoreReason } from "@coxswain/storage";
import { WatchCache } from "../cache/watch-cache.js";
import { collectionPrefix } from "../cache/object-key.js";
import type { ListAnswer } from "../request/answer.js";
import { decodeContinue, encodeContinue } from "./continue-token.js";
import type { HandlerDeps } from "./handler-deps.js";
import { type ListOptions, readListOptions } from "./list-options.js";
import { answerPage, isNamed, type ListSource } from "./list-page.js";
import type { RequestContext } from "../request/request-context.js";
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
    return sourceAt(deps, cache, wanted, () =>
      resourceExpired("The resourceVersion for the provided list is too old."),
    );
  if (resourceVersion === "") {
    await waitForLatest(deps, context);
    cache.counts.consistentLists += 1;
  } else await waitForRevision(deps, wanted, context);
  return { entries: cache.snapshot(), revision: deps.feed.revision() };
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
    return { entries: cache.snapshot(), revision: deps.feed.revision(), start };
  }
  const pinned = deps.pins.find(kind.storagePrefix, token.revision);
  if (pinned) return { entries: pinned, revision: token.revision, start, resumed: true };
  return {
    start,
    resumed: true,
    ...(await sourceAt(deps, cache, token.revision, () => inconsistentContinue(token.start))),
  };
}

/** The state of a past revision, from the store. */
async function sourceAt(
  deps: HandlerDeps,
  cache: WatchCache,
  revision: number,
  expired: () => StatusError,
): Promise<ListSource> {
  if (revision === deps.feed.revision()) return { entries: cache.snapshot(), revision };
  try {
    const { records } = await deps.store.range({ prefix: collectionPrefix(cache.kind, ""), at: revision });
    const past = new WatchCache({
      kind: cache.kind,
      reader: deps.feed.readerOf(cache.kind),
      clock: deps.clock,
      revision,
      content: records,
    });
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
