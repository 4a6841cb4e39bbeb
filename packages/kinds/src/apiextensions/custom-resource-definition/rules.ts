import type { DeepReadonly } from "@coxswain/api";
import type { CustomResourceDefinitionSpec, SelectableField } from "@coxswain/api/apiextensions/v1";
import { fieldPath } from "@coxswain/apimachinery/field";
import { equalJson } from "@coxswain/apimachinery/json";
import { checkCaBundle } from "../../checks/ca-bundle.js";
import type { DefinitionRules } from "./definition-rules.js";
import { hoist, schemasOf } from "./hoisted-spec.js";
import { hasUnprunedDefaults } from "./schema/default-validation.js";
import { checkListKeys, hasLooseSet } from "./schema/list-validation.js";
import { hasSchema, schemaTypes } from "./schema/schema-walk.js";
import { isStructural } from "./schema/structural-validation.js";

type Spec = DeepReadonly<CustomResourceDefinitionSpec>;

export const mostSelectableFields = 8;
export const reviewVersions = ["v1", "v1beta1"];

export const rulesForNew: DefinitionRules = {
  knownReviewVersion: true,
  schemaInEveryVersion: true,
  validTypes: true,
  structural: true,
  prunedDefaults: true,
  atomicSets: true,
  listKeys: true,
  certificates: false,
  manyFields: new Set(),
};

/** `established`: whether the stored definition is in use. */
export function rulesForUpdate(next: Spec, old: Spec, established: boolean): DefinitionRules {
  const schemas = schemasOf(old);
  const has = (test: Parameters<typeof hasSchema>[1]): boolean => schemas.some((schema) => hasSchema(schema, test));
  const versions = old.conversion?.webhook?.conversionReviewVersions ?? [];
  return {
    knownReviewVersion: versions.length === 0 || versions.some((version) => reviewVersions.includes(version)),
    schemaInEveryVersion: (old.versions ?? []).every(({ schema }) => schema?.openAPIV3Schema),
    validTypes: !has(({ type }) => type !== undefined && type !== "" && !schemaTypes.includes(type)),
    structural: schemas.every(isStructural),
    prunedDefaults: !schemas.some(hasUnprunedDefaults),
    atomicSets: !has(hasLooseSet),
    listKeys: !has((schema) => checkListKeys(schema, fieldPath("")).length > 0),
    certificates: established && !hasBadCertificates(old),
    manyFields: manyFieldsAllowed(next, old),
  };
}

function hasBadCertificates({ conversion }: Spec): boolean {
  const bundle = conversion?.webhook?.clientConfig?.caBundle;
  return bundle !== undefined && bundle !== "" && checkCaBundle(bundle, fieldPath("caBundle")).length > 0;
}

function manyFieldsAllowed(next: Spec, old: Spec): Set<string> {
  const [after, before] = [hoist(next), hoist(old)];
  const oldFields = new Map<string, readonly DeepReadonly<SelectableField>[]>([
    ["", before.common.selectableFields ?? []],
    ...before.versions.map(({ name, selectableFields }) => [name, selectableFields ?? []] as const),
  ]);
  return new Set(
    [{ ...after.common, name: "" }, ...after.versions].flatMap(({ name, selectableFields }) => {
      const stored = oldFields.get(name) ?? [];
      return stored.length > mostSelectableFields && equalJson(selectableFields, stored) ? [name] : [];
    }),
  );
}
