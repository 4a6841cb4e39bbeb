import type { DeepReadonly } from "@coxswain/api";
import { findResource } from "@coxswain/api/resources";
import { builtInTypes } from "@coxswain/api/tables";
import { walk } from "@coxswain/apimachinery/json";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import type { TypeRegistry } from "@coxswain/apimachinery/schema";
import type { KindVersion } from "../definition/kind-definition.js";
import { factsOf } from "../definition/resource-facts.js";

/** `V` is the object in this form, `T` in the hub's. Their members need be in no order, and may be undefined. */
export interface VersionBehaviour<T, V> {
  readonly hub: { readonly group: string; readonly version: string };
  readonly setDefaults?: (object: V) => void;
  toHub(object: DeepReadonly<V>): T;
  fromHub(object: DeepReadonly<T>): DeepReadonly<V>;
}

/** Another form of a built-in kind: the facts of the tables and how it becomes the hub's and comes from it. */
export function builtInVersion<T, V>(
  group: string,
  version: string,
  resource: string,
  behaviour: VersionBehaviour<T, V>,
  types: TypeRegistry = builtInTypes,
): KindVersion<T> {
  const { hub, setDefaults, toHub, fromHub } = behaviour;
  const info = findResource(group, version, resource);
  const hubInfo = findResource(hub.group, hub.version, resource);
  if (!info || !hubInfo) throw new Error(`the tables have no ${resource} in ${group}/${version} or its hub`);
  const aliases = info.fieldAliases;
  const node = () => types.get(info.schema);
  return {
    group,
    version,
    facts: factsOf(info),
    withTypes: (others) => builtInVersion(group, version, resource, behaviour, others),
    ...(setDefaults && { setDefaults: (object: KubernetesObject) => setDefaults(object as V) }),
    toHub: (object) => walk(toHub(object as DeepReadonly<V>), types.get(hubInfo.schema)) as T,
    fromHub: (object) => walk(fromHub(object), node()) as KubernetesObject,
    ...(aliases && {
      selectableFields: Object.fromEntries(
        info.selectableFields
          .filter((name) => !name.startsWith("metadata."))
          .map((name) => [name, aliases[name] ?? name]),
      ),
    }),
    get schema() {
      return node();
    },
  };
}
