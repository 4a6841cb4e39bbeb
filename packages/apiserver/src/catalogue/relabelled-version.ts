import { findResource } from "@coxswain/api/resources";
import { builtInTypes } from "@coxswain/api/tables";
import { formatGroupVersion, type KubernetesObject } from "@coxswain/apimachinery/meta";
import { type AnyKind, factsOf, type KindVersion } from "@coxswain/kinds/definition";
import { haveSameShape } from "./same-shape.js";

/** Another version of a built-in kind that differs from the hub in nothing but its name. Undefined: there is none, or it differs in more. */
export function relabelledVersion(hub: AnyKind, version: string): KindVersion | undefined {
  const info = findResource(hub.group, version, hub.resource);
  if (!info || version === hub.version || info.kind !== hub.kind || !findResource(hub.group, hub.version, hub.resource))
    return undefined;
  const schema = (hub.types ?? builtInTypes).get(info.schema);
  if (!haveSameShape(schema, hub.schema)) return undefined;
  const { group, setDefaults } = hub;
  const named = (object: object, apiVersion: string): KubernetesObject =>
    ({ ...object, apiVersion }) as KubernetesObject;
  return {
    group,
    version,
    schema,
    facts: factsOf(info),
    ...(setDefaults && { setDefaults }),
    toHub: (object) => named(object, formatGroupVersion(hub)),
    fromHub: (object) => named(object as object, formatGroupVersion({ group, version })),
  };
}
