import type { DeepReadonly } from "@coxswain/api";
import type { CustomResourceDefinitionVersion } from "@coxswain/api/apiextensions/v1";
import { type FieldError, type FieldPath, fieldPath, invalid, required } from "@coxswain/apimachinery/field";
import { nameIsDnsSubdomain } from "@coxswain/apimachinery/validation";
import type { Steps } from "@coxswain/runtime/steps";
import { checkImmutable } from "../../checks/immutable.js";
import { checkPlainMeta, checkPlainMetaUpdate } from "../../checks/object-meta.js";
import { repeatedPositions } from "../../checks/repeated-positions.js";
import type { RuleCompiler } from "../../validation-rules/rule-compiler.js";
import { approvalAnnotation, approvalOf, isProtectedGroup } from "./approval.js";
import { isConditionTrue } from "./conditions.js";
import { checkNames } from "./names-validation.js";
import { rulesForNew, rulesForUpdate } from "./rules.js";
import { checkSpec } from "./spec-validation.js";
import type { StoredCustomResourceDefinition } from "./stored.js";

type Definition = DeepReadonly<StoredCustomResourceDefinition>;

const specPath = fieldPath("spec");
const statusPath = fieldPath("status");

/** Rules in CEL are only checked where there is a `compiler`. */
export function* checkCustomResourceDefinition(definition: Definition, compiler?: RuleCompiler): Steps<FieldError[]> {
  const { names, group } = definition.spec;
  const wanted = `${names.plural}.${group}`;
  const checkName = (name: string, prefix?: boolean) => [
    ...nameIsDnsSubdomain(name, prefix),
    ...(name === wanted ? [] : ['must be spec.names.plural+"."+spec.group']),
  ];
  return [
    ...checkPlainMeta(definition.metadata, { namespaced: false, checkName }),
    ...(yield* checkSpec(definition.spec, rulesForNew(compiler))),
    ...checkRest(definition),
  ];
}

export function* checkCustomResourceDefinitionUpdate(
  next: Definition,
  old: Definition,
  compiler?: RuleCompiler,
): Steps<FieldError[]> {
  const established = isConditionTrue(old, "Established");
  const rules = yield* rulesForUpdate(next.spec, old.spec, { established, compiler });
  return [
    ...checkPlainMetaUpdate(next.metadata, old.metadata),
    ...(yield* checkSpec(next.spec, rules)),
    ...(established
      ? [
          ...checkImmutable(next.spec.scope, old.spec.scope, specPath.child("scope")),
          ...checkImmutable(next.spec.names.kind, old.spec.names.kind, specPath.child("names", "kind")),
        ]
      : []),
    ...checkImmutable(next.spec.group, old.spec.group, specPath.child("group")),
    ...checkImmutable(next.spec.names.plural, old.spec.names.plural, specPath.child("names", "plural")),
    ...checkRest(next, old),
  ];
}

export const checkCustomResourceDefinitionStatus = (
  { metadata, status }: Definition,
  old: Definition,
): FieldError[] => [...checkPlainMetaUpdate(metadata, old.metadata), ...checkStatus(status)];

const checkStatus = ({ acceptedNames }: Definition["status"]): FieldError[] =>
  acceptedNames ? checkNames(acceptedNames, statusPath.child("acceptedNames")) : [];

const checkRest = (definition: Definition, old?: Definition): FieldError[] => [
  ...checkStatus(definition.status),
  ...checkStoredVersions(
    definition.status.storedVersions ?? [],
    definition.spec.versions ?? [],
    statusPath.child("storedVersions"),
  ),
  ...checkApproval(definition, old),
  ...(definition.spec.preserveUnknownFields && !old?.spec.preserveUnknownFields
    ? [
        invalid(
          specPath.child("preserveUnknownFields"),
          true,
          "cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead",
        ),
      ]
    : []),
];

/** A version cannot go while objects may be stored in it. */
function checkStoredVersions(
  stored: readonly string[],
  versions: readonly DeepReadonly<CustomResourceDefinitionVersion>[],
  path: FieldPath,
): FieldError[] {
  if (stored.length === 0) return [invalid(path, null, "must have at least one stored version")];
  const names = versions.map(({ name }) => name);
  const repeated = repeatedPositions(names);
  // A second version of the same name counts as missing.
  const missing = versions.filter(({ name, storage }, at) => storage && (!stored.includes(name) || repeated.has(at)));
  return [
    ...missing.map(({ name }) => invalid(path, stored, `must have the storage version ${name}`)),
    ...stored.flatMap((name, at) =>
      names.includes(name) || stored.lastIndexOf(name) !== at
        ? []
        : [
            invalid(
              path.index(at),
              name,
              `missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in ${name} and removes ${name} from status.storedVersions`,
            ),
          ],
    ),
  ];
}

/** Groups of Kubernetes' own need an approval annotation; an update may leave it as wrong as it was. */
function checkApproval({ metadata, spec }: Definition, old?: Definition): FieldError[] {
  if (!isProtectedGroup(spec.group)) return [];
  const { state, text, message } = approvalOf(metadata.annotations);
  if (old && approvalOf(old.metadata.annotations).state === state) return [];
  const path = fieldPath("metadata", "annotations").key(approvalAnnotation);
  if (state === "missing") return [required(path, message)];
  return state === "invalid" ? [invalid(path, text, message)] : [];
}
