import type { DeepReadonly } from "@coxswain/api";
import type * as v1 from "@coxswain/api/core/v1";
import { append } from "@coxswain/apimachinery/append";
import { type FieldError, type FieldPath, forbidden, invalid, required } from "@coxswain/apimachinery/field";
import { checkNamespaceName, rangeMessage, utf8Length } from "@coxswain/apimachinery/validation";
import { checkDnsLabelAt, checkDnsSubdomainAt, checkPresent, problemsAt } from "../../checks/field-errors.js";
import { checkNoBacksteps } from "../../pod-spec/paths.js";
import { checkCsiDriverName } from "../../pod-spec/volumes/csi.js";
import * as disks from "../../pod-spec/volumes/disks.js";
import { checkHostPath } from "../../pod-spec/volumes/host.js";
import { checkIscsiName } from "../../pod-spec/volumes/iscsi.js";
import * as shares from "../../pod-spec/volumes/shares.js";

type Spec = DeepReadonly<v1.PersistentVolumeSpec>;

interface Source {
  readonly member: keyof v1.PersistentVolumeSpec & string;
  /** The field that a second source is reported in, where that is not the member's name. */
  readonly forbiddenAt?: string;
  /** The field that faults are found in, where that is not the member's name. */
  readonly at?: string;
  /** It may stand beside another. */
  readonly besides?: boolean;
  // oxlint-disable-next-line typescript/no-explicit-any -- each check takes its own source; the table below pairs them.
  readonly check: (source: any, path: FieldPath, volumeName: string) => FieldError[];
}

/** In the order in which they are looked at; the first that is there counts. */
const sources: readonly Source[] = [
  { member: "hostPath", check: checkHostPath },
  { member: "gcePersistentDisk", at: "persistentDisk", check: disks.checkGceDisk },
  { member: "awsElasticBlockStore", check: disks.checkAwsDisk },
  { member: "glusterfs", check: checkGlusterfs },
  { member: "flocker", check: shares.checkFlocker },
  { member: "nfs", check: shares.checkNfs },
  { member: "rbd", check: shares.checkRbd },
  { member: "quobyte", check: shares.checkQuobyte },
  { member: "cephfs", forbiddenAt: "cephFS", check: shares.checkCephFs },
  { member: "iscsi", check: checkIscsi },
  { member: "cinder", check: checkCinder },
  { member: "fc", check: disks.checkFibreChannel },
  { member: "flexVolume", besides: true, check: shares.checkFlexVolume },
  { member: "azureFile", check: checkAzureFile },
  { member: "vsphereVolume", check: disks.checkVsphere },
  { member: "photonPersistentDisk", check: disks.checkPhoton },
  { member: "portworxVolume", check: disks.checkPortworx },
  { member: "azureDisk", check: disks.checkAzureDisk },
  { member: "scaleIO", check: disks.checkScaleIo },
  { member: "local", check: checkLocal },
  { member: "storageos", check: checkStorageOs },
  { member: "csi", check: checkCsi },
];

/** A volume has one source. */
export function checkVolumeSource(
  spec: Spec,
  path: FieldPath,
  { name, hasAffinity }: { readonly name: string; readonly hasAffinity: boolean },
): FieldError[] {
  const errors: FieldError[] = [];
  let found = false;
  for (const { member, forbiddenAt = member, at = member, besides = false, check } of sources) {
    const source = spec[member];
    if (!source) continue;
    if (found && !besides) {
      errors.push(forbidden(path.child(forbiddenAt), "may not specify more than 1 volume type"));
      continue;
    }
    found = true;
    append(errors, check(source, path.child(at), name));
    if (member === "local" && !hasAffinity)
      errors.push(required(path.child("nodeAffinity"), "Local volume requires node affinity"));
  }
  return found ? errors : [...errors, required(path, "must specify a volume type")];
}

function checkGlusterfs(
  { endpoints, path: target, endpointsNamespace: namespace }: DeepReadonly<v1.GlusterfsPersistentVolumeSource>,
  path: FieldPath,
): FieldError[] {
  const errors = [...checkPresent(endpoints, path, "endpoints"), ...checkPresent(target, path, "path")];
  if (namespace === undefined) return errors;
  const at = path.child("endpointsNamespace");
  if (namespace === "")
    return [...errors, invalid(at, namespace, "if the endpointnamespace is set, it must be a valid namespace name")];
  return [...errors, ...problemsAt(at, namespace, checkNamespaceName(namespace))];
}

