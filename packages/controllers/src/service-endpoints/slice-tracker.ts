import type { DeepReadonly } from "@coxswain/api";
import type { EndpointSlice } from "@coxswain/api/discovery/v1";
import { serviceKeyOf } from "./slice-labels.js";

type Slice = DeepReadonly<EndpointSlice>;

/**
 * Which generation of each slice the controller wrote last. A cache that is behind must not be acted upon, or endpoints would
 * be placed twice; and a change that the controller made itself need not wake it.
 */
export interface SliceTracker {
  wrote(slice: Slice): void;
  /** The slice was deleted by the controller and goes from the cache in time. */
  deleted(slice: Slice): void;
  /** Whether the cache has not seen all that was written for the service. */
  isBehind(serviceKey: string, cached: readonly Slice[]): boolean;
  /** Whether somebody else has changed the slice. */
  shouldSync(slice: Slice): boolean;
  /** The slice has gone from the cache. Answers whether somebody else deleted it. */
  gone(slice: Slice): boolean;
  forget(serviceKey: string): void;
}

const deletion = -1;

export function createSliceTracker(): SliceTracker {
  /** By service, then by UID. */
  const written = new Map<string, Map<string, number>>();
  const note = (slice: Slice, generation: number): void => {
    const key = serviceKeyOf(slice) ?? "";
    const generations = written.get(key) ?? new Map<string, number>();
    written.set(key, generations.set(slice.metadata?.uid ?? "", generation));
  };
  const knownOf = (slice: Slice): number | undefined =>
    written.get(serviceKeyOf(slice) ?? "")?.get(slice.metadata?.uid ?? "");
  return {
    wrote: (slice) => note(slice, slice.metadata?.generation ?? 0),
    deleted: (slice) => note(slice, deletion),
    isBehind(key, cached) {
      const generations = written.get(key);
      if (generations === undefined) return false;
      const uids = new Set(cached.map(({ metadata }) => metadata?.uid ?? ""));
      return (
        cached.some((slice) => {
          const known = knownOf(slice);
          return known !== undefined && (known === deletion || known > (slice.metadata?.generation ?? 0));
        }) || [...generations].some(([uid, generation]) => generation !== deletion && !uids.has(uid))
      );
    },
    shouldSync(slice) {
      const known = knownOf(slice);
      return known === undefined || (slice.metadata?.generation ?? 0) > known;
    },
    gone(slice) {
      const known = knownOf(slice);
      written.get(serviceKeyOf(slice) ?? "")?.delete(slice.metadata?.uid ?? "");
      return known !== undefined && known !== deletion;
    },
    forget: (key) => void written.delete(key),
  };
}
