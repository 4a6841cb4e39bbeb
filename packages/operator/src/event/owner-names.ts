import type { OwnerReference } from "@coxswain/apimachinery/meta";
import { parseGroupVersion } from "@coxswain/apimachinery/meta";
import type { ObjectName, ResourceDefinition } from "../resource/index.js";

interface OwnedObject {
  readonly metadata?: { readonly namespace?: string; readonly ownerReferences?: readonly OwnerReference[] };
}

/** The owners of an object that are of this kind, in whatever version. `everyOwner`: not only the one that controls it. */
export function ownerNames(object: OwnedObject, owner: ResourceDefinition<object>, everyOwner: boolean): ObjectName[] {
  const names: ObjectName[] = [];
  for (const reference of object.metadata?.ownerReferences ?? []) {
    if (!everyOwner && reference.controller !== true) continue;
    if (reference.kind !== owner.kind || parseGroupVersion(reference.apiVersion)?.group !== owner.group) continue;
    const namespace = owner.scope === "Namespaced" ? (object.metadata?.namespace ?? "") : "";
    names.push({ namespace, name: reference.name });
  }
  return names;
}
