import { type SizeEstimate, unionEstimates } from "../declarations/estimate.js";

/** The sizes of the keys and values of a list or map; a list's keys are its indices. */
export interface EntrySize {
  readonly container: "list" | "map";
  readonly key: SizeEstimate;
  readonly value: SizeEstimate;
}

export const unionEntrySizes = (a: EntrySize | undefined, b: EntrySize | undefined): EntrySize | undefined =>
  a === undefined || b === undefined
    ? undefined
    : { container: a.container, key: unionEstimates(a.key, b.key), value: unionEstimates(a.value, b.value) };
