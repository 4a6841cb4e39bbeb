import type { DeepReadonly } from "@coxswain/api";
import type { CustomResourceDefinitionSpec, SelectableField } from "@coxswain/api/apiextensions/v1";
import { fieldPath } from "@coxswain/apimachinery/field";
import { equalJson } from "@coxswain/apimachinery/json";
import { checkCaBundle } from "../../checks/ca-bundle.js";
import { hoist, schemasOf } from "./hoisted-spec.js";
import { hasUnprunedDefaults } from "./schema/default-validation.js";
import { checkListKeys, hasLooseSet } from "./schema/list-validation.js";
import { hasSchema, schemaTypes } from "./schema/schema-walk.js";
import { isStructural } from "./schema/structural-validation.js";

type Spec = DeepReadonly<CustomResourceDefinitionSpec>;

/** Rules that came later: an update keeps to them only where the stored definition does. */
export interface Rules {
  readonly knownReviewVersion: boolean;
  readonly schemaInEveryVersion: boolean;
  readonly validTypes: boolean;
  readonly structural: boolean;
  readonly prunedDefaults: boolean;
  readonly atomicSets: boolean;
  readonly listKeys: boolean;
  /** Whether the certificates of a conversion webhook must be some. A definition that nobody uses yet may have others. */
  readonly certificates: boolean;
  /** Versions ("" for what they have in common) that may select by more fields than is allowed today. */
  readonly manyFields: ReadonlySet<string>;
}

export const mostSelectableFields = 8;
export const reviewVersions = ["v1", "v1beta1"];

export const rulesForNew: Rules = {
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
export function rulesForUpdate(next: Spec, old: Spec, established: boolean): Rules {
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
