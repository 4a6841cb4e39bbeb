import { isConditionTrue } from "../apiextensions/custom-resource-definition/conditions.js";
import { hasSchema, type Schema, schemaTypes } from "../apiextensions/custom-resource-definition/schema/schema-walk.js";
import { isStructural } from "../apiextensions/custom-resource-definition/schema/structural-validation.js";
import type { ResourceFacts } from "../definition/resource-facts.js";
import { deprecationOf } from "./deprecation.js";
import type { Definition, VersionSpec } from "./version-spec.js";

/** SHA-256 of a text's UTF-8 bytes: the host's, so that this package needs none. */
export type Sha256 = (text: string) => Uint8Array;

const allVerbs = ["delete", "deletecollection", "get", "list", "patch", "create", "update", "watch"];
/** While the definition goes away, objects only leave. */
const terminatingVerbs = ["delete", "deletecollection", "get", "list", "watch"];
const viewVerbs = ["get", "patch", "update"];

/** How discovery describes a version of a custom resource. */
export function customResourceFacts(definition: Definition, version: VersionSpec, sha256: Sha256): ResourceFacts {
  const { spec, status } = definition;
  const names = status?.acceptedNames;
  const kind = { group: spec.group, version: version.name, kind: names?.kind ?? "" };
  const deprecation = deprecationOf(definition, version);
  const schema = version.schema?.openAPIV3Schema;
  const { subresources, selectableFields = [] } = version;
  return {
    singular: names?.singular ?? "",
    shortNames: names?.shortNames ?? [],
    categories: names?.categories ?? [],
    verbs: isConditionTrue(definition, "Terminating") ? terminatingVerbs : allVerbs,
    subresources: [
      ...(subresources?.status ? [{ name: "status", kind, verbs: viewVerbs }] : []),
      ...(subresources?.scale
        ? [{ name: "scale", kind: { group: "autoscaling", version: "v1", kind: "Scale" }, verbs: viewVerbs }]
        : []),
    ],
    hash: storageVersionHash(definition, sha256),
    ...(deprecation && { deprecation }),
    custom: {
      ...(spec.preserveUnknownFields && { preservesUnknown: true }),
      ...(selectableFields.length > 0 && { selectableFields: selectableFields.map(({ jsonPath }) => jsonPath) }),
      // Looked through only when a document is made.
      get openAPIV3Schema() {
        return schema && isPublished(schema) ? (schema as Readonly<Record<string, unknown>>) : undefined;
      },
    },
  };
}

/** Readers of OpenAPI rely on a schema, so only one that types every value is published. */
const isPublished = (schema: Schema): boolean =>
  isStructural(schema) &&
  !hasSchema(schema, ({ type }) => type !== undefined && type !== "" && !schemaTypes.includes(type));

const hashBytes = 8;

/** Shows clients when objects are stored in another version. A version that is stored but not served has none. */
function storageVersionHash({ spec }: Definition, sha256: Sha256): string {
  const stored = (spec.versions ?? []).find(({ storage, served }) => storage && served);
  if (!stored) return "";
  const bytes = sha256(`${spec.group}/${stored.name}/${spec.names.kind}`).subarray(0, hashBytes);
  return btoa(String.fromCharCode(...bytes));
}
