import type { ReconcileObserver } from "../controller/index.js";

/** Reports to both of them. */
export function bothObservers(first: ReconcileObserver, second: ReconcileObserver | undefined): ReconcileObserver {
  if (second === undefined) return first;
  return {
    controllerStarted(controller, concurrency) {
      first.controllerStarted?.(controller, concurrency);
      second.controllerStarted?.(controller, concurrency);
    },
    active(controller, change) {
      first.active?.(controller, change);
      second.active?.(controller, change);
    },
    reconciled(record) {
      first.reconciled?.(record);
      second.reconciled?.(record);
    },
  };
}
