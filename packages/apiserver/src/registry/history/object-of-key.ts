import type { AnyKind } from "@coxswain/kinds";
import { findByPrefix } from "../../cache/find-by-prefix.js";
import { registryPrefix } from "../../cache/registry-prefix.js";
import { type Catalogue, perGeneration } from "../../catalogue/catalogue.js";
import { isVersionKind } from "../../catalogue/version-kind.js";
import type { KeyOwners } from "../contract/key-owners.js";

/** Reads keys by what is served now. A custom resource that is gone is known by its group and resource. */
export function keyOwners(catalogue: Catalogue): KeyOwners {
  const byPrefix = perGeneration(catalogue, () => {
    const known = new Map<string, AnyKind>();
    for (const served of catalogue.kinds()) {
      const kind = isVersionKind(served) ? served.hub : served;
      if (kind.storagePrefix !== "" && !known.has(kind.storagePrefix)) known.set(kind.storagePrefix, kind);
    }
    return known;
  });
  return {
    kinds: () => [...byPrefix().values()],
    of(key) {
      const kind = findByPrefix(byPrefix(), key);
      const parts = key.slice(registryPrefix.length).split("/");
      if (!kind) {
        const [group = "", resource = "", ...rest] = parts;
        const namespace = rest.length > 1 ? rest[0]! : "";
        return { group, version: "", resource, kind: "", namespace, name: rest.at(-1) ?? "" };
      }
      const { group, version, resource, namespaced } = kind;
      const [name = "", namespace = ""] = parts.toReversed();
      return { group, version, resource, kind: kind.kind, namespace: namespaced ? namespace : "", name };
    },
  };
}
