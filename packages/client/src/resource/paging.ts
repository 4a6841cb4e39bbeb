import { isResourceExpired } from "@coxswain/apimachinery/status";
import type { ListPage, ListRequest } from "../watch/lister-watcher.js";

/** As client-go's pager. */
const defaultPageSize = 500;

/**
 * Pages until the last. When the continue token has expired on the way, everything is listed once more in one page: the
 * caller may see objects twice, and sees none too few.
 */
export async function* eachPage<T>(
  list: (request: ListRequest) => Promise<ListPage<T>>,
  request: ListRequest,
): AsyncGenerator<ListPage<T>, void> {
  let next: ListRequest | undefined = { ...request, limit: request.limit ?? defaultPageSize };
  while (next !== undefined) {
    let page: ListPage<T>;
    try {
      page = await list(next);
    } catch (error) {
      if (next.continue === undefined || !isResourceExpired(error)) throw error;
      next = without(request, "limit", "continue");
      continue;
    }
    yield page;
    // A token carries its revision: naming one again is refused.
    const rest: ListRequest = without(next, "resourceVersion", "resourceVersionMatch");
    next = page.continue === undefined ? undefined : { ...rest, continue: page.continue };
  }
}

function without(request: ListRequest, ...names: readonly (keyof ListRequest)[]): ListRequest {
  const copy = { ...request };
  for (const name of names) delete copy[name];
  return copy;
}
