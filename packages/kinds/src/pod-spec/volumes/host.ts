import type { DeepReadonly } from "@coxswain/api";
import type { EmptyDirVolumeSource, GitRepoVolumeSource, HostPathVolumeSource } from "@coxswain/api/core/v1";
import { type FieldError, type FieldPath, forbidden, required } from "@coxswain/apimachinery/field";
import { parseQuantity } from "@coxswain/apimachinery/quantity";
import { checkOneOf, checkPresent } from "../../checks/field-errors.js";
import { checkDescendingPath, checkNoBacksteps } from "../paths.js";

// Volumes that live on the node itself.

const hostPathTypes = [
  "",
  "BlockDevice",
  "CharDevice",
  "Directory",
  "DirectoryOrCreate",
  "File",
  "FileOrCreate",
  "Socket",
];

export const checkEmptyDir = ({ sizeLimit }: DeepReadonly<EmptyDirVolumeSource>, path: FieldPath): FieldError[] =>
  sizeLimit !== undefined && parseQuantity(sizeLimit).sign < 0
    ? [forbidden(path.child("sizeLimit"), "SizeLimit field must be a valid resource quantity")]
    : [];

export function checkHostPath(
  { path: target, type }: DeepReadonly<HostPathVolumeSource>,
  path: FieldPath,
): FieldError[] {
  if (target === "") return [required(path.child("path"))];
  return [
    ...checkNoBacksteps(target, path.child("path")),
    ...(type === undefined ? [] : checkOneOf(type, hostPathTypes, path.child("type"))),
  ];
}

export const checkGitRepo = (
  { repository, directory = "" }: DeepReadonly<GitRepoVolumeSource>,
  path: FieldPath,
): FieldError[] => [
  ...checkPresent(repository, path, "repository"),
  ...checkDescendingPath(directory, path.child("directory")),
];
