import type { JSONSchemaProps } from "@coxswain/api/apiextensions/v1";
import { countGeneration, keep } from "../../definition/keep.js";
import type { Strategy, UpdateStrategy } from "../../definition/strategy.js";
import { hasEmbeddedDefaults, withCanonicalDefaults } from "./schema/canonical-defaults.js";
import { unknownFormats } from "./schema/formats.js";
import type { StoredCustomResourceDefinition } from "./stored.js";
import { beginTermination } from "./termination.js";
import {
  checkCustomResourceDefinition,
  checkCustomResourceDefinitionStatus,
  checkCustomResourceDefinitionUpdate,
} from "./validation.js";

const formatWarning = (format: string): string => `unrecognized format ${JSON.stringify(format)}`;

export const customResourceDefinitionStrategy: Strategy<StoredCustomResourceDefinition> = {
  resetFields: [["status"]],
  prepareForCreate(definition) {
    definition.status = {};
    definition.metadata.generation = 1;
    addStoredVersion(definition);
    canonicalizeDefaults(definition);
  },
  validateCreate: (definition, { ruleCompiler }) => checkCustomResourceDefinition(definition, ruleCompiler),
  warningsOnCreate: ({ spec }) => unknownFormats(spec).map(formatWarning),
  prepareForUpdate(definition, old) {
    keep(definition, old, "status");
    countGeneration(definition, old, "spec");
    addStoredVersion(definition);
    canonicalizeDefaults(definition);
  },
  validateUpdate: (definition, old, { ruleCompiler }) =>
    checkCustomResourceDefinitionUpdate(definition, old, ruleCompiler),
  warningsOnUpdate({ spec }, old) {
    const known = new Set(unknownFormats(old.spec));
    return unknownFormats(spec)
      .filter((format) => !known.has(format))
      .map(formatWarning);
  },
  allowUnconditionalUpdate: false,
  beginDeletion: (definition, _options, { now }) => beginTermination(definition, now),
};

/** Objects may be stored in this version from now on. */
function addStoredVersion(definition: StoredCustomResourceDefinition): void {
  const version = (definition.spec.versions ?? []).find(({ storage }) => storage);
  const stored = definition.status.storedVersions ?? [];
  if (version && !stored.includes(version.name))
    definition.status = { ...definition.status, storedVersions: [...stored, version.name] };
}

/** Upstream does so while it validates, so that a generation is not counted for it. */
function canonicalizeDefaults(definition: StoredCustomResourceDefinition): void {
  const { versions } = definition.spec;
  if (!versions?.some(({ schema }) => hasEmbeddedDefaults(schema?.openAPIV3Schema))) return;
  const canonical = (schema: JSONSchemaProps): JSONSchemaProps =>
    hasEmbeddedDefaults(schema) ? withCanonicalDefaults(schema, { isResource: true }) : schema;
  definition.spec = {
    ...definition.spec,
    versions: versions.map((version) =>
      version.schema?.openAPIV3Schema
        ? { ...version, schema: { ...version.schema, openAPIV3Schema: canonical(version.schema.openAPIV3Schema) } }
        : version,
    ),
  };
}

export const customResourceDefinitionStatusStrategy: UpdateStrategy<StoredCustomResourceDefinition> = {
  resetFields: [["spec"]],
  prepareForUpdate: (definition, old) => keep(definition, old, "spec"),
  validateUpdate: checkCustomResourceDefinitionStatus,
};
