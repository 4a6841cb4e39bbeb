import type { Node, ServiceAccount } from "@coxswain/api/core/v1";
import type { RuntimeClass } from "@coxswain/api/node/v1";
import type { PriorityClass } from "@coxswain/api/scheduling/v1";
import type { StorageClass } from "@coxswain/api/storage/v1";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import { builtInKinds } from "@coxswain/kinds";
import type { Authorizer } from "../authorization/attributes.js";
import { createLister, type Lister } from "../cache/lister.js";
import { namespacePhase } from "../registry/namespace-phase.js";
import { storedKind } from "../registry/stored-kind.js";
import type { ObjectDeps } from "../objects/object-deps.js";
import type { AdmissionPlugin } from "./admission.js";
import { createCertificateApproval } from "./certificates/certificate-approval.js";
import { createCertificateSigning } from "./certificates/certificate-signing.js";
import { certificateSubjectRestriction } from "./certificates/certificate-subject-restriction.js";
import { choosePlugins, type PluginChoice } from "./choose-plugins.js";
import { createDefaultIngressClass } from "./default-ingress-class.js";
import { createDefaultStorageClass } from "./default-storage-class.js";
import { defaultTolerationSeconds } from "./default-toleration-seconds.js";
import { createLimitRanger } from "./limit-ranger/limit-ranger.js";
import { createNamespaceLifecycle } from "./namespace-lifecycle.js";
import { createPodTopologyLabels } from "./pod-topology-labels.js";
import { createNodeDeclaredFeatureValidator } from "./node-declared-feature-validator.js";
import { createOwnerReferencesPermissionEnforcement } from "./owner-references-permission-enforcement.js";
import { createPersistentVolumeClaimResize } from "./persistent-volume-claim-resize.js";
import { createPodResizeValidator } from "./pod-resize-validator.js";
import { makePodSecurity } from "./pod-security/make-pod-security.js";
import { createPriority } from "./priority.js";
import { makeResourceQuota } from "./resource-quota/make-resource-quota.js";
import { resourceOfKind } from "./resource-of-kind.js";
import { createRuntimeClass } from "./runtime-class.js";
import { createServiceAccount } from "./service-account.js";
import { storageObjectInUseProtection } from "./storage-object-in-use-protection.js";
import { taintNodesByCondition } from "./taint-nodes-by-condition.js";

export interface PluginDeps extends Omit<ObjectDeps, "admission"> {
  readonly authorizer: Authorizer;
}

/** Run only when they are asked for. ServiceAccount needs a controller beside the server that makes the accounts of namespaces. */
const off = ["ServiceAccount", "OwnerReferencesPermissionEnforcement"];

/** Upstream's order; what is not here yet stands in the README's table. */
export function defaultPlugins(deps: PluginDeps, choice: PluginChoice): AdmissionPlugin[] {
  const { feed, random, gates, authorizer } = deps;
  const listerOf = <T = KubernetesObject>(group: string, resource: string): Lister<T> => createLister(feed.cacheOf(storedKind(group, resource)));
  const nodes = listerOf<Node & KubernetesObject>("", "nodes");
  const all = [
    createNamespaceLifecycle(namespacePhase(feed)),
    createLimitRanger(listerOf("", "limitranges")),
    createServiceAccount({ accounts: listerOf<ServiceAccount & KubernetesObject>("", "serviceaccounts"), random }),
    taintNodesByCondition,
    makePodSecurity(deps, undefined),
    createPriority(listerOf<PriorityClass>("scheduling.k8s.io", "priorityclasses")),
    defaultTolerationSeconds,
    createDefaultStorageClass(listerOf("storage.k8s.io", "storageclasses")),
    storageObjectInUseProtection,
    idle("PodGroupProtection"),
    createOwnerReferencesPermissionEnforcement({ authorizer, resourceOf: resourceOfKind(builtInKinds) }),
    createPersistentVolumeClaimResize(listerOf<StorageClass>("storage.k8s.io", "storageclasses")),
    createRuntimeClass(listerOf<RuntimeClass>("node.k8s.io", "runtimeclasses")),
    createCertificateApproval(authorizer),
    createCertificateSigning(authorizer),
    idle("ClusterTrustBundleAttest"),
    certificateSubjectRestriction,
    createDefaultIngressClass(listerOf("networking.k8s.io", "ingressclasses")),
    createPodTopologyLabels(nodes, () => gates.enabled("PodTopologyLabelsAdmission")),
    idle("PodGroupWorkloadExists"),
    createNodeDeclaredFeatureValidator(nodes, () => gates.enabled("NodeDeclaredFeatures")),
    idle("JobValidation"),
    createPodResizeValidator(nodes, () => gates.enabled("InPlacePodVerticalScaling")),
    makeResourceQuota(deps, undefined),
  ];
  return choosePlugins(all, off, choice);
}

/** Known by name, and with nothing to do as long as the gates of what it is for are off. */
const idle = (name: string): AdmissionPlugin => ({ name, operations: [] });
