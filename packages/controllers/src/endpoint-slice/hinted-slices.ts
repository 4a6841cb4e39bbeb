import type { EndpointHints } from "@coxswain/api/discovery/v1";
import type { CachedEndpoint } from "../service-endpoints/endpoint-set.js";
import type { Slice } from "../service-endpoints/slice-plan.js";

/** The slices of a service and an address type, on their way to be given hints. */
export interface SlicesToHint {
  readonly create: readonly Slice[];
  readonly update: readonly Slice[];
  /** As they are in the cache; those whose hints must change move to `update`. */
  readonly unchanged: readonly Slice[];
}

export type HintedSlices = Pick<SlicesToHint, "create" | "update">;

/** The slice with these hints; undefined: the endpoint gets none. */
export const withHints = (
  slice: Slice,
  hintsOf: (endpoint: CachedEndpoint, index: number) => EndpointHints | undefined,
): Slice => ({
  ...slice,
  endpoints: (slice.endpoints ?? []).map((endpoint, index) => {
    const { hints: _, ...rest } = endpoint;
    const hints = hintsOf(endpoint, index);
    return hints ? { ...rest, hints } : rest;
  }),
});

export const isEndpointReady = ({ conditions }: CachedEndpoint): boolean => conditions?.ready === true;

/** Pure: no endpoint has a hint. */
export const removeHints = ({ create, update, unchanged }: SlicesToHint): HintedSlices => ({
  create: create.map((slice) => withHints(slice, () => undefined)),
  update: [...update, ...unchanged.filter(({ endpoints }) => endpoints?.some(({ hints }) => hints))].map((slice) =>
    withHints(slice, () => undefined),
  ),
});
