import type { WatchStream } from "../transport/watch-event.js";

/** What a reflector needs of a client: lists and watches of one resource, within one namespace or all. */
export interface ListerWatcher<T> {
  /** One page. Throws a StatusError for a refusal, a TransportError when no answer came. */
  list(request: ListRequest, signal: AbortSignal): Promise<ListPage<T>>;
  /** Resolves once the server has accepted the watch; throws like `list` when it has not. */
  watch(request: WatchRequest, signal: AbortSignal): Promise<WatchStream<T>>;
}

export interface ListRequest {
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  readonly resourceVersion?: string;
  readonly resourceVersionMatch?: "Exact" | "NotOlderThan";
  readonly limit?: number;
  readonly continue?: string;
}

export interface ListPage<T> {
  readonly items: readonly T[];
  readonly resourceVersion: string;
  /** Absent on the last page. */
  readonly continue?: string;
  readonly remainingItemCount?: number;
}

export interface WatchRequest {
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  readonly resourceVersion?: string;
  readonly resourceVersionMatch?: "NotOlderThan";
  readonly sendInitialEvents?: boolean;
  readonly allowWatchBookmarks?: boolean;
  /** How long the server may keep the watch open. */
  readonly timeoutSeconds?: number;
}
