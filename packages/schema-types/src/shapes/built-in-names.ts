import type { JSONSchemaProps } from "@coxswain/api/apiextensions/v1";
import type { SchemaNode, TypeRegistry } from "@coxswain/apimachinery/schema";

const quantityPattern =
  "^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$";
const intOrString: JSONSchemaProps = {
  anyOf: [{ type: "integer" }, { type: "string" }],
  "x-kubernetes-int-or-string": true,
};

/** What an object of any kind is, where it stands inside another: it is checked for its kind and metadata, and kept whole. */
export const embeddedObject: JSONSchemaProps = {
  type: "object",
  "x-kubernetes-embedded-resource": true,
  "x-kubernetes-preserve-unknown-fields": true,
};

/** Types with a schema of their own, exported by `@coxswain/api` and `@coxswain/schema-types`; schemas as controller-gen has them. */
export const scalarSchemas: Readonly<Record<string, JSONSchemaProps>> = {
  Int32: { type: "integer", format: "int32" },
  Int64: { type: "integer", format: "int64" },
  Integer: { type: "integer" },
  Quantity: { ...intOrString, pattern: quantityPattern },
  IntOrString: intOrString,
  Time: { type: "string", format: "date-time" },
  MicroTime: { type: "string", format: "date-time" },
  Duration: { type: "string" },
  Base64: { type: "string", format: "byte" },
  JsonValue: { "x-kubernetes-preserve-unknown-fields": true },
  RawExtension: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
  ObjectMeta: { type: "object" },
  EmbeddedResource: embeddedObject,
};

/** Packages whose exported names are Kubernetes' own types. */
export function isBuiltInModule(module: string): boolean {
  return /^@coxswain\/(?:api|schema-types|operator|client|apimachinery)(?:\/|$)/.test(module);
}

const groupPrefixes: Readonly<Record<string, string>> = {
  meta: "io.k8s.apimachinery.pkg.apis.meta",
  apiextensions: "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions",
  apiregistration: "io.k8s.kube-aggregator.pkg.apis.apiregistration",
};

/** The type that `import type { Name } from "@coxswain/api/<group>/<version>"` names; undefined for names of texts. */
export function builtInType(types: TypeRegistry, module: string, name: string): SchemaNode | undefined {
  const path = /^@coxswain\/api\/(\w+)\/(v\w+)$/.exec(module);
  if (!path) return undefined;
  const prefix = groupPrefixes[path[1]!] ?? `io.k8s.api.${path[1]!}`;
  return types.find(`${prefix}.${path[2]!}.${name}`);
}
