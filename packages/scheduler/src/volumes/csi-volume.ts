import type { PersistentVolume, PersistentVolumeClaim } from "../framework/cluster-objects.js";
import type { Pod } from "../pod/objects.js";
import { classOfClaim, type VolumeObjects } from "./pod-claims.js";

type Volume = NonNullable<NonNullable<Pod["spec"]>["volumes"]>[number];
type VolumeSource = NonNullable<PersistentVolume["spec"]> | Volume;

/** A volume that a CSI driver attaches. */
export interface CsiVolume {
  readonly driver: string;
  readonly handle: string;
}

/** The drivers that stand for what were plugins of Kubernetes itself, by the names of those plugins. */
const migratedDrivers: ReadonlyMap<string, string> = new Map([
  ["kubernetes.io/aws-ebs", "ebs.csi.aws.com"],
  ["kubernetes.io/gce-pd", "pd.csi.storage.gke.io"],
  ["kubernetes.io/azure-disk", "disk.csi.azure.com"],
  ["kubernetes.io/cinder", "cinder.csi.openstack.org"],
  ["kubernetes.io/portworx-volume", "pxd.portworx.com"],
]);

/** A volume of such a plugin, as its driver sees it. Handles are compared with each other only. */
function migrated(source: VolumeSource): CsiVolume | undefined {
  if (source.awsElasticBlockStore) {
    const { volumeID } = source.awsElasticBlockStore;
    return { driver: "ebs.csi.aws.com", handle: volumeID.slice(volumeID.lastIndexOf("/") + 1) };
  }
  if (source.gcePersistentDisk) return { driver: "pd.csi.storage.gke.io", handle: source.gcePersistentDisk.pdName };
  if (source.azureDisk) return { driver: "disk.csi.azure.com", handle: source.azureDisk.diskURI };
  if (source.cinder) return { driver: "cinder.csi.openstack.org", handle: source.cinder.volumeID };
  if (source.portworxVolume) return { driver: "pxd.portworx.com", handle: source.portworxVolume.volumeID };
  return undefined;
}

/** Whether a volume of the pod itself is one that a driver attaches. */
export const isInlineMigratable = (volume: Volume): boolean => migrated(volume) !== undefined;

/** `onNode`: whether the node has a CSINode; without one, volumes of the old plugins are not the drivers'. */
export const csiVolumeOfInline = (volume: Volume, onNode: boolean): CsiVolume | undefined =>
  onNode ? migrated(volume) : undefined;

/** The volume of a claim, or what its class will provision. */
export function csiVolumeOfClaim(
  claim: PersistentVolumeClaim,
  { persistentVolumes, storageClasses }: Pick<VolumeObjects, "persistentVolumes" | "storageClasses">,
  onNode: boolean,
): CsiVolume | undefined {
  const spec = claim.spec?.volumeName ? persistentVolumes.get(claim.spec.volumeName)?.spec : undefined;
  if (spec) {
    if (spec.csi) return { driver: spec.csi.driver, handle: spec.csi.volumeHandle };
    return onNode ? migrated(spec) : undefined;
  }
  const storageClass = storageClasses.get(classOfClaim(claim));
  if (storageClass === undefined) return undefined;
  const { provisioner } = storageClass;
  const driver = migratedDrivers.get(provisioner);
  if (driver !== undefined && !onNode) return undefined;
  return {
    driver: driver ?? provisioner,
    // A volume that is not there yet, unlike all others.
    handle: `\u0000${claim.metadata?.namespace}/${claim.metadata?.name}`,
  };
}
