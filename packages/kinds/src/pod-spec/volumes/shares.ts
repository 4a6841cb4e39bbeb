import type { DeepReadonly } from "@coxswain/api";
import type {
  AzureFileVolumeSource,
  CephFSVolumeSource,
  FlexVolumeSource,
  FlockerVolumeSource,
  GlusterfsVolumeSource,
  NFSVolumeSource,
  QuobyteVolumeSource,
  RBDVolumeSource,
} from "@coxswain/api/core/v1";
import { type FieldError, type FieldPath, invalid, required } from "@coxswain/apimachinery/field";
import { ownKeys } from "@coxswain/apimachinery/own";
import { utf8Length } from "@coxswain/apimachinery/validation";
import { checkPresent } from "../../checks/field-errors.js";
import { isAbsolute } from "../paths.js";
import { isHostPort } from "./host-port.js";

// File systems that many nodes mount at once.

export const checkNfs = ({ server, path: target }: DeepReadonly<NFSVolumeSource>, path: FieldPath): FieldError[] => [
  ...checkPresent(server, path, "server"),
  ...checkPresent(target, path, "path"),
  ...(isAbsolute(target) ? [] : [invalid(path.child("path"), target, "must be an absolute path")]),
];

export const checkGlusterfs = (
  { endpoints, path: target }: DeepReadonly<GlusterfsVolumeSource>,
  path: FieldPath,
): FieldError[] => [...checkPresent(endpoints, path, "endpoints"), ...checkPresent(target, path, "path")];

export const checkRbd = ({ monitors, image }: DeepReadonly<RBDVolumeSource>, path: FieldPath): FieldError[] => [
  ...(monitors?.length ? [] : [required(path.child("monitors"))]),
  ...checkPresent(image, path, "image"),
];

export const checkCephFs = ({ monitors }: DeepReadonly<CephFSVolumeSource>, path: FieldPath): FieldError[] =>
  monitors?.length ? [] : [required(path.child("monitors"))];

export const checkAzureFile = (
  { secretName, shareName }: DeepReadonly<AzureFileVolumeSource>,
  path: FieldPath,
): FieldError[] => [...checkPresent(secretName, path, "secretName"), ...checkPresent(shareName, path, "shareName")];

export function checkFlocker(
  { datasetName = "", datasetUUID = "" }: DeepReadonly<FlockerVolumeSource>,
  path: FieldPath,
): FieldError[] {
  const errors: FieldError[] = [];
  if (datasetName === "" && datasetUUID === "")
    errors.push(required(path, "one of datasetName and datasetUUID is required"));
  if (datasetName !== "" && datasetUUID !== "")
    errors.push(invalid(path, "resource", "datasetName and datasetUUID can not be specified simultaneously"));
  if (datasetName.includes("/")) errors.push(invalid(path.child("datasetName"), datasetName, "must not contain '/'"));
  return errors;
}

export function checkQuobyte(
  { registry, tenant = "", volume }: DeepReadonly<QuobyteVolumeSource>,
  path: FieldPath,
): FieldError[] {
  const errors: FieldError[] = [];
  const pairs = "must be a host:port pair or multiple pairs separated by commas";
  if (registry === "") errors.push(required(path.child("registry"), pairs));
  else if (utf8Length(tenant) >= 65)
    errors.push(required(path.child("tenant"), "must be a UUID and may not exceed a length of 64 characters"));
  else
    for (const pair of registry.split(","))
      if (!isHostPort(pair)) errors.push(invalid(path.child("registry"), registry, pairs));
  return [...errors, ...checkPresent(volume, path, "volume")];
}

export function checkFlexVolume({ driver, options }: DeepReadonly<FlexVolumeSource>, path: FieldPath): FieldError[] {
  const errors = [...checkPresent(driver, path, "driver")];
  for (const key of ownKeys(options)) {
    const domain = `.${(key.split("/", 1)[0] ?? "").toLowerCase()}`;
    if (domain.endsWith(".kubernetes.io") || domain.endsWith(".k8s.io")) {
      errors.push(invalid(path.child("options").key(key), key, "kubernetes.io and k8s.io namespaces are reserved"));
    }
  }
  return errors;
}
