import type { CachedObject } from "@coxswain/client/informers";
import type { ResourceDefinition } from "./resource-definition.js";

/** Which object of a resource. `namespace` is left out or empty for an object of the cluster. */
export interface ObjectName {
  readonly namespace?: string | undefined;
  readonly name: string;
}

/** The name of an object; an object of a cache is one, and so is a request. */
export const nameOf = ({ metadata }: CachedObject): ObjectName => ({
  namespace: metadata?.namespace ?? "",
  name: metadata?.name ?? "",
});

/** `default/web`, or `web`: the key of stores. */
export const storeKey = ({ namespace, name }: ObjectName): string => (namespace ? `${namespace}/${name}` : name);

/** The namespace that a client of this object is made with. @throws TypeError where a namespaced object has none */
export function namespaceFor(
  definition: ResourceDefinition<object>,
  { namespace, name }: ObjectName,
): string | undefined {
  if (definition.scope === "Cluster") return undefined;
  if (namespace) return namespace;
  throw new TypeError(
    `${definition.kind} ${JSON.stringify(name)} needs a namespace: ${definition.resource} are namespaced`,
  );
}
