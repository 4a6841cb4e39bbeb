import type { Subset } from "../service-endpoints/repack-subsets.js";

/** An Endpoints object holds so many addresses at most. */
export const maxAddresses = 1000;

/**
 * Pure: at most 1,000 addresses, those that are ready before the others, divided among the subsets in proportion to what they
 * have. Undefined: there are not more.
 */
export function truncateSubsets(subsets: readonly Subset[]): Subset[] | undefined {
  const count = (of: (subset: Subset) => readonly unknown[] | undefined): number =>
    subsets.reduce((sum, subset) => sum + (of(subset)?.length ?? 0), 0);
  const ready = count(({ addresses }) => addresses);
  const notReady = count(({ notReadyAddresses }) => notReadyAddresses);
  if (ready + notReady <= maxAddresses) return undefined;
  const isReadyCut = ready > maxAddresses;
  const [capacity, total] = isReadyCut ? [maxAddresses, ready] : [maxAddresses - ready, notReady];
  let left = capacity;
  return subsets.map((subset) => {
    const list = (isReadyCut ? subset.addresses : subset.notReadyAddresses) ?? [];
    // Rounded up: the last subset has less than its share.
    const kept = list.slice(0, Math.min(left, Math.ceil((list.length / total) * capacity)));
    left -= kept.length;
    const { addresses, notReadyAddresses: _, ports } = subset;
    return {
      ...(isReadyCut ? kept.length > 0 && { addresses: kept } : addresses && { addresses }),
      ...(!isReadyCut && kept.length > 0 && { notReadyAddresses: kept }),
      ...(ports && { ports }),
    };
  });
}
