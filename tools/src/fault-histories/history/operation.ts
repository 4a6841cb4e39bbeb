/** What an object holds that the check knows: the write that made it, and who has written which member. */
export type Content = Readonly<Record<string, string>>;

/** A request as its client meant it. Keys are names of objects in one namespace. */
export type Request =
  | { readonly verb: "create"; readonly key: string; readonly content: Content }
  /** A PUT; `expected` is the resourceVersion in it, if there is one. */
  | { readonly verb: "replace"; readonly key: string; readonly content: Content; readonly expected?: number }
  /** A merge patch of the members in `content`. */
  | { readonly verb: "merge"; readonly key: string; readonly content: Content }
  /** Server-side apply, with force: it creates what is not there. */
  | { readonly verb: "apply"; readonly key: string; readonly content: Content }
  /** `expected` and `uid` are its preconditions. */
  | { readonly verb: "delete"; readonly key: string; readonly expected?: number; readonly uid?: string }
  | { readonly verb: "get"; readonly key: string; readonly read: Read }
  /** Several pages count as one. */
  | { readonly verb: "list"; readonly read: Read };

/** Which state a read asks for: the newest; any; one not older than a revision; the one at a revision. */
export type Read = "newest" | "any" | { readonly notOlderThan: number } | { readonly exactly: number };

/** An object as a client received it. */
export interface SeenObject {
  readonly key: string;
  readonly revision: number;
  readonly uid: string;
  readonly content: Content;
}

export type Outcome =
  /** `object`: what a write or a GET answered with. A deletion answers with the uid of what it deleted. */
  | { readonly kind: "done"; readonly object?: SeenObject; readonly deletedUid?: string }
  | { readonly kind: "listed"; readonly revision: number; readonly objects: readonly SeenObject[] }
  /** The key is not there. */
  | { readonly kind: "absent" }
  /** It is there already, or another one than was expected. */
  | { readonly kind: "conflict" }
  /** The server answered that it did nothing. */
  | { readonly kind: "refused"; readonly reason: string }
  /** Nobody answered, or the server does not know: it may have happened, or may still happen. */
  | { readonly kind: "unknown"; readonly reason: string };

export interface Operation {
  /** Of every operation its own. A write leaves it in the object, as the member `write`. */
  readonly id: string;
  /** Which API server was asked, from 0. */
  readonly server: number;
  readonly request: Request;
  readonly outcome: Outcome;
  /** Milliseconds by one clock: before the first byte was sent, after the last one was received. */
  readonly began: number;
  readonly ended: number;
}

export type SeenEvent =
  | { readonly type: "ADDED" | "MODIFIED" | "DELETED"; readonly object: SeenObject; readonly at: number }
  | { readonly type: "BOOKMARK"; readonly revision: number; readonly at: number };

/** One watch request. */
export interface WatchSegment {
  readonly watcher: string;
  readonly server: number;
  /** The resourceVersion that it began after. */
  readonly from: number;
  /** Only objects whose member has the value, by a label selector. */
  readonly selector?: { readonly member: string; readonly value: string };
  readonly events: readonly SeenEvent[];
}

export interface History {
  readonly operations: readonly Operation[];
  readonly watches: readonly WatchSegment[];
}

export type WriteRequest = Exclude<Request, { verb: "get" | "list" }>;
export type Write = Operation & { readonly request: WriteRequest };

export const isWrite = (operation: Operation): operation is Write =>
  "key" in operation.request && !("read" in operation.request);
