import type { Node, PersistentVolume } from "@coxswain/api/core/v1";
import {
  localPathDirectory,
  localPathNodeAnnotation,
  localPathProvisioner,
  localPathVolumeName,
} from "@coxswain/api/local-path";
import type { DeepReadonly } from "@coxswain/api/types";
import { getOwn } from "@coxswain/apimachinery/own";
import { referenceOf } from "../pods/pod-control.js";
import {
  betaStorageProvisioner,
  externalDeletionFinalizer,
  provisionedBy,
  selectedNode,
  storageProvisioner,
} from "../volumes/annotations.js";
import { type CachedClaim, type CachedClass, claimKind } from "../volumes/cached-volumes.js";
import { classOfClaim } from "../volumes/storage-class.js";

export interface ProvisionFacts {
  readonly claim: CachedClaim;
  readonly storageClass: CachedClass | undefined;
  nodeByName(name: string): DeepReadonly<Node> | undefined;
}

export type ProvisionPlan =
  /** Another provisioner's, bound already, or its first pod has no node yet. */
  | { readonly kind: "nothing" }
  /** Nothing that the provisioner could try again changes it. */
  | { readonly kind: "refuse"; readonly message: string }
  /** The node has gone: the scheduler is to choose another one. */
  | { readonly kind: "reschedule"; readonly message: string }
  | { readonly kind: "create"; readonly volume: PersistentVolume };

/** Pure: what a claim gets. */
export function planProvision({ claim, storageClass, nodeByName }: ProvisionFacts): ProvisionPlan {
  if (provisionerOf(claim) !== localPathProvisioner || claim.spec?.volumeName || claim.metadata?.deletionTimestamp)
    return { kind: "nothing" };
  if (!storageClass || storageClass.provisioner !== localPathProvisioner) return { kind: "nothing" };
  const message = refusalOf(claim, storageClass);
  if (message !== undefined) return { kind: "refuse", message };
  const chosen = getOwn(claim.metadata?.annotations, selectedNode);
  if (chosen === undefined) return { kind: "nothing" };
  const node = nodeByName(chosen);
  return node
    ? { kind: "create", volume: volumeFor(claim, storageClass, node) }
    : { kind: "reschedule", message: `the selected node ${JSON.stringify(chosen)} does not exist any more` };
}

const provisionerOf = ({ metadata }: CachedClaim): string | undefined =>
  getOwn(metadata?.annotations, storageProvisioner) ?? getOwn(metadata?.annotations, betaStorageProvisioner);

/** Directories of one node: what needs more than that is refused at once, and not when a pod starts. */
function refusalOf(
  { spec }: CachedClaim,
  { metadata, volumeBindingMode, parameters = {} }: CachedClass,
): string | undefined {
  const source = spec?.dataSourceRef ?? spec?.dataSource;
  if (source)
    return `volumes of nodes cannot be made from a ${source.kind}: snapshots and clones are not supported by ${localPathProvisioner}`;
  if (spec?.selector) return `claim.spec.selector is not supported by ${localPathProvisioner}`;
  if (spec?.volumeMode === "Block") return `block volumes are not supported by ${localPathProvisioner}`;
  const shared = spec?.accessModes?.find((mode) => mode !== "ReadWriteOnce" && mode !== "ReadWriteOncePod");
  if (shared)
    return `a volume of one node cannot be ${shared}: ${localPathProvisioner} supports ReadWriteOnce and ReadWriteOncePod`;
  if (volumeBindingMode !== "WaitForFirstConsumer")
    return `StorageClass ${JSON.stringify(metadata?.name)} must have volumeBindingMode WaitForFirstConsumer: ${localPathProvisioner} makes volumes on the node of the first pod`;
  const [parameter] = Object.keys(parameters);
  return parameter && `${localPathProvisioner} has no parameter ${JSON.stringify(parameter)}`;
}

function volumeFor(
  claim: CachedClaim,
  { reclaimPolicy = "Delete", mountOptions }: CachedClass,
  { metadata }: DeepReadonly<Node>,
): PersistentVolume {
  const name = localPathVolumeName(claim.metadata?.uid ?? "");
  const node = metadata?.name ?? "";
  const hostname = getOwn(metadata?.labels, "kubernetes.io/hostname") ?? node;
  return {
    metadata: {
      name,
      annotations: { [provisionedBy]: localPathProvisioner, [localPathNodeAnnotation]: node },
      ...(reclaimPolicy === "Delete" && { finalizers: [externalDeletionFinalizer] }),
    },
    spec: {
      accessModes: [...(claim.spec?.accessModes ?? ["ReadWriteOnce"])],
      capacity: { storage: getOwn(claim.spec?.resources?.requests, "storage") ?? "0" },
      claimRef: referenceOf(claim, claimKind),
      local: { path: `${localPathDirectory}/${name}` },
      ...(mountOptions && { mountOptions: [...mountOptions] }),
      nodeAffinity: {
        required: {
          nodeSelectorTerms: [
            { matchExpressions: [{ key: "kubernetes.io/hostname", operator: "In", values: [hostname] }] },
          ],
        },
      },
      persistentVolumeReclaimPolicy: reclaimPolicy,
      storageClassName: classOfClaim(claim),
      volumeMode: "Filesystem",
    },
  };
}
