import type { DeepReadonly } from "@coxswain/api";
import type { PersistentVolumeSource, Volume } from "@coxswain/api/core/v1";
import { notFound } from "@coxswain/apimachinery/status";
import type { StoredPod } from "@coxswain/kinds/core/pod";
import type { RestrictionDeps } from "./restriction.js";

/** Volumes of before CSI, and the drivers that stand in for them. */
const successors = [
  ["gcePersistentDisk", "pd.csi.storage.gke.io"],
  ["awsElasticBlockStore", "ebs.csi.aws.com"],
  ["cinder", "cinder.csi.openstack.org"],
  ["azureDisk", "disk.csi.azure.com"],
  ["azureFile", "file.csi.azure.com"],
  ["vsphereVolume", "csi.vsphere.vmware.com"],
  ["portworxVolume", "pxd.portworx.com"],
] as const;

/** Whether a pod, or the driver of one of its volumes, wants tokens for an audience. */
export function refersToAudience(
  deps: RestrictionDeps,
  pod: DeepReadonly<StoredPod>,
  audience: string,
): { found: boolean; errors: string[] } {
  const errors: string[] = [];
  for (const volume of pod.spec.volumes ?? []) {
    if (
      volume.projected?.sources?.some(
        ({ serviceAccountToken }) => serviceAccountToken && (serviceAccountToken.audience ?? "") === audience,
      )
    )
      return { found: true, errors };
    try {
      const driver = driverOf(deps, pod, volume);
      if (driver !== "" && driverWants(deps, driver, audience)) return { found: true, errors };
    } catch (err) {
      errors.push((err as Error).message);
    }
  }
  return { found: false, errors };
}

function driverOf(deps: RestrictionDeps, { metadata }: DeepReadonly<StoredPod>, volume: DeepReadonly<Volume>): string {
  const namespace = metadata.namespace ?? "";
  if (volume.ephemeral?.volumeClaimTemplate)
    return driverOfClaim(deps, namespace, `${metadata.name ?? ""}-${volume.name}`);
  if (volume.persistentVolumeClaim) return driverOfClaim(deps, namespace, volume.persistentVolumeClaim.claimName);
  return volume.csi?.driver ?? successorOf(volume);
}

function driverOfClaim({ claims, volumes }: RestrictionDeps, namespace: string, name: string): string {
  const claim = claims.get(`/registry/persistentvolumeclaims/${namespace}/${name}`);
  if (!claim) throw notFound({ group: "", resource: "persistentvolumeclaim" }, name);
  const volumeName = claim.spec?.volumeName ?? "";
  const volume = volumes.get(`/registry/persistentvolumes/${volumeName}`);
  if (!volume) throw notFound({ group: "", resource: "persistentvolume" }, volumeName);
  return volume.spec?.csi?.driver ?? successorOf(volume.spec ?? {});
}

const successorOf = (source: DeepReadonly<Volume> | DeepReadonly<PersistentVolumeSource>): string =>
  successors.find(([member]) => (source as DeepReadonly<PersistentVolumeSource>)[member] !== undefined)?.[1] ?? "";

function driverWants({ drivers }: RestrictionDeps, name: string, audience: string): boolean {
  const driver = drivers.get(`/registry/csidrivers/${name}`);
  if (!driver) throw notFound({ group: "storage.k8s.io", resource: "csidriver" }, name);
  return driver.spec.tokenRequests?.some((request) => request.audience === audience) ?? false;
}
