import type { DeepReadonly } from "@coxswain/api";
import type {
  AWSElasticBlockStoreVolumeSource,
  AzureDiskVolumeSource,
  CinderVolumeSource,
  FCVolumeSource,
  GCEPersistentDiskVolumeSource,
  PhotonPersistentDiskVolumeSource,
  PortworxVolumeSource,
  ScaleIOVolumeSource,
  StorageOSVolumeSource,
  VsphereVirtualDiskVolumeSource,
} from "@coxswain/api/core/v1";
import { append } from "@coxswain/apimachinery/append";
import { type FieldError, type FieldPath, invalid, notSupported, required } from "@coxswain/apimachinery/field";
import { rangeMessage } from "@coxswain/apimachinery/validation";
import { checkDnsLabelAt, checkOneOf, checkPresent } from "../../checks/field-errors.js";

// Disks of clouds and of storage products, one at a time attached to a node.

const checkPartition = (partition = 0, path: FieldPath): FieldError[] =>
  partition < 0 || partition > 255 ? [invalid(path.child("partition"), partition, rangeMessage(1, 255))] : [];

export const checkGceDisk = (
  { pdName, partition }: DeepReadonly<GCEPersistentDiskVolumeSource>,
  path: FieldPath,
): FieldError[] => [...checkPresent(pdName, path, "pdName"), ...checkPartition(partition, path)];

export const checkAwsDisk = (
  { volumeID, partition }: DeepReadonly<AWSElasticBlockStoreVolumeSource>,
  path: FieldPath,
): FieldError[] => [...checkPresent(volumeID, path, "volumeID"), ...checkPartition(partition, path)];

const managedDiskUri =
  "/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}";
const blobDiskUri = "https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd";

export function checkAzureDisk(
  { diskName, diskURI, cachingMode, kind }: DeepReadonly<AzureDiskVolumeSource>,
  path: FieldPath,
): FieldError[] {
  const errors = [...checkPresent(diskName, path, "diskName"), ...checkPresent(diskURI, path, "diskURI")];
  if (cachingMode !== undefined)
    append(errors, checkOneOf(cachingMode, ["None", "ReadOnly", "ReadWrite"], path.child("cachingMode")));
  if (kind === undefined) return errors;
  append(errors, checkOneOf(kind, ["Dedicated", "Managed", "Shared"], path.child("kind")));
  const [prefix, supported] = kind === "Managed" ? ["/subscriptions/", managedDiskUri] : ["https://", blobDiskUri];
  if (!diskURI.startsWith(prefix)) errors.push(notSupported(path.child("diskURI"), diskURI, [supported]));
  return errors;
}

export const checkCinder = (
  { volumeID, secretRef }: DeepReadonly<CinderVolumeSource>,
  path: FieldPath,
): FieldError[] => [
  ...checkPresent(volumeID, path, "volumeID"),
  ...(secretRef ? checkPresent(secretRef.name, path.child("secretRef"), "name") : []),
];

export const checkVsphere = (
  { volumePath }: DeepReadonly<VsphereVirtualDiskVolumeSource>,
  path: FieldPath,
): FieldError[] => [...checkPresent(volumePath, path, "volumePath")];

export const checkPhoton = (
  { pdID }: DeepReadonly<PhotonPersistentDiskVolumeSource>,
  path: FieldPath,
): FieldError[] => [...checkPresent(pdID, path, "pdID")];

export const checkPortworx = ({ volumeID }: DeepReadonly<PortworxVolumeSource>, path: FieldPath): FieldError[] => [
  ...checkPresent(volumeID, path, "volumeID"),
];

export const checkScaleIo = (
  { gateway, system, volumeName }: DeepReadonly<ScaleIOVolumeSource>,
  path: FieldPath,
): FieldError[] => [
  ...checkPresent(gateway, path, "gateway"),
  ...checkPresent(system, path, "system"),
  ...checkPresent(volumeName, path, "volumeName"),
];

export const checkStorageOs = (
  { volumeName = "", volumeNamespace = "", secretRef }: DeepReadonly<StorageOSVolumeSource>,
  path: FieldPath,
): FieldError[] => [
  ...(volumeName === "" ? [required(path.child("volumeName"))] : checkDnsLabelAt(volumeName, path.child("volumeName"))),
  ...(volumeNamespace === "" ? [] : checkDnsLabelAt(volumeNamespace, path.child("volumeNamespace"))),
  ...(secretRef ? checkPresent(secretRef.name, path.child("secretRef"), "name") : []),
];

export function checkFibreChannel(
  { targetWWNs = [], wwids = [], lun }: DeepReadonly<FCVolumeSource>,
  path: FieldPath,
): FieldError[] {
  const errors: FieldError[] = [];
  const targets = path.child("targetWWNs");
  if (targetWWNs.length === 0 && wwids.length === 0)
    errors.push(required(targets, "must specify either targetWWNs or wwids, but not both"));
  if (targetWWNs.length > 0 && wwids.length > 0)
    errors.push(invalid(targets, targetWWNs, "targetWWNs and wwids can not be specified simultaneously"));
  if (targetWWNs.length === 0) return errors;
  if (lun === undefined) errors.push(required(path.child("lun"), "lun is required if targetWWNs is specified"));
  else if (lun < 0 || lun > 255) errors.push(invalid(path.child("lun"), lun, rangeMessage(0, 255)));
  return errors;
}
