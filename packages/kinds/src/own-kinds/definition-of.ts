import type { CustomResourceDefinitionVersion, JSONSchemaProps } from "@coxswain/api/apiextensions/v1";
import { fieldErrorsText } from "@coxswain/apimachinery/field";
import { guessResource } from "@coxswain/apimachinery/rest-mapper";
import { runAtOnce } from "@coxswain/runtime/steps";
import type { StoredCustomResourceDefinition } from "../apiextensions/custom-resource-definition/stored.js";
import { checkCustomResourceDefinition } from "../apiextensions/custom-resource-definition/validation.js";
import type { RuleCompiler } from "../validation-rules/rule-compiler.js";
import type { ApiKind, ApiVersion } from "./api-kind.js";
import { type ResolvedSchema, resolveSchema } from "./resolve-schema.js";

/** A kind as a CustomResourceDefinition would declare it, with the schemas of its versions by name. */
export interface DeclaredKind {
  readonly definition: StoredCustomResourceDefinition;
  readonly schemas: ReadonlyMap<string, ResolvedSchema>;
}

/**
 * Declares a kind in the words of CustomResourceDefinitions, and checks it as the server checks those: names, schemas, defaults, rules.
 * @throws Error that names the kind and everything that is wrong with it
 */
export function definitionOf(group: string, kind: ApiKind, compiler: RuleCompiler | undefined): DeclaredKind {
  const hub = hubOf(kind);
  const schemas = new Map(kind.versions.map(({ name, schema }) => [name, inKind(kind, () => resolveSchema(schema))]));
  const {
    plural = guessResource(kind.kind).resource,
    singular = kind.kind.toLowerCase(),
    columns,
    selectableFields,
  } = kind;
  const { shortNames = [], categories = [] } = kind;
  const names = {
    plural,
    singular,
    kind: kind.kind,
    listKind: `${kind.kind}List`,
    ...(shortNames.length > 0 && { shortNames: [...shortNames] }),
    ...(categories.length > 0 && { categories: [...categories] }),
  };
  const versionOf = (version: ApiVersion): CustomResourceDefinitionVersion => ({
    name: version.name,
    served: version.served ?? true,
    storage: version.name === hub,
    ...deprecationOf(version),
    schema: { openAPIV3Schema: schemas.get(version.name)?.schema as JSONSchemaProps },
    ...((kind.status || kind.scale) && {
      subresources: { ...(kind.status && { status: {} }), ...(kind.scale && { scale: { ...kind.scale } }) },
    }),
    ...(version.name === hub && columns && { additionalPrinterColumns: columns.map((column) => ({ ...column })) }),
    ...(version.name === hub &&
      selectableFields && { selectableFields: selectableFields.map((jsonPath) => ({ jsonPath })) }),
  });
  const definition: StoredCustomResourceDefinition = {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: {
      name: `${plural}.${group}`,
      // Groups of Kubernetes' own domain are for aggregated servers, too.
      annotations: { "api-approved.kubernetes.io": "unapproved, served by an API server of its own" },
    },
    spec: { group, names, scope: kind.scope, versions: kind.versions.map(versionOf), conversion: { strategy: "None" } },
    status: { acceptedNames: names, storedVersions: [hub] },
  };
  const problem = fieldErrorsText(runAtOnce(checkCustomResourceDefinition(definition, compiler)));
  if (problem !== undefined) throw new Error(`the kind ${kind.kind}: ${problem}`);
  return { definition, schemas };
}

/** The hub's name. Throws where it is not clear which it is, or a version cannot be converted. */
export function hubOf({
  kind,
  versions,
  hub = versions.length === 1 ? versions[0]?.name : undefined,
}: ApiKind): string {
  if (hub === undefined)
    throw new Error(`the kind ${kind} has ${versions.length} versions: "hub" names the one that is stored`);
  if (!versions.some(({ name }) => name === hub)) throw new Error(`the kind ${kind} has no version ${hub}, its hub`);
  for (const { name, toHub, fromHub } of versions)
    if (name !== hub && !(toHub && fromHub))
      throw new Error(`the kind ${kind} needs toHub and fromHub in version ${name}: objects are stored in ${hub}`);
  return hub;
}

const deprecationOf = ({ deprecated = false }: ApiVersion): Partial<CustomResourceDefinitionVersion> =>
  deprecated === false
    ? {}
    : { deprecated: true, ...(typeof deprecated === "string" && { deprecationWarning: deprecated }) };

function inKind<T>({ kind }: ApiKind, make: () => T): T {
  try {
    return make();
  } catch (err) {
    throw new Error(`the kind ${kind}: ${(err as Error).message}`, { cause: err });
  }
}
