import type { Namespace, Node, ServiceAccount } from "@coxswain/api/core/v1";
import type { RuntimeClass } from "@coxswain/api/node/v1";
import type { PriorityClass } from "@coxswain/api/scheduling/v1";
import type { StorageClass } from "@coxswain/api/storage/v1";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import { builtInKinds } from "@coxswain/kinds";
import { createLister, type Lister } from "../cache/lister.js";
import { storedKind } from "../catalogue/stored-kind.js";
import type { AdmissionPlugin } from "./admission.js";
import { alwaysAdmit, alwaysDeny } from "./always.js";
import { alwaysPullImages } from "./always-pull-images.js";
import { createCertificateApproval } from "./certificates/certificate-approval.js";
import { createCertificateSigning } from "./certificates/certificate-signing.js";
import { certificateSubjectRestriction } from "./certificates/certificate-subject-restriction.js";
import { choosePlugins, type PluginChoice } from "./choose-plugins.js";
import type { PluginConfiguration } from "./configuration/plugin-configuration.js";
import { createDefaultIngressClass } from "./default-ingress-class.js";
import { createDefaultStorageClass } from "./default-storage-class.js";
import { defaultTolerationSeconds } from "./default-toleration-seconds.js";
import { denyServiceExternalIps } from "./deny-service-external-ips.js";
import { readEventLimits } from "./event-rate-limit/configuration.js";
import { createEventRateLimit } from "./event-rate-limit/event-rate-limit.js";
import { extendedResourceToleration } from "./extended-resource-toleration.js";
import { makeImagePolicyWebhook } from "./image-policy-webhook/make-image-policy-webhook.js";
import { createInitializers } from "./initializers.js";
import { limitPodHardAntiAffinityTopology } from "./limit-pod-hard-anti-affinity-topology.js";
import { createLimitRanger } from "./limit-ranger/limit-ranger.js";
import { createNamespaceAutoProvision } from "./namespace-auto-provision.js";
import { createNamespaceExists } from "./namespace-exists.js";
import { createNamespaceLifecycle } from "./namespace-lifecycle.js";
import { namespacePhase } from "./namespace-phase.js";
import { createNodeDeclaredFeatureValidator } from "./node-declared-feature-validator.js";
import { makeNodeRestriction } from "./node-restriction/make-node-restriction.js";
import { createOwnerReferencesPermissionEnforcement } from "./owner-references-permission-enforcement.js";
import { createPersistentVolumeClaimResize } from "./persistent-volume-claim-resize.js";
import type { PluginDeps } from "./plugin-deps.js";
import { createPodNodeSelector, readClusterNodeSelectors } from "./pod-node-selector.js";
import { createPodResizeValidator } from "./pod-resize-validator.js";
import { makePodSecurity } from "./pod-security/make-pod-security.js";
import {
  createPodTolerationRestriction,
  readTolerationConfiguration,
} from "./pod-toleration-restriction/pod-toleration-restriction.js";
import { createPodTopologyLabels } from "./pod-topology-labels.js";
import { createMutatingPolicies } from "./policies/mutating/mutating-policies.js";
import { createValidatingPolicies } from "./policies/validating/validating-policies.js";
import { createPriority } from "./priority.js";
import { resourceOfKind } from "./resource-of-kind.js";
import { makeResourceQuota } from "./resource-quota/make-resource-quota.js";
import { createRuntimeClass } from "./runtime-class.js";
import { createServiceAccount } from "./service-account.js";
import { storageObjectInUseProtection } from "./storage-object-in-use-protection.js";
import { taintNodesByCondition } from "./taint-nodes-by-condition.js";
import { makeWebhooks } from "./webhooks/make-webhooks.js";

/** Run only when they are asked for. */
const off = [
  "AlwaysAdmit",
  "AlwaysDeny",
  "AlwaysPullImages",
  "DenyServiceExternalIPs",
  "EventRateLimit",
  "ExtendedResourceToleration",
  "ImagePolicyWebhook",
  "LimitPodHardAntiAffinityTopology",
  "NamespaceAutoProvision",
  "NamespaceExists",
  "OwnerReferencesPermissionEnforcement",
  "PodNodeSelector",
  "PodTolerationRestriction",
];

interface Entry {
  readonly name: string;
  /** Called only if the plugin runs: it may need a configuration that is not there. */
  make(configuration: PluginConfiguration | undefined): AdmissionPlugin;
}

