import type { DeepReadonly } from "@coxswain/api";
import type { CustomResourceDefinition } from "@coxswain/api/apiextensions/v1";
import { builtInResources } from "@coxswain/api/resources";
import { builtInTypes } from "@coxswain/api/tables";
import type { GroupVersionKind, GroupVersionResource } from "@coxswain/apimachinery/meta";
import { readStructural } from "@coxswain/apimachinery/structural-schema";
import { type DeclaredType, nodeToType, schemaToType } from "@coxswain/cel/kubernetes";

type Definitions = () => readonly DeepReadonly<CustomResourceDefinition>[];

/** The kind of a resource, built in or custom; undefined where nothing is known of it. */
export const kindFinder =
  (definitions: Definitions) =>
  ({ group, version, resource }: GroupVersionResource): GroupVersionKind | undefined => {
    const builtIn = builtInResources.find(
      (one) => one.group === group && one.version === version && one.resource === resource,
    );
    const kind =
      builtIn?.kind ??
      definitions().find(({ spec }) => spec.group === group && spec.names.plural === resource)?.spec.names.kind;
    return kind === undefined ? undefined : { group, version, kind };
  };

/** The type of a kind's objects in expressions; undefined where it has no schema. */
export const typeFinder =
  (definitions: Definitions) =>
  ({ group, version, kind }: GroupVersionKind): DeclaredType | undefined => {
    const builtIn = builtInResources.find((one) => one.group === group && one.version === version && one.kind === kind);
    if (builtIn) return nodeToType(builtInTypes.get(builtIn.schema));
    const definition = definitions().find(({ spec }) => spec.group === group && spec.names.kind === kind);
    const served = definition?.spec.versions.find(({ name }) => name === version);
    const schema = served?.schema?.openAPIV3Schema;
    return schema && schemaToType(readStructural(schema as Record<string, unknown>), { isResourceRoot: true });
  };
