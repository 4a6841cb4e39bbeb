import type { Pod, Volume } from "@coxswain/api/core/v1";
import { podReferences } from "@coxswain/api/pods";
import { quoteGo } from "@coxswain/apimachinery/field";

/** What a pod refers to, or why that cannot be determined. */
export type ApiReference = { readonly to: string; readonly error?: undefined } | { readonly error: string };

/** The first kind of API object that a pod refers to: static pods may refer to none. */
export function apiReference({ spec }: Pod): ApiReference | undefined {
  if (spec?.serviceAccountName) return { to: "serviceaccounts" };
  const { volumes = [], ...others } = spec ?? { containers: [] };
  // A mirror pod gives its node nothing, which is just why it is looked at here as if it were another.
  const references = podReferences({ metadata: {}, spec: { ...others, volumes } });
  if (references.some(({ type }) => type === "secret")) return { to: "secrets" };
  if (references.some(({ type }) => type === "configmap")) return { to: "configmaps" };
  if ((spec?.resourceClaims?.length ?? 0) > 0) return { to: "resourceclaims" };
  for (const volume of volumes) {
    const found = volumeReference(volume);
    if (found) return found;
  }
  return undefined;
}

/** Volumes of these need nothing of the API. */
const local = [
  "awsElasticBlockStore",
  "azureDisk",
  "cephfs",
  "cinder",
  "downwardAPI",
  "emptyDir",
  "fc",
  "flexVolume",
  "flocker",
  "gcePersistentDisk",
  "gitRepo",
  "hostPath",
  "image",
  "iscsi",
  "nfs",
  "photonPersistentDisk",
  "portworxVolume",
  "quobyte",
  "rbd",
  "scaleIO",
  "storageos",
  "vsphereVolume",
] as const;

const remote = [
  ["configMap", "configmaps (via configmap volumes)"],
  ["secret", "secrets (via secret volumes)"],
  ["csi", "csidrivers (via CSI volumes)"],
  ["glusterfs", "endpoints (via glusterFS volumes)"],
  ["persistentVolumeClaim", "persistentvolumeclaims"],
  ["ephemeral", "persistentvolumeclaims (via ephemeral volumes)"],
  ["azureFile", "secrets (via azureFile volumes)"],
] as const;

const projections = [
  ["configMap", "configmaps (via projected volumes)"],
  ["secret", "secrets (via projected volumes)"],
  ["serviceAccountToken", "serviceaccounts (via projected volumes)"],
  ["clusterTrustBundle", "clustertrustbundles"],
  ["podCertificate", "podcertificates"],
] as const;

function volumeReference(volume: Volume): ApiReference | undefined {
  if (local.some((member) => volume[member] !== undefined)) return undefined;
  const [, to] = remote.find(([member]) => volume[member] !== undefined) ?? [];
  if (to !== undefined) return { to };
  if (!volume.projected) return { error: `unknown volume type for volume  ${quoteGo(volume.name)}` };
  for (const source of volume.projected.sources ?? []) {
    const [, projected] = projections.find(([member]) => source[member] !== undefined) ?? [];
    if (projected !== undefined) return { to: projected };
    if (source.downwardAPI === undefined)
      return { error: `unknown source for projected volume ${quoteGo(volume.name)}` };
  }
  return undefined;
}
