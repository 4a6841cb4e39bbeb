import { builtInResources } from "@coxswain/api/resources";
import { ResourceClient, type ResourceRef } from "../resource/index.js";
import type { RestClient } from "../rest/index.js";
import type { TypedGroups } from "./group-types.js";

type Access = (namespace?: string) => ResourceClient;
type Groups = Map<string, Map<string, ResourceRef[]>>;

let known: Groups | undefined;

/** Groups by title, versions, resources. `io.k8s.api.core.v1.Pod` belongs to the group with the title "core". */
function groupsByTitle(): Groups {
  if (known !== undefined) return known;
  known = new Map();
  for (const { group, version, resource, kind, schema } of builtInResources) {
    const title = schema.split(".").at(-3) as string;
    const versions = known.get(title) ?? new Map<string, ResourceRef[]>();
    const resources = versions.get(version) ?? [];
    resources.push({ group, version, resource, kind });
    versions.set(version, resources);
    known.set(title, versions);
  }
  return known;
}

/** The objects behind `client.core.v1`; each is made when it is first asked for. */
export function createTypedGroups(rest: RestClient): TypedGroups {
  const groups = {};
  for (const [title, versions] of groupsByTitle())
    defineLazily(groups, title, () => {
      const group = {};
      for (const [version, resources] of versions)
        defineLazily(group, version, () => {
          const access = resources.map((ref): [string, Access] => [
            ref.resource,
            (namespace) => new ResourceClient(rest, ref, namespace),
          ]);
          return Object.fromEntries(access);
        });
      return group;
    });
  return groups as TypedGroups;
}

function defineLazily(target: object, name: string, make: () => object): void {
  Object.defineProperty(target, name, {
    enumerable: true,
    configurable: true,
    get() {
      const value = make();
      Object.defineProperty(target, name, { value, enumerable: true });
      return value;
    },
  });
}
