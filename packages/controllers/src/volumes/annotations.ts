/** On claims: the controller has finished binding it. */
export const bindCompleted = "pv.kubernetes.io/bind-completed";
/** On claims and volumes: the controller, and no person, chose the other side. */
export const boundByController = "pv.kubernetes.io/bound-by-controller";
/** On claims: the node that the scheduler chose for the first consumer. */
export const selectedNode = "volume.kubernetes.io/selected-node";
/** On volumes: the plugin that made it. */
export const provisionedBy = "pv.kubernetes.io/provisioned-by";
/** On claims and volumes of an in-tree plugin: the CSI driver that took its place. */
export const migratedTo = "pv.kubernetes.io/migrated-to";
/** On claims: who is to make a volume. */
export const storageProvisioner = "volume.kubernetes.io/storage-provisioner";
export const betaStorageProvisioner = "volume.beta.kubernetes.io/storage-provisioner";
/** On claims: who is to make the volume larger. */
export const storageResizer = "volume.kubernetes.io/storage-resizer";
/** On volumes: the capacity before a resize whose file system is not yet larger. */
export const preResizeCapacity = "volume.alpha.kubernetes.io/pre-resize-capacity";
/** On claims and volumes, and before there was a field: the class. */
export const betaStorageClass = "volume.beta.kubernetes.io/storage-class";

/** On volumes of in-tree plugins: deleted only after the storage is. */
export const inTreeDeletionFinalizer = "kubernetes.io/pv-controller";
/** The same, of external provisioners. */
export const externalDeletionFinalizer = "external-provisioner.volume.kubernetes.io/finalizer";
