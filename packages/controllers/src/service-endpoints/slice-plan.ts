import type { DeepReadonly } from "@coxswain/api";
import type { EndpointSlice } from "@coxswain/api/discovery/v1";

/** A slice from the cache, or one that a plan made; never changed. */
export type Slice = DeepReadonly<EndpointSlice>;

/** What is to be written. Slices to create have no name yet. */
export interface SliceChanges {
  readonly create: readonly Slice[];
  readonly update: readonly Slice[];
  readonly remove: readonly Slice[];
}

/** Pure: slices that would be deleted get the content of those that would be created, where `mayReuse` allows it. */
export function recycle(changes: SliceChanges, mayReuse: (unused: Slice) => boolean): SliceChanges {
  const create = [...changes.create];
  const update = [...changes.update];
  const remove: Slice[] = [];
  for (const unused of changes.remove) {
    const at = mayReuse(unused) ? create.findLastIndex((slice) => slice.addressType === unused.addressType) : -1;
    const [slice] = at < 0 ? [] : create.splice(at, 1);
    if (!slice) {
      remove.push(unused);
      continue;
    }
    // It keeps the prefix that its name was made of, which an update without it would remove.
    update.push({ ...slice, metadata: { ...slice.metadata, name: unused.metadata?.name ?? "" } });
  }
  return { create, update, remove };
}
