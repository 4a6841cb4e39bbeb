import type { DeepReadonly } from "@coxswain/api";
import type { CustomResourceDefinitionSpec, SelectableField } from "@coxswain/api/apiextensions/v1";
import { fieldPath } from "@coxswain/apimachinery/field";
import { equalJson } from "@coxswain/apimachinery/json";
import type { Steps } from "@coxswain/runtime/steps";
import { checkCaBundle } from "../../checks/ca-bundle.js";
import type { RuleCompiler } from "../../validation-rules/rule-compiler.js";
import type { DefinitionRules, ExpressionRules } from "./definition-rules.js";
import { hoist, schemasOf } from "./hoisted-spec.js";
import { hasUnprunedDefaults } from "./schema/default-validation.js";
import { checkListKeys, hasLooseSet } from "./schema/list-validation.js";
import { hasSchema, schemaTypes } from "./schema/schema-walk.js";
import { isStructuralInSteps } from "./schema/structural-validation.js";

type Spec = DeepReadonly<CustomResourceDefinitionSpec>;

export const mostSelectableFields = 8;
export const reviewVersions = ["v1", "v1beta1"];

export const rulesForNew = (compiler: RuleCompiler | undefined): DefinitionRules => ({
  knownReviewVersion: true,
  schemaInEveryVersion: true,
  validTypes: true,
  structural: true,
  prunedDefaults: true,
  atomicSets: true,
  listKeys: true,
  certificates: false,
  manyFields: new Set(),
  sameSchemas: new Set(),
  expressions: compiler && {
    compiler,
    stored: { rule: new Set(), messageExpression: new Set() },
    anyCost: false,
  },
});

/** `established`: whether the stored definition is in use. */
export function* rulesForUpdate(
  next: Spec,
  old: Spec,
  { established, compiler }: { readonly established: boolean; readonly compiler: RuleCompiler | undefined },
): Steps<DefinitionRules> {
  const schemas = schemasOf(old);
  const has = (test: Parameters<typeof hasSchema>[1]): boolean => schemas.some((schema) => hasSchema(schema, test));
  const versions = old.conversion?.webhook?.conversionReviewVersions ?? [];
  let structural = true;
  for (const schema of schemas) structural &&= yield* isStructuralInSteps(schema);
  return {
    knownReviewVersion: versions.length === 0 || versions.some((version) => reviewVersions.includes(version)),
    schemaInEveryVersion: (old.versions ?? []).every(({ schema }) => schema?.openAPIV3Schema),
    validTypes: !has(({ type }) => type !== undefined && type !== "" && !schemaTypes.includes(type)),
    structural,
    prunedDefaults: !schemas.some(hasUnprunedDefaults),
    atomicSets: !has(hasLooseSet),
    listKeys: !has((schema) => checkListKeys(schema, fieldPath("")).length > 0),
    certificates: established && !hasBadCertificates(old),
    manyFields: manyFieldsAllowed(next, old),
    sameSchemas: sameSchemas(next, old),
    expressions: compiler && { compiler, stored: expressionsOf(old), anyCost: false },
  };
}

/** The rules for the schema of a version. */
export const rulesForVersion = (rules: DefinitionRules, version: string | undefined): DefinitionRules =>
  rules.expressions && version !== undefined && rules.sameSchemas.has(version)
    ? { ...rules, expressions: { ...rules.expressions, anyCost: true } }
    : rules;

function expressionsOf(spec: Spec): ExpressionRules["stored"] {
  const stored = { rule: new Set<string>(), messageExpression: new Set<string>() };
  for (const schema of schemasOf(spec))
    hasSchema(schema, (one) => {
      for (const { rule, messageExpression } of one["x-kubernetes-validations"] ?? []) {
        stored.rule.add(rule);
        if (messageExpression) stored.messageExpression.add(messageExpression);
      }
      return false;
    });
  return stored;
}

/** A schema that all versions share counts as that of any version, stored or not. */
function sameSchemas(next: Spec, old: Spec): Set<string> {
  const before = hoist(old);
  const perVersion = new Map(before.versions.map(({ name, schema }) => [name, schema]));
  const isShared = [...perVersion.values()].every((schema) => schema === undefined);
  return new Set(
    (next.versions ?? [])
      .filter(({ name, schema }) => {
        if (!isShared && !perVersion.has(name)) return false;
        return equalJson(schema, isShared ? before.common.schema : perVersion.get(name));
      })
      .map(({ name }) => name),
  );
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
