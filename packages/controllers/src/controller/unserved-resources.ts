import { formatGroupVersionResource, type GroupVersionResource } from "@coxswain/apimachinery/meta";
import { isNotFound } from "@coxswain/apimachinery/status";
import type { ListerWatcher } from "@coxswain/client/watch";

/** Which resources the server refuses to list because it does not serve them: an API that is off, or of another release. */
export interface UnservedResources {
  /** The lister-watcher, observed. */
  observe<T>(resource: GroupVersionResource, listerWatcher: ListerWatcher<T>): ListerWatcher<T>;
  /** Resolves once the server has refused one of these. */
  whenOneOf(resources: readonly GroupVersionResource[]): Promise<GroupVersionResource>;
}

export function createUnservedResources(): UnservedResources {
  const refusals = new Map<string, { readonly refused: Promise<GroupVersionResource>; refuse(): void }>();
  const refusalOf = (resource: GroupVersionResource) => {
    const key = formatGroupVersionResource(resource);
    const known = refusals.get(key);
    if (known) return known;
    let resolve: (resource: GroupVersionResource) => void;
    const refused = new Promise<GroupVersionResource>((done) => (resolve = done));
    const refusal = { refused, refuse: () => resolve(resource) };
    refusals.set(key, refusal);
    return refusal;
  };
  return {
    observe(resource, listerWatcher) {
      const noted = async <T>(answer: Promise<T>): Promise<T> => {
        try {
          return await answer;
        } catch (error) {
          if (isNotFound(error)) refusalOf(resource).refuse();
          throw error;
        }
      };
      return {
        list: (request, signal) => noted(listerWatcher.list(request, signal)),
        watch: (request, signal) => noted(listerWatcher.watch(request, signal)),
      };
    },
    whenOneOf: (resources) => Promise.race(resources.map((resource) => refusalOf(resource).refused)),
  };
}