/** Upstream's order. */
export function defaultPlugins(deps: PluginDeps, choice: PluginChoice): AdmissionPlugin[] {
  const { feed, runtime, gates, authorizer } = deps;
  const { clock, random } = runtime;
  const listerOf = <T = KubernetesObject>(group: string, resource: string): Lister<T> =>
    createLister(feed.cacheOf(storedKind(group, resource)));
  const nodes = listerOf<Node & KubernetesObject>("", "nodes");
  const namespaces = listerOf<Namespace & KubernetesObject>("", "namespaces");
  const phaseOf = namespacePhase(feed);
  const all: Entry[] = [
    ready(alwaysAdmit),
    ready(createNamespaceAutoProvision(phaseOf, (namespace) => deps.makeNamespace(namespace))),
    ready(createNamespaceLifecycle(phaseOf)),
    ready(createNamespaceExists(phaseOf)),
    ready(limitPodHardAntiAffinityTopology),
    ready(createLimitRanger(listerOf("", "limitranges"))),
    ready(
      createServiceAccount({ accounts: listerOf<ServiceAccount & KubernetesObject>("", "serviceaccounts"), random }),
    ),
    ready(makeNodeRestriction(deps)),
    ready(taintNodesByCondition),
    ready(alwaysPullImages),
    {
      name: "ImagePolicyWebhook",
      make: (configuration) => makeImagePolicyWebhook(runtime, configuration),
    },
    { name: "PodSecurity", make: (configuration) => makePodSecurity(deps, configuration) },
    {
      name: "PodNodeSelector",
      make: (configuration) => createPodNodeSelector(namespaces, readClusterNodeSelectors(configuration)),
    },
    ready(createPriority(listerOf<PriorityClass>("scheduling.k8s.io", "priorityclasses"))),
    ready(defaultTolerationSeconds),
    {
      name: "PodTolerationRestriction",
      make: (configuration) => createPodTolerationRestriction(namespaces, readTolerationConfiguration(configuration)),
    },
    { name: "EventRateLimit", make: (configuration) => createEventRateLimit(readEventLimits(configuration), clock) },
    ready(extendedResourceToleration),
    ready(createDefaultStorageClass(listerOf("storage.k8s.io", "storageclasses"))),
    ready(storageObjectInUseProtection),
    idle("PodGroupProtection"),
    ready(createOwnerReferencesPermissionEnforcement({ authorizer, resourceOf: resourceOfKind(builtInKinds) })),
    ready(createPersistentVolumeClaimResize(listerOf<StorageClass>("storage.k8s.io", "storageclasses"))),
    ready(createRuntimeClass(listerOf<RuntimeClass>("node.k8s.io", "runtimeclasses"))),
    ready(createCertificateApproval(authorizer)),
    ready(createCertificateSigning(authorizer)),
    idle("ClusterTrustBundleAttest"),
    ready(certificateSubjectRestriction),
    ready(createDefaultIngressClass(listerOf("networking.k8s.io", "ingressclasses"))),
    ready(denyServiceExternalIps),
    ready(createPodTopologyLabels(nodes, () => gates.enabled("PodTopologyLabelsAdmission"))),
    idle("PodGroupWorkloadExists"),
    ready(createNodeDeclaredFeatureValidator(nodes, () => gates.enabled("NodeDeclaredFeatures"))),
    idle("JobValidation"),
    ready(createPodResizeValidator(nodes, () => gates.enabled("InPlacePodVerticalScaling"))),
    // Where upstream had it, before webhooks.
    ...(gates.enabled("Initializers") ? [ready(createInitializers(deps))] : []),
    gates.enabled("MutatingAdmissionPolicy") ? ready(createMutatingPolicies(deps)) : idle("MutatingAdmissionPolicy"),
    { name: "MutatingAdmissionWebhook", make: (configuration) => makeWebhooks("admit", deps, configuration) },
    ready(createValidatingPolicies(deps)),
    { name: "ValidatingAdmissionWebhook", make: (configuration) => makeWebhooks("validating", deps, configuration) },
    { name: "ResourceQuota", make: (configuration) => makeResourceQuota(deps, configuration) },
    ready(alwaysDeny),
  ];
  return choosePlugins(all, off, choice).map(({ name, make }) => make(choice.configuration?.get(name)));
}

const ready = (plugin: AdmissionPlugin): Entry => ({ name: plugin.name, make: () => plugin });

/** Known by name, and with nothing to do as long as the gates of what it is for are off. */
const idle = (name: string): Entry => ready({ name, operations: [] });
