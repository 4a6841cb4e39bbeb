import { isResourceExpired } from "@coxswain/apimachinery/status";
import type { Clock } from "@coxswain/runtime/clock";
import { withDeadline } from "../deadline/index.js";
import type { ListerWatcher, ListPage, ListRequest } from "../watch/index.js";

export interface ListAllOptions {
  readonly resourceVersion: string;
  /** Items of a page; 0 for all in one. */
  readonly pageSize: number;
  /** How long the server may take for one page. */
  readonly timeoutMs: number;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

export interface Listed<T> {
  readonly items: T[];
  readonly resourceVersion: string;
  readonly paged: boolean;
}

/**
 * Lists everything, page by page. When the continue token expires on the way, what came so far is thrown away and the whole
 * is listed in one: pages of different moments are no list.
 */
export async function listAll<T>(
  listerWatcher: ListerWatcher<T>,
  options: ListAllOptions,
  prepare: (item: T) => T = (item) => item,
): Promise<Listed<T>> {
  const first: ListRequest = {
    ...(options.resourceVersion === "" ? {} : { resourceVersion: options.resourceVersion }),
    ...(options.pageSize > 0 ? { limit: options.pageSize } : {}),
  };
  const get = (request: ListRequest): Promise<ListPage<T>> =>
    withDeadline((signal) => listerWatcher.list(request, signal), {
      what: "listing",
      ms: options.timeoutMs,
      clock: options.clock,
      signal: options.signal,
    });

  let page = await get(first);
  let items = page.items.map(prepare);
  let paged = false;
  while (page.continue) {
    paged = true;
    try {
      // The token carries the version; the server refuses both together.
      page = await get({ limit: options.pageSize, continue: page.continue });
    } catch (error) {
      if (!isResourceExpired(error)) throw error;
      const { limit: _, ...whole } = first;
      page = await get(whole);
      items = [];
    }
    for (const item of page.items) items.push(prepare(item));
  }
  return { items, resourceVersion: page.resourceVersion, paged };
}
