import type { CachedVolume } from "./cached-volumes.js";

/** In-tree plugins whose volumes CSI drivers serve now, all of them always. */
const drivers: ReadonlyMap<string, string> = new Map([
  ["kubernetes.io/aws-ebs", "ebs.csi.aws.com"],
  ["kubernetes.io/gce-pd", "pd.csi.storage.gke.io"],
  ["kubernetes.io/azure-disk", "disk.csi.azure.com"],
  ["kubernetes.io/azure-file", "file.csi.azure.com"],
  ["kubernetes.io/cinder", "cinder.csi.openstack.org"],
  ["kubernetes.io/vsphere-volume", "csi.vsphere.vmware.com"],
  ["kubernetes.io/portworx-volume", "pxd.portworx.com"],
]);

/** The CSI driver that serves what the in-tree plugin did. */
export const migratedDriver = (plugin: string): string | undefined => drivers.get(plugin);

/** The in-tree plugin of a volume whose source is now served by a CSI driver. */
export function migratedPluginOf({ spec }: CachedVolume): string | undefined {
  if (spec?.awsElasticBlockStore) return "kubernetes.io/aws-ebs";
  if (spec?.gcePersistentDisk) return "kubernetes.io/gce-pd";
  if (spec?.azureDisk) return "kubernetes.io/azure-disk";
  if (spec?.azureFile) return "kubernetes.io/azure-file";
  if (spec?.cinder) return "kubernetes.io/cinder";
  if (spec?.vsphereVolume) return "kubernetes.io/vsphere-volume";
  if (spec?.portworxVolume) return "kubernetes.io/portworx-volume";
  return undefined;
}
