import type { DeepReadonly } from "@coxswain/api";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import type { UserInfo } from "../../request/user-info.js";

/**
 * Where the objects of a resource are, when that is not the server's store: another database, or nowhere, because they are computed.
 * The verbs that are served are those whose functions are there: `get` and `list` always, `watch`, `create`, `update` (PUT, all patches,
 * server-side apply) and `delete` if given.
 *
 * Guarantees: what is to be written has been decoded, converted to the hub version, prepared, admitted and validated; dry runs write
 * nothing. Selectors of labels and fields are applied to what `list` and `watch` return.
 *
 * Assumptions: every object has `metadata.name`, `namespace` where the kind has one, `uid`, and a `resourceVersion` that is a decimal
 * number and another after every change. Whole objects are kept, `managedFields` and all, where server-side apply is to work.
 */
export interface ResourceStorage<T extends KubernetesObject = KubernetesObject> {
  /** Undefined: there is none. */
  get(key: ObjectKey, request: StorageRequest): Promise<DeepReadonly<T> | undefined>;
  list(query: ListQuery, request: StorageRequest): Promise<ListPage<T>>;
  /** Reports every change after `from` until the signal is aborted. A rejection ends the watch: clients list again. */
  watch?(query: WatchQuery, onChange: (change: Change<T>) => void, request: StorageRequest): Promise<void>;
  /** Resolves to the new resourceVersion; undefined: the name is taken. */
  create?(object: DeepReadonly<T>, request: StorageRequest): Promise<string | undefined>;
  /** Writes if the object is still at `expected`. Resolves to the new resourceVersion; undefined: it is not. */
  update?(object: DeepReadonly<T>, expected: string, request: StorageRequest): Promise<string | undefined>;
  /** Deletes if the object is still at `expected`. Resolves to the resourceVersion of the deletion; undefined: it is not. */
  delete?(key: ObjectKey, expected: string, request: StorageRequest): Promise<string | undefined>;
}

/** `namespace` is "" for what is in none. */
export interface ObjectKey {
  readonly namespace: string;
  readonly name: string;
}

/** Who wants it. */
export interface StorageRequest {
  readonly user: UserInfo;
  /** Aborted when the client is gone, or its deadline has passed. */
  readonly signal: AbortSignal;
}

export interface ListQuery {
  /** "" for all. */
  readonly namespace: string;
  /** "" for all: one name, where a field selector asks for it. A storage may pay no attention to it. */
  readonly name: string;
  /** At most so many; 0: all. A storage without pages may return all. */
  readonly limit: number;
  /** What the page before returned; "" for the first page. */
  readonly continue: string;
}

export interface ListPage<T extends KubernetesObject = KubernetesObject> {
  readonly items: readonly DeepReadonly<T>[];
  /** Of the list: a watch from it reports what happens afterwards. */
  readonly resourceVersion: string;
  /** Where the next page begins, in words of the storage. @default this is the last page */
  readonly continue?: string;
  readonly remainingItemCount?: number;
}

export interface WatchQuery {
  /** "" for all. */
  readonly namespace: string;
  /** A resourceVersion of a list or an object: changes after it are wanted. Never "". */
  readonly from: string;
}

export interface Change<T extends KubernetesObject = KubernetesObject> {
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  /** Of a deleted one the last state, with the resourceVersion of the deletion. */
  readonly object: DeepReadonly<T>;
  /** What stood there before; so that a watch with a selector learns when an object is no longer selected. @default nothing */
  readonly previous?: DeepReadonly<T> | undefined;
}