function checkIscsi(
  source: DeepReadonly<v1.ISCSIPersistentVolumeSource>,
  path: FieldPath,
  volumeName: string,
): FieldError[] {
  const { targetPortal, iqn, lun, secretRef, initiatorName } = source;
  const errors = [...checkPresent(targetPortal, path, "targetPortal")];
  if (initiatorName !== undefined && utf8Length(`${volumeName}:${targetPortal}`) > 64) {
    errors.push(
      invalid(
        path.child("targetportal"),
        targetPortal,
        "Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.",
      ),
    );
  }
  append(
    errors,
    iqn === "" ? [required(path.child("iqn"))] : checkIscsiName(iqn, path.child("iqn"), "must be valid format"),
  );
  if (lun < 0 || lun > 255) errors.push(invalid(path.child("lun"), lun, rangeMessage(0, 255)));
  if ((source.chapAuthDiscovery || source.chapAuthSession) && !secretRef)
    errors.push(required(path.child("secretRef")));
  if (secretRef) append(errors, checkPresent(secretRef.name, path.child("secretRef"), "name"));
  if (initiatorName !== undefined)
    append(errors, checkIscsiName(initiatorName, path.child("initiatorname"), "must be valid format"));
  return errors;
}

function checkCinder(
  { volumeID, secretRef }: DeepReadonly<v1.CinderPersistentVolumeSource>,
  path: FieldPath,
): FieldError[] {
  return [
    ...checkPresent(volumeID, path, "volumeID"),
    ...(secretRef ? checkReference(secretRef, path.child("secretRef")) : []),
  ];
}

const checkReference = (
  { name, namespace }: { readonly name?: string; readonly namespace?: string },
  path: FieldPath,
): FieldError[] => [...checkPresent(name, path, "name"), ...checkPresent(namespace, path, "namespace")];

function checkAzureFile(
  { secretName, shareName, secretNamespace }: DeepReadonly<v1.AzureFilePersistentVolumeSource>,
  path: FieldPath,
): FieldError[] {
  return [
    ...checkPresent(secretName, path, "secretName"),
    ...checkPresent(shareName, path, "shareName"),
    ...(secretNamespace === undefined ? [] : checkPresent(secretNamespace, path, "secretNamespace")),
  ];
}

function checkLocal({ path: target }: DeepReadonly<v1.LocalVolumeSource>, path: FieldPath): FieldError[] {
  return target === "" ? [required(path.child("path"))] : checkNoBacksteps(target, path.child("path"));
}

function checkStorageOs(
  { volumeName = "", volumeNamespace = "", secretRef }: DeepReadonly<v1.StorageOSPersistentVolumeSource>,
  path: FieldPath,
): FieldError[] {
  return [
    ...(volumeName === ""
      ? [required(path.child("volumeName"))]
      : checkDnsLabelAt(volumeName, path.child("volumeName"))),
    ...(volumeNamespace === "" ? [] : checkDnsLabelAt(volumeNamespace, path.child("volumeNamespace"))),
    ...(secretRef ? checkReference(secretRef, path.child("secretRef")) : []),
  ];
}

function checkCsi(source: DeepReadonly<v1.CSIPersistentVolumeSource>, path: FieldPath): FieldError[] {
  const secrets = [
    "controllerPublishSecretRef",
    "controllerExpandSecretRef",
    "nodePublishSecretRef",
    "nodeExpandSecretRef",
  ] as const;
  return [
    ...checkCsiDriverName(source.driver, path.child("driver")),
    ...checkPresent(source.volumeHandle, path, "volumeHandle"),
    ...secrets.flatMap((member) => (source[member] ? checkSecretReference(source[member], path.child(member)) : [])),
  ];
}

function checkSecretReference(
  { name = "", namespace = "" }: DeepReadonly<v1.SecretReference>,
  path: FieldPath,
): FieldError[] {
  return [
    ...(name === "" ? [required(path.child("name"))] : checkDnsSubdomainAt(name, path.child("name"))),
    ...(namespace === "" ? [required(path.child("namespace"))] : checkDnsLabelAt(namespace, path.child("namespace"))),
  ];
}
