import type { CachedObject } from "@coxswain/client/informers";
import { isNewerVersion, type ReadonlyIndexer } from "@coxswain/client/stores";

/**
 * The newest state that is known of each object: what the cache has, or what the own last write answered while the cache
 * has not seen it. For those who would otherwise decide twice the same.
 */
export interface NewestObjects<T> {
  get(key: string): T | undefined;
  wrote(key: string, object: T): void;
}

export function createNewestObjects<T extends CachedObject>(
  cache: Pick<ReadonlyIndexer<T>, "getByKey">,
): NewestObjects<T> {
  const written = new Map<string, T>();
  const versionOf = ({ metadata }: T): string => metadata?.resourceVersion ?? "";
  return {
    get(key) {
      const [cached, own] = [cache.getByKey(key), written.get(key)];
      if (own && cached && isNewerVersion(versionOf(own), versionOf(cached))) return own;
      written.delete(key);
      return cached;
    },
    wrote: (key, object) => void written.set(key, object),
  };
}
