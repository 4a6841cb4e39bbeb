import { builtInResources } from "@coxswain/api/resources";
import type { ResourceTypes } from "@coxswain/api/types";
import { defineResource, type ResourceDefinition } from "./resource-definition.js";

/** Every resource of Kubernetes by group, version and name as they stand in its path: `apps.v1.deployments`. */
export type BuiltInResources = {
  readonly [G in keyof ResourceTypes]: {
    readonly [V in keyof ResourceTypes[G]]: {
      readonly [R in keyof ResourceTypes[G][V]]: ResourceTypes[G][V][R] extends { type: infer T extends object }
        ? ResourceDefinition<T>
        : never;
    };
  };
};

type Definitions = Record<string, Record<string, Record<string, ResourceDefinition>>>;

/** Groups go by their first word, as in a client: `io.k8s.api.core.v1.Pod` belongs to the group "core". */
function collect(): BuiltInResources {
  const groups: Definitions = {};
  for (const { group, version, resource, kind, schema, namespaced } of builtInResources) {
    const title = schema.split(".").at(-3) as string;
    const versions = (groups[title] ??= {});
    const resources = (versions[version] ??= {});
    resources[resource] = defineResource({
      group,
      version,
      kind,
      resource,
      scope: namespaced ? "Namespaced" : "Cluster",
    });
  }
  return groups as unknown as BuiltInResources;
}

/** The resources of Kubernetes itself: `const { core, apps } = builtIn; … .owns(apps.v1.deployments)`. */
export const builtIn: BuiltInResources = collect();
