import type { DeepReadonly } from "@coxswain/api";
import type { EndpointSlice } from "@coxswain/api/discovery/v1";
import type { SharedIndexInformer } from "@coxswain/client/informers";
import type { ReconcileLoop } from "../controller/reconcile-loop.js";
import { isManagedBy, serviceKeyOf } from "./slice-labels.js";
import type { SliceTracker } from "./slice-tracker.js";

export interface WatchSlicesOptions {
  /** The value of the label by which the controller knows its slices. */
  readonly manager: string;
  readonly tracker: SliceTracker;
  /** How long to collect changes before the service is looked at, in milliseconds. */
  readonly delayMs: number;
}

/** Wakes the service of a slice that somebody else changed, deleted, took or gave. */
export function watchSlices(
  loop: ReconcileLoop,
  slices: SharedIndexInformer<DeepReadonly<EndpointSlice>>,
  { manager, tracker, delayMs }: WatchSlicesOptions,
): void {
  const wake = (slice: DeepReadonly<EndpointSlice>): void => {
    const key = serviceKeyOf(slice);
    if (key !== undefined) loop.queue.addAfter(key, delayMs);
  };
  const shouldSync = (slice: DeepReadonly<EndpointSlice>): boolean =>
    isManagedBy(slice, manager) && tracker.shouldSync(slice);
  loop.handle(slices, {
    onAdd(slice) {
      if (shouldSync(slice)) wake(slice);
    },
    onUpdate(old, slice) {
      // A change of labels leaves the generation as it is.
      if (serviceKeyOf(old) !== serviceKeyOf(slice)) {
        wake(old);
        wake(slice);
      } else if (isManagedBy(old, manager) !== isManagedBy(slice, manager) || shouldSync(slice)) wake(slice);
    },
    onDelete(slice) {
      if (isManagedBy(slice, manager) && tracker.gone(slice)) wake(slice);
    },
  });
}
