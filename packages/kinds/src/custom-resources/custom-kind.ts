import { builtInTypes } from "@coxswain/api/tables";
import type { SchemaNode } from "@coxswain/apimachinery/schema";
import {
  applyDefaults,
  pruneDefaults,
  readStructural,
  type Structural,
} from "@coxswain/apimachinery/structural-schema";
import { structuralProblem } from "../apiextensions/custom-resource-definition/schema/structural-problem.js";
import type { Schema } from "../apiextensions/custom-resource-definition/schema/schema-walk.js";
import { normalizeFieldPath } from "../apiextensions/custom-resource-definition/schema/default-validation.js";
import type { KindDefinition } from "../kind-definition.js";
import type { StoredForm } from "../stored-form.js";
import type { RuleCompiler } from "../validation-rules/rule-compiler.js";
import { compileRules } from "../validation-rules/rule-tree.js";
import { customColumns } from "./columns.js";
import { become, type CustomObject, membersOf } from "./custom-object.js";
import { splitPath } from "./nested-value.js";
import { normalize, normalizeStored } from "./normalize.js";
import { customResourceFacts, type Sha256 } from "./resource-facts.js";
import { applyNode, bodyNode, openNode } from "./schema-nodes.js";
import { customSelectableFields } from "./selectable-fields.js";
import { customStatusView, customStrategy } from "./strategy.js";
import { CustomValidator } from "./validator.js";
import type { Definition, ScaleSubresource, VersionSpec } from "./version-spec.js";

export interface CustomKindDeps {
  readonly sha256: Sha256;
  /** @default rules in CEL are not run */
  readonly ruleCompiler?: RuleCompiler;
  /** How the objects are stored. @default in the version's own form */
  readonly storedForm?: StoredForm;
}

/** One version of a custom resource, as the server serves kinds. Names are those that were accepted. */
export function customKind(
  definition: Definition,
  version: VersionSpec,
  { sha256, ruleCompiler, storedForm }: CustomKindDeps,
): KindDefinition<CustomObject> {
  const { spec, status } = definition;
  const { plural = "", kind = "", listKind = "" } = status?.acceptedNames ?? {};
  const named = { group: spec.group, version: version.name, kind };
  const objectMeta = builtInTypes.get("io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta");
  const openAPIV3Schema = version.schema?.openAPIV3Schema;
  const keepsUnknown = spec.preserveUnknownFields === true;
  const schema = readSchema(openAPIV3Schema, keepsUnknown, objectMeta);
  const form = { schema, keepsUnknown, objectMeta };
  const namespaced = spec.scope === "Namespaced";
  const { scale, status: hasStatus } = version.subresources ?? {};
  const rules = schema && ruleCompiler && compileRules(schema, ruleCompiler, { isResource: true, normalizeFieldPath });
  const validator = new CustomValidator({ ...named, namespaced, openAPIV3Schema, schema, rules, scale, objectMeta });
  const selectableFields = customSelectableFields(version);
  return {
    ...named,
    listKind,
    resource: plural,
    namespaced,
    schema: openNode(named, objectMeta),
    applySchema: applyNode(schema, named, objectMeta),
    bodySchema: bodyNode(named),
    facts: customResourceFacts(definition, version, sha256),
    storagePrefix: `${spec.group}/${plural}`,
    ...(storedForm && { storedForm }),
    normalizeSent(object) {
      const normalized = normalize(membersOf(object), form);
      become(object, normalized.object);
      return normalized.unknown;
    },
    setDefaults(object) {
      if (schema) become(object, applyDefaults(membersOf(object), schema));
    },
    normalizeStored: (object) => become(object, normalizeStored(membersOf(object), form)),
    normalizeConverted: (object) => become(object, normalize(membersOf(object), form).object),
    strategy: customStrategy(validator, hasStatus !== undefined),
    views: hasStatus ? { status: customStatusView(validator) } : {},
    ...(scale && { scale: scalePaths(scale) }),
    columns: customColumns(version.additionalPrinterColumns),
    ...(selectableFields && { selectableFields }),
  };
}

/** Defaults are pruned once, so that setting them brings nothing unknown in. */
function readSchema(source: Schema | undefined, keepsUnknown: boolean, objectMeta: SchemaNode): Structural | undefined {
  if (source === undefined || structuralProblem(source) !== undefined) return undefined;
  const schema = readStructural(source);
  return keepsUnknown ? schema : pruneDefaults(schema, { objectMeta });
}

const scalePaths = ({ specReplicasPath, statusReplicasPath, labelSelectorPath }: ScaleSubresource) => ({
  specReplicas: splitPath(specReplicasPath),
  statusReplicas: splitPath(statusReplicasPath),
  ...(labelSelectorPath !== undefined && { labelSelector: splitPath(labelSelectorPath) }),
});
