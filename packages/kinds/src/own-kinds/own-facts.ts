import { getOwn } from "@coxswain/apimachinery/own";
import { type JsonObject, openAPIName } from "@coxswain/apimachinery/structural-schema";
import { customResourceFacts, type Sha256 } from "../custom-resources/resource-facts.js";
import type { VersionSpec } from "../custom-resources/version-spec.js";
import type { ResourceFacts } from "../definition/resource-facts.js";
import type { ApiKind, ApiSchema } from "./api-kind.js";
import type { DeclaredKind } from "./definition-of.js";
import { eachSchema, type ResolvedSchema } from "./resolve-schema.js";

/** In discovery's order, as of upstream's built-in resources. */
const verbs = ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"];

/** What discovery and the documents describe of one version. */
export function ownFacts(
  { definition }: DeclaredKind,
  version: VersionSpec,
  sources: {
    readonly kind: Pick<ApiKind, "subresources" | "verbs">;
    readonly schema: ApiSchema;
    readonly resolved: ResolvedSchema;
    readonly sha256: Sha256;
  },
): ResourceFacts {
  const { custom, ...facts } = customResourceFacts(definition, version, sources.sha256);
  const { group, names } = definition.spec;
  const nameOf = (kind: string): string => openAPIName({ group, version: version.name, kind });
  const { $defs: _, ...root } = sources.schema;
  return {
    ...facts,
    verbs: verbs.filter((verb) => sources.kind.verbs?.includes(verb) ?? true),
    subresources: [
      ...facts.subresources,
      ...Object.entries(sources.kind.subresources ?? {}).map(([name, { kind, verbs: possible }]) => ({
        name,
        kind: kind ?? { group, version: version.name, kind: names.kind },
        verbs: possible,
      })),
    ],
    own: {
      schemas: new Map([
        [nameOf(names.kind), withNames(root, nameOf)],
        ...[...sources.resolved.parts].map(([name, part]): [string, JsonObject] => [
          nameOf(name),
          withNames(part, nameOf),
        ]),
      ]),
      ...(custom?.selectableFields && { selectableFields: custom.selectableFields }),
    },
  };
}

/** References by the names that documents have. */
function withNames(schema: JsonObject, nameOf: (name: string) => string): JsonObject {
  const change = (inner: unknown): unknown => {
    if (typeof inner !== "object" || inner === null) return inner;
    const reference = getOwn<unknown>(inner as JsonObject, "$ref");
    return typeof reference === "string"
      ? { ...inner, $ref: nameOf(reference.slice(reference.lastIndexOf("/") + 1)) }
      : eachSchema(inner as JsonObject, change);
  };
  return eachSchema(schema, change);
}
