/**
 * Volumes that are directories of nodes, as our provisioner (`controllers/local-path`) and our kubelet share the work. The contract is in
 * docs/storage.md: the provisioner writes objects, and alone the node touches files.
 */

/** What a StorageClass names, and the annotation `pv.kubernetes.io/provisioned-by` of its volumes. */
export const localPathProvisioner = "coxswain.dev/local-path";

/** On PersistentVolumes: the name of the Node that has the files. */
export const localPathNodeAnnotation = "local-path.coxswain.dev/node";

/** Where nodes have such volumes, each in a directory of its PersistentVolume's name. Kubelets make and remove nothing elsewhere. */
export const localPathDirectory = "/var/lib/coxswain/local-path";

/** On Nodes, with the volume's name behind it: nobody needs its files any more. The kubelet removes first the files, then the annotation. */
export const deleteVolumePrefix = "delete.local-path.coxswain.dev/";

/** By the claim's uid, as external provisioners name them. */
export const localPathVolumeName = (claimUid: string): string => `pvc-${claimUid}`;

const volumeName = /^pvc-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Pure: whether a path is the directory of such a volume, which its kubelet makes. */
export const isLocalPathVolume = (path: string): boolean =>
  path.startsWith(`${localPathDirectory}/`) && volumeName.test(path.slice(localPathDirectory.length + 1));

/** Pure: the volumes whose files a node is to remove. Other names, which might lead elsewhere, are none of ours. */
export const volumesToDelete = (annotations: Readonly<Record<string, string>> | undefined): string[] =>
  Object.keys(annotations ?? {})
    .filter((key) => key.startsWith(deleteVolumePrefix))
    .map((key) => key.slice(deleteVolumePrefix.length))
    .filter((name) => volumeName.test(name));
