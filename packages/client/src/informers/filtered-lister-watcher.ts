import type { ListerWatcher } from "../watch/index.js";

export interface ListFilter {
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
}

/** The same resource, but only what the selectors let through. */
export const filterListerWatcher = <T>(inner: ListerWatcher<T>, filter: ListFilter): ListerWatcher<T> => ({
  list: (request, signal) => inner.list({ ...request, ...filter }, signal),
  watch: (request, signal) => inner.watch({ ...request, ...filter }, signal),
});
