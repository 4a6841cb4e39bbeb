import type { DeepReadonly } from "@coxswain/api";
import type {
  ConfigMapVolumeSource,
  DownwardAPIVolumeFile,
  DownwardAPIVolumeSource,
  KeyToPath,
  SecretVolumeSource,
} from "@coxswain/api/core/v1";
import { append } from "@coxswain/apimachinery/append";
import { type FieldError, type FieldPath, invalid, required } from "@coxswain/apimachinery/field";
import { checkPresent } from "../../checks/field-errors.js";
import { checkObjectField, checkResourceField, volumeFieldPaths } from "../containers/downward-api.js";
import { checkLocalPath } from "../paths.js";
import { checkFileMode } from "./file-mode.js";

// Volumes whose files come from API objects.

export const checkSecretVolume = (
  { secretName, defaultMode, items }: DeepReadonly<SecretVolumeSource>,
  path: FieldPath,
): FieldError[] => [
  ...checkPresent(secretName, path, "secretName"),
  ...checkFileMode(defaultMode, path.child("defaultMode")),
  ...checkItems(items, path),
];

export const checkConfigMapVolume = (
  { name, defaultMode, items }: DeepReadonly<ConfigMapVolumeSource>,
  path: FieldPath,
): FieldError[] => [
  ...checkPresent(name, path, "name"),
  ...checkFileMode(defaultMode, path.child("defaultMode")),
  ...checkItems(items, path),
];

function checkItems(items: readonly DeepReadonly<KeyToPath>[] | undefined, path: FieldPath): FieldError[] {
  if (items === undefined) return [];
  const at = path.child("items");
  return items.flatMap((item, i) => checkKeyToPath(item, at.index(i)));
}

export const checkKeyToPath = ({ key, path: target, mode }: DeepReadonly<KeyToPath>, path: FieldPath): FieldError[] => [
  ...checkPresent(key, path, "key"),
  ...checkPresent(target, path, "path"),
  ...checkLocalPath(target, path.child("path")),
  ...checkFileMode(mode, path.child("mode")),
];

/** Its files are all reported at the volume: upstream gives them no index. */
export const checkDownwardApiVolume = (
  { defaultMode, items = [] }: DeepReadonly<DownwardAPIVolumeSource>,
  path: FieldPath,
): FieldError[] => [
  ...checkFileMode(defaultMode, path.child("defaultMode")),
  ...items.flatMap((item) => checkDownwardApiFile(item, path)),
];

export function checkDownwardApiFile(
  { path: target, fieldRef, resourceFieldRef, mode }: DeepReadonly<DownwardAPIVolumeFile>,
  path: FieldPath,
): FieldError[] {
  const errors = [...checkPresent(target, path, "path"), ...checkLocalPath(target, path.child("path"))];
  if (fieldRef) {
    append(errors, checkObjectField(fieldRef, volumeFieldPaths, path.child("fieldRef")));
    if (resourceFieldRef)
      errors.push(invalid(path, "resource", "fieldRef and resourceFieldRef can not be specified simultaneously"));
  } else if (resourceFieldRef) {
    append(errors, checkResourceField(resourceFieldRef, { inVolume: true, path: path.child("resourceFieldRef") }));
  } else {
    errors.push(required(path, "one of fieldRef and resourceFieldRef is required"));
  }
  append(errors, checkFileMode(mode, path.child("mode")));
  return errors;
}
