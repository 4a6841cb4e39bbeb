import { builtInResources } from "@coxswain/api/resources";

export interface GroupResource {
  readonly group: string;
  readonly resource: string;
}

/** Kept by the server, though no API serves them; upstream's names for them. */
const unserved: readonly (readonly [string, string])[] = [
  ["ranges/serviceips", "serviceipallocations"],
  ["ranges/servicenodeports", "servicenodeportallocations"],
  ["masterleases", "apiserveripinfo"],
  ["peerserverleases", "apiserverpeeripinfo"],
];

/** In the order of groups, the core first: events, which have two groups, are those of the core. */
const byPrefix: ReadonlyMap<string, GroupResource> = new Map([
  ...builtInResources
    .toReversed()
    .flatMap(({ storage, group, resource }): [string, GroupResource][] =>
      storage ? [[storage.prefix, { group, resource }]] : [],
    ),
  ...unserved.map(([prefix, resource]): [string, GroupResource] => [prefix, { group: "", resource }]),
]);

/**
 * Whose objects a key holds, from what follows the root: `pods/default/web`, `services/specs/default/web`. What no built-in
 * resource has for its own belongs to a custom one: `example.com/widgets/default/w`.
 */
export function resourceOfKey(path: string): GroupResource {
  const [first = "", second = ""] = path.split("/", 2);
  return byPrefix.get(`${first}/${second}`) ?? byPrefix.get(first) ?? { group: first, resource: second };
}
