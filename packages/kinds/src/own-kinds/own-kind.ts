import { builtInTypes } from "@coxswain/api/tables";
import { walk } from "@coxswain/apimachinery/json";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import type { SchemaNode } from "@coxswain/apimachinery/schema";
import { applyDefaults, openAPIName, typedNodeFromStructural } from "@coxswain/apimachinery/structural-schema";
import type { Steps } from "@coxswain/runtime/steps";
import { normalizeFieldPath } from "../apiextensions/custom-resource-definition/schema/default-validation.js";
import { customColumns } from "../custom-resources/columns.js";
import { scalePaths } from "../custom-resources/custom-kind.js";
import { become, membersOf } from "../custom-resources/custom-object.js";
import type { Sha256 } from "../custom-resources/resource-facts.js";
import { customSelectableFields } from "../custom-resources/selectable-fields.js";
import { CustomValidator } from "../custom-resources/validator.js";
import { VersionSchema } from "../custom-resources/version-schema.js";
import type { VersionSpec } from "../custom-resources/version-spec.js";
import { createdAtColumns } from "../definition/created-at-columns.js";
import type { KindDefinition, KindVersion } from "../definition/kind-definition.js";
import type { RuleCompiler } from "../validation-rules/rule-compiler.js";
import { compileRulesInSteps } from "../validation-rules/rule-tree.js";
import type { ApiKind, ApiVersion } from "./api-kind.js";
import { type DeclaredKind, definitionOf, hubOf } from "./definition-of.js";
import { ownFacts } from "./own-facts.js";
import { ownStatusView, ownStrategy } from "./own-strategy.js";

export interface OwnKindDeps {
  readonly sha256: Sha256;
  /** @default rules in CEL are not run */
  readonly ruleCompiler?: RuleCompiler | undefined;
}

/** A kind, ready to be served. */
export interface OwnResource {
  readonly hub: KindDefinition<KubernetesObject>;
  /** Names of the versions that clients reach. */
  readonly served: readonly string[];
}

/** One version as read: its type, and what its schema adds to an object. */
type ReadVersion = Pick<KindVersion<KubernetesObject>, "group" | "version" | "facts" | "setDefaults" | "schema"> & {
  readonly read: VersionSchema;
  readonly spec: VersionSpec;
};

const objectMeta = (): SchemaNode => builtInTypes.get("io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta");

/**
 * A kind of somebody's own, as the server serves kinds: like a built-in one, with a compiled type, a hub and versions, where a
 * schema takes the place of Go's types and of hand-written validation. @throws Error where its declaration is wrong
 */
export function ownKind(group: string, kind: ApiKind, deps: OwnKindDeps): OwnResource {
  const declared = definitionOf(group, kind, deps.ruleCompiler);
  const { plural, listKind } = declared.definition.spec.names;
  const hubName = hubOf(kind);
  const versions = kind.versions.map((version, at) => readVersion(kind, declared, at, version, deps));
  const hub = versions.find(({ version }) => version === hubName)!;
  const validator = validatorOf(hub, kind, deps.ruleCompiler);
  const selectable = customSelectableFields(hub.spec);
  return {
    served: kind.versions.filter(({ served = true }) => served).map(({ name }) => name),
    hub: {
      group,
      version: hubName,
      kind: kind.kind,
      listKind: listKind!,
      resource: plural,
      namespaced: kind.scope === "Namespaced",
      types: builtInTypes,
      facts: hub.facts,
      storagePrefix: `${group}/${plural}`,
      setDefaults: hub.setDefaults!,
      normalizeStored: (object) => {
        become(object, walk(object, hub.schema) as object);
        hub.setDefaults!(object);
      },
      strategy: ownStrategy(kind, validator),
      views: kind.status ? { status: ownStatusView(kind, validator) } : {},
      ...(kind.scale && { scale: scalePaths(kind.scale) }),
      columns: kind.columns ? customColumns(kind.columns) : createdAtColumns,
      ...(selectable && { selectableFields: selectable }),
      versions: versions.filter((version) => version !== hub).map((version) => converted(kind, version, hub)),
      // Last, because a spread after it would read it.
      get schema() {
        return hub.schema;
      },
    },
  };
}

function readVersion(
  kind: ApiKind,
  declared: DeclaredKind,
  at: number,
  own: ApiVersion,
  { sha256 }: OwnKindDeps,
): ReadVersion {
  const { definition, schemas } = declared;
  const spec = definition.spec.versions[at]!;
  const resolved = schemas.get(own.name)!;
  const read = new VersionSchema(definition, spec, objectMeta());
  const { group, names } = definition.spec;
  const named = { group, version: own.name, kind: names.kind };
  let node: SchemaNode | undefined;
  return {
    group,
    version: own.name,
    facts: ownFacts(declared, spec, { kind, schema: own.schema, resolved, sha256 }),
    read,
    spec,
    setDefaults(object) {
      become(object, applyDefaults(membersOf(object), read.schema!));
      own.setDefaults?.(object);
    },
    get schema() {
      return (node ??= typedNodeFromStructural(read.schema!, {
        ...named,
        objectMeta: objectMeta(),
        nameOf: (part) => {
          const name = resolved.nameOf(part);
          return name === undefined ? undefined : openAPIName({ ...named, kind: name });
        },
      }));
    },
  };
}

/** Another version than the hub; what its functions return is brought into canonical form and given its version. */
function converted(kind: ApiKind, version: ReadVersion, hub: ReadVersion): KindVersion<KubernetesObject> {
  const { toHub, fromHub } = kind.versions.find(({ name }) => name === version.version)!;
  const { group } = version;
  const canonical = (object: object, of: ReadVersion): KubernetesObject =>
    walk({ ...object, kind: kind.kind, apiVersion: `${group}/${of.version}` }, of.schema) as KubernetesObject;
  return {
    group,
    version: version.version,
    facts: version.facts,
    setDefaults: version.setDefaults!,
    toHub: (object) => canonical(toHub!(object), hub),
    fromHub: (object) => canonical(fromHub!(object), version),
    get schema() {
      return version.schema;
    },
  };
}

/** Rules are compiled when the first object is met. */
function validatorOf(
  hub: ReadVersion,
  kind: ApiKind,
  compiler: RuleCompiler | undefined,
): () => Steps<CustomValidator> {
  let made: CustomValidator | undefined;
  return function* () {
    if (made) return made;
    const schema = hub.read.schema!;
    const rules = compiler && (yield* compileRulesInSteps(schema, compiler, { isResource: true, normalizeFieldPath }));
    return (made ??= new CustomValidator({
      group: hub.group,
      version: hub.version,
      kind: kind.kind,
      namespaced: kind.scope === "Namespaced",
      openAPIV3Schema: hub.spec.schema?.openAPIV3Schema,
      schema,
      rules,
      scale: kind.scale,
      objectMeta: objectMeta(),
    }));
  };
}
