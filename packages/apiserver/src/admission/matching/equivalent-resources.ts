import type { GroupVersionKind, GroupVersionResource } from "@coxswain/apimachinery/meta";
import type { AnyKind } from "@coxswain/kinds";
import { type Catalogue, perGeneration } from "../../catalogue/catalogue.js";

/** A resource that shows the same stored objects as another: another version, or another group's (events). */
export interface EquivalentResource {
  readonly resource: GroupVersionResource;
  /** What is sent to the resource, or to its subresource. */
  readonly kind: GroupVersionKind;
  /** The definition of the resource in that version. */
  readonly definition: AnyKind;
}

export interface EquivalentResources {
  /** Every served resource that is equivalent to the given one and has the subresource, itself included, in the order of the catalogue. */
  of(resource: Pick<GroupVersionResource, "group" | "resource">, subresource: string): readonly EquivalentResource[];
}

/** Resources with the same place in the store are equivalent, as upstream has it (k8s.io/apimachinery/pkg/runtime/mapper.go, EquivalentResourcesFor). */
export function createEquivalentResources(catalogue: Pick<Catalogue, "generation" | "kinds">): EquivalentResources {
  const index = perGeneration(catalogue, () => {
    const keys = new Map<string, string>();
    const byKey = new Map<string, AnyKind[]>();
    for (const kind of catalogue.kinds()) {
      const name = `${kind.resource}.${kind.group}`;
      const key = kind.storagePrefix || name;
      keys.set(name, key);
      const found = byKey.get(key);
      if (found) found.push(kind);
      else byKey.set(key, [kind]);
    }
    return { keys, byKey };
  });
  return {
    of({ group, resource }, subresource) {
      const { keys, byKey } = index();
      const all = byKey.get(keys.get(`${resource}.${group}`) ?? "") ?? [];
      return all.flatMap((definition) => {
        const kind = kindFor(definition, subresource);
        const { group, version, resource } = definition;
        return kind ? [{ resource: { group, version, resource }, kind, definition }] : [];
      });
    },
  };
}

function kindFor({ group, version, kind, facts }: AnyKind, subresource: string): GroupVersionKind | undefined {
  if (subresource === "") return { group, version, kind };
  return facts.subresources.find(({ name }) => name === subresource)?.kind;
}
