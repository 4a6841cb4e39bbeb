import type { DeepReadonly } from "@coxswain/api";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import type { ListPage, ListQuery } from "./resource-storage.js";

/** Pure: the page that a query asks for, of all objects that there are, in the order of namespaces and names. */
export function pageOf<T extends KubernetesObject>(
  all: Iterable<DeepReadonly<T>>,
  { namespace, name, limit, continue: after }: ListQuery,
  resourceVersion: string,
): ListPage<T> {
  const wanted = [...all]
    .filter(
      ({ metadata }) =>
        (namespace === "" || metadata?.namespace === namespace) && (name === "" || metadata?.name === name),
    )
    .map((object) => ({ object, place: placeOf(object) }))
    .filter(({ place }) => after === "" || place > after)
    .sort((a, b) => (a.place < b.place ? -1 : 1));
  const page = limit > 0 ? wanted.slice(0, limit) : wanted;
  const items = page.map(({ object }) => object);
  const last = page.at(-1);
  if (page.length === wanted.length || !last) return { items, resourceVersion };
  return { items, resourceVersion, continue: last.place, remainingItemCount: wanted.length - page.length };
}

/** Clients hand it back as it is. */
const placeOf = ({ metadata }: DeepReadonly<KubernetesObject>): string =>
  `${metadata?.namespace ?? ""}/${metadata?.name ?? ""}`;
