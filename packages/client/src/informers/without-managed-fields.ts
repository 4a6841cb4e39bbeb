import type { CachedObject } from "../stores/index.js";

/**
 * For the `transform` of informers that do not read them: they are up to half of an object in memory. A write without them leaves
 * those of the server as they are.
 */
export function withoutManagedFields<T extends CachedObject>(object: T): T {
  const metadata = object.metadata as { managedFields?: unknown } | undefined;
  if (metadata?.managedFields === undefined) return object;
  const { managedFields: _, ...rest } = metadata;
  return { ...object, metadata: rest };
}
