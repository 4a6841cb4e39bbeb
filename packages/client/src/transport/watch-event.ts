import type { StatusError } from "@coxswain/apimachinery/status";

/** One event of a watch. A frame that cannot be read is no event: the stream throws. */
export type WatchEvent<T = unknown> =
  | { readonly type: "ADDED" | "MODIFIED" | "DELETED"; readonly object: T }
  | {
      readonly type: "BOOKMARK";
      readonly resourceVersion: string;
      /** The bookmark that ends the initial events of a WatchList (annotation `k8s.io/initial-events-end`). */
      readonly initialEventsEnd: boolean;
    }
  /** The server ended this watch with an error: 410 Gone, or another Status. */
  | { readonly type: "ERROR"; readonly error: StatusError };

/** Events in the batches they arrived in, until the server ends the watch or it is stopped. Iterated once. */
export interface WatchStream<T = unknown> extends AsyncIterable<readonly WatchEvent<T>[]> {
  /** Ends it; iteration stops without an error. Stopping twice does nothing. */
  stop(): void;
  /** Nobody but the reader, or a failure, ends it: a server in the same process that keeps watches open. @default false */
  readonly isEndless?: boolean;
}
