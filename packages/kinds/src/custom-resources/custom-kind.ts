import { builtInTypes } from "@coxswain/api/tables";
import { walk } from "@coxswain/apimachinery/json";
import type { TypeRegistry } from "@coxswain/apimachinery/schema";
import { applyDefaults, type JsonObject } from "@coxswain/apimachinery/structural-schema";
import type { Steps } from "@coxswain/runtime/steps";
import { normalizeFieldPath } from "../apiextensions/custom-resource-definition/schema/default-validation.js";
import type { KindDefinition } from "../definition/kind-definition.js";
import type { StoredForm } from "../definition/stored-form.js";
import type { RuleCompiler } from "../validation-rules/rule-compiler.js";
import { compileRulesInSteps } from "../validation-rules/rule-tree.js";
import { customColumns } from "./columns.js";
import { become, type CustomObject, membersOf } from "./custom-object.js";
import { splitPath } from "./nested-value.js";
import { normalize, normalizeStored } from "./normalize.js";
import { customResourceFacts, type Sha256 } from "./resource-facts.js";
import { applyNode, bodyNode, openNode } from "./schema-nodes.js";
import { customSelectableFields } from "./selectable-fields.js";
import { customStatusView, customStrategy } from "./strategy.js";
import { CustomValidator } from "./validator.js";
import { VersionSchema } from "./version-schema.js";
import type { Definition, ScaleSubresource, VersionSpec } from "./version-spec.js";

export interface CustomKindDeps {
  readonly sha256: Sha256;
  /** @default rules in CEL are not run */
  readonly ruleCompiler?: RuleCompiler;
  /** The tables that ObjectMeta is of. @default Kubernetes' own */
  readonly types?: TypeRegistry;
  /** How the objects are stored. @default in the version's own form */
  readonly storedForm?: StoredForm;
}

/**
 * One version of a custom resource, as the server serves kinds. Names are those that were accepted.
 * Its schema is read, and its rules compiled, when the first object is met: a cluster has many definitions of which few are
 * used.
 */
export function customKind(
  definition: Definition,
  version: VersionSpec,
  { sha256, ruleCompiler, types = builtInTypes, storedForm }: CustomKindDeps,
): KindDefinition<CustomObject> {
  const { spec, status } = definition;
  const { plural = "", kind = "", listKind = "" } = status?.acceptedNames ?? {};
  const named = { group: spec.group, version: version.name, kind };
  const namespaced = spec.scope === "Namespaced";
  const { scale, status: statusView } = version.subresources ?? {};
  const objectMeta = types.get("io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta");
  const selectableFields = customSelectableFields(version);

  const read = new VersionSchema(definition, version, objectMeta);
  const nodeOf = once(() => openNode(named, objectMeta));
  /** Go writes the members of custom resources sorted, and these objects are encoded as they are. */
  const inOrder = (object: JsonObject): object => walk(object, nodeOf()) as object;
  const applyNodeOf = once(() => applyNode(read.schema, named, objectMeta));
  const bodyNodeOf = once(() => bodyNode(named));
  const columnsOf = once(() => customColumns(version.additionalPrinterColumns));
  let validator: CustomValidator | undefined;
  /** Requests that come while its rules are being compiled compile them, too: those that come first win. */
  function* validatorOf(): Steps<CustomValidator> {
    if (validator) return validator;
    const { schema } = read;
    const rules =
      schema && ruleCompiler
        ? yield* compileRulesInSteps(schema, ruleCompiler, { isResource: true, normalizeFieldPath })
        : undefined;
    return (validator ??= new CustomValidator({
      ...named,
      namespaced,
      openAPIV3Schema: version.schema?.openAPIV3Schema,
      schema,
      rules,
      scale,
      objectMeta,
    }));
  }

  return {
    ...named,
    listKind,
    resource: plural,
    namespaced,
    types,
    facts: customResourceFacts(definition, version, sha256),
    storagePrefix: `${spec.group}/${plural}`,
    ...(storedForm && { storedForm }),
    prepare: () => read.prepare(),
    normalizeSent(object, { keepsNulls = false } = {}) {
      const normalized = normalize(membersOf(object), { ...read.form(), keepsNulls });
      become(object, normalized.object);
      return normalized.unknown;
    },
    setDefaults(object) {
      const { schema } = read;
      if (schema) become(object, applyDefaults(membersOf(object), schema));
    },
    normalizeStored: (object) => become(object, inOrder(normalizeStored(membersOf(object), read.form()))),
    normalizeConverted: (object) => become(object, inOrder(normalize(membersOf(object), read.form()).object)),
    strategy: customStrategy(validatorOf, statusView !== undefined),
    views: statusView ? { status: customStatusView(validatorOf) } : {},
    ...(scale && { scale: scalePaths(scale) }),
    ...(selectableFields && { selectableFields }),
    // Last, because a spread after them would read them.
    get schema() {
      return nodeOf();
    },
    get applySchema() {
      return applyNodeOf();
    },
    get bodySchema() {
      return bodyNodeOf();
    },
    get columns() {
      return columnsOf();
    },
  };
}

/** Calls `make` at the first use only. */
function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

export const scalePaths = ({ specReplicasPath, statusReplicasPath, labelSelectorPath }: ScaleSubresource) => ({
  specReplicas: splitPath(specReplicasPath),
  statusReplicas: splitPath(statusReplicasPath),
  ...(labelSelectorPath !== undefined && { labelSelector: splitPath(labelSelectorPath) }),
});
