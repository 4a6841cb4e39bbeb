/** As much of an object as a cache needs to know. Cached objects are shared by all readers and never changed. */
export interface CachedObject {
  readonly metadata?: {
    readonly name?: string;
    readonly namespace?: string;
    readonly uid?: string;
    readonly resourceVersion?: string;
    readonly labels?: Readonly<Record<string, string>>;
  };
}

/** The key of an object in a store and in work queues. */
export type KeyFunction<T> = (object: T) => string;

/** `default/web`, or `web` for an object without a namespace. */
export function keyOf({ metadata }: CachedObject): string {
  const name = metadata?.name ?? "";
  return metadata?.namespace ? `${metadata.namespace}/${name}` : name;
}

export const resourceVersionOf = (object: CachedObject): string => object.metadata?.resourceVersion ?? "";
