import type { DeepReadonly } from "@coxswain/api";
import type { EnvFromSource, EnvVar, EnvVarSource, FileKeySelector } from "@coxswain/api/core/v1";
import { append } from "@coxswain/apimachinery/append";
import { type FieldError, type FieldPath, invalid, required } from "@coxswain/apimachinery/field";
import { checkConfigMapKey, checkRelaxedEnvVarName, nameIsDnsSubdomain } from "@coxswain/apimachinery/validation";
import { checkDnsLabelAt, problemsAt } from "../../checks/field-errors.js";
import { checkNoBacksteps } from "../paths.js";
import type { PodRules } from "../pod-rules.js";
import { checkObjectField, checkResourceField, envFieldPaths } from "./downward-api.js";

export function checkEnv(variables: readonly DeepReadonly<EnvVar>[], path: FieldPath, rules: PodRules): FieldError[] {
  const errors: FieldError[] = [];
  for (const [i, { name, value = "", valueFrom }] of variables.entries()) {
    const at = path.index(i);
    if (name === "") errors.push(required(at.child("name")));
    else append(errors, problemsAt(at.child("name"), name, checkRelaxedEnvVarName(name)));
    if (valueFrom) append(errors, checkValueFrom(valueFrom, { value, path: at.child("valueFrom"), rules }));
  }
  return errors;
}

interface Place {
  readonly value: string;
  readonly path: FieldPath;
  readonly rules: PodRules;
}

function checkValueFrom(
  { fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef, fileKeyRef }: DeepReadonly<EnvVarSource>,
  { value, path, rules }: Place,
): FieldError[] {
  const errors: FieldError[] = [];
  if (fieldRef) append(errors, checkObjectField(fieldRef, envFieldPaths, path.child("fieldRef")));
  if (resourceFieldRef)
    append(errors, checkResourceField(resourceFieldRef, { inVolume: false, path: path.child("resourceFieldRef") }));
  if (configMapKeyRef) append(errors, checkKeyReference(configMapKeyRef, path.child("configMapKeyRef")));
  if (secretKeyRef) append(errors, checkKeyReference(secretKeyRef, path.child("secretKeyRef")));
  if (fileKeyRef) append(errors, checkFileKey(fileKeyRef, path.child("fileKeyRef")));
  const count = [fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef, fileKeyRef].filter(
    (source) => source !== undefined,
  ).length;
  if (count === 0) {
    const known = rules.envFiles
      ? "`configMapKeyRef`, `secretKeyRef` or `fileKeyRef`"
      : "`configMapKeyRef` or `secretKeyRef`";
    errors.push(invalid(path, "", `must specify one of: \`fieldRef\`, \`resourceFieldRef\`, ${known}`));
  } else if (value !== "") errors.push(invalid(path, "", "may not be specified when `value` is not empty"));
  else if (count > 1) errors.push(invalid(path, "", "may not have more than one field specified at a time"));
  return errors;
}

/** A key of a ConfigMap or Secret. */
const checkKeyReference = (
  { name = "", key }: { readonly name?: string; readonly key: string },
  path: FieldPath,
): FieldError[] => [
  ...problemsAt(path.child("name"), name, nameIsDnsSubdomain(name)),
  ...(key === "" ? [required(path.child("key"))] : problemsAt(path.child("key"), key, checkConfigMapKey(key))),
];

const checkFileKey = (
  { key, volumeName, path: file }: DeepReadonly<FileKeySelector>,
  path: FieldPath,
): FieldError[] => [
  ...(key === "" ? [required(path.child("key"))] : problemsAt(path.child("key"), key, checkRelaxedEnvVarName(key))),
  ...(volumeName === "" ? [required(path.child("volumeName"))] : checkDnsLabelAt(volumeName, path.child("volumeName"))),
  ...(file === "" ? [required(path.child("path"))] : checkNoBacksteps(file, path.child("path"))),
];

/** A source too few or too many is reported at the whole list. */
export function checkEnvFrom(sources: readonly DeepReadonly<EnvFromSource>[], path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  for (const [i, { prefix = "", configMapRef, secretRef }] of sources.entries()) {
    const at = path.index(i);
    if (prefix !== "") append(errors, problemsAt(at.child("prefix"), prefix, checkRelaxedEnvVarName(prefix)));
    if (configMapRef) append(errors, checkObjectReference(configMapRef.name, at.child("configMapRef")));
    if (secretRef) append(errors, checkObjectReference(secretRef.name, at.child("secretRef")));
    if (!configMapRef && !secretRef)
      errors.push(invalid(path, "", "must specify one of: `configMapRef` or `secretRef`"));
    if (configMapRef && secretRef)
      errors.push(invalid(path, "", "may not have more than one field specified at a time"));
  }
  return errors;
}

/** Upstream validates the name as if something were to be appended. */
const checkObjectReference = (name = "", path: FieldPath): readonly FieldError[] =>
  name === "" ? [required(path.child("name"))] : problemsAt(path.child("name"), name, nameIsDnsSubdomain(name, true));
