import { internalError, isStatusError, StatusError } from "@coxswain/apimachinery/status";
import type { WatchFrom } from "../cache/watch-cache.js";
import type { UpgradedAnswer, WatchAnswer } from "../request/answer.js";
import { isWebSocketRequest } from "../request/client-websocket.js";
import type { RequestContext } from "../request/request-context.js";
import { checkReady } from "./check-ready.js";
import type { HandlerDeps } from "./handler-deps.js";
import { readListOptions } from "./list-options.js";
import { parseRevision, waitForLatest, waitForRevision } from "./resource-version.js";
import { sinkInOrder } from "./respond/sink-in-order.js";
import { candidatesOf, selectDeliveries, selectsConverted } from "./select-converted.js";
import type { Target } from "./target.js";
import { watchOverWebSocket } from "./watch-over-websocket.js";

export async function handleWatch(
  deps: HandlerDeps,
  context: RequestContext,
  target: Target,
): Promise<WatchAnswer | UpgradedAnswer> {
  const answer = await openWatch(deps, context, target);
  return isWebSocketRequest(context.request)
    ? watchOverWebSocket(deps, context, answer, target.version ?? target.kind)
    : answer;
}

async function openWatch(deps: HandlerDeps, context: RequestContext, { kind, version }: Target): Promise<WatchAnswer> {
  const options = readListOptions(context, version ?? kind, deps.gates.enabled("Initializers"));
  const revision = parseRevision(options.resourceVersion);
  const cache = deps.feed.cacheOf(kind);
  let from: WatchFrom = { after: revision };
  let refusal: StatusError | undefined;
  if (options.sendInitialEvents === true) {
    // "0" is content with any state; a number wants one at least that new; nothing wants the newest.
    if (options.resourceVersion === "") await waitForLatest(deps, context);
    else refusal = await Promise.resolve(waitForRevision(deps, revision, context)).then(() => undefined, statusOf);
    from = { now: true, mark: options.allowWatchBookmarks };
  } else if (revision === 0) {
    await waitForLatest(deps, context);
    from = { after: cache.revision };
  }
  checkReady(deps, cache);
  const timeoutMs = options.timeoutSeconds
    ? options.timeoutSeconds * 1000
    : Math.trunc(deps.minWatchMs * (1 + deps.runtime.random.next()));
  return {
    as: "watch",
    kind,
    timeoutMs,
    bookmarks: options.allowWatchBookmarks,
    refusal: "after" in from && from.after < cache.oldest ? tooOld(from.after, cache.oldest) : refusal,
    open(sink) {
      checkReady(deps, cache);
      const { selection } = options;
      const converted = { kind, cached: cache.kind, selection };
      const watcher = selectsConverted(kind, selection)
        ? cache.watchForClient(
            candidatesOf(selection),
            from,
            sinkInOrder(sink, (deliveries) => selectDeliveries(converted, deliveries)),
          )
        : cache.watchForClient(selection, from, sink);
      if (!watcher) throw internalError("the watch's revision went while it was being opened");
      return watcher;
    },
  };
}

/** Errors from here on are events of the stream, which counts as opened. */
function statusOf(err: unknown): StatusError {
  if (isStatusError(err)) return err;
  throw err;
}

/** Sent as the first event of a stream that was opened: clients expect it there. */
function tooOld(revision: number, oldest: number): StatusError {
  return new StatusError({
    code: 410,
    reason: "Expired",
    message: `too old resource version: ${revision} (${oldest})`,
  });
}
