import type { ServiceAccount } from "@coxswain/api/core/v1";
import type { RuntimeClass } from "@coxswain/api/node/v1";
import type { PriorityClass } from "@coxswain/api/scheduling/v1";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import { createLister, type Lister } from "../cache/lister.js";
import { namespacePhase } from "../registry/namespace-phase.js";
import { storedKind } from "../registry/stored-kind.js";
import type { ObjectDeps } from "../objects/object-deps.js";
import type { AdmissionPlugin } from "./admission.js";
import { choosePlugins, type PluginChoice } from "./choose-plugins.js";
import { createDefaultIngressClass } from "./default-ingress-class.js";
import { createDefaultStorageClass } from "./default-storage-class.js";
import { defaultTolerationSeconds } from "./default-toleration-seconds.js";
import { createLimitRanger } from "./limit-ranger/limit-ranger.js";
import { createNamespaceLifecycle } from "./namespace-lifecycle.js";
import { createPodTopologyLabels } from "./pod-topology-labels.js";
import { makePodSecurity } from "./pod-security/make-pod-security.js";
import { createPriority } from "./priority.js";
import { makeResourceQuota } from "./resource-quota/make-resource-quota.js";
import { createRuntimeClass } from "./runtime-class.js";
import { createServiceAccount } from "./service-account.js";
import { storageObjectInUseProtection } from "./storage-object-in-use-protection.js";
import { taintNodesByCondition } from "./taint-nodes-by-condition.js";

export type PluginDeps = Omit<ObjectDeps, "admission">;

/** Run only when they are asked for. ServiceAccount needs a controller beside the server that makes the accounts of namespaces. */
const off = ["ServiceAccount"];

/** Upstream's order; what is not here yet stands in the README's table. */
export function defaultPlugins(deps: PluginDeps, choice: PluginChoice): AdmissionPlugin[] {
  const { feed, random, gates } = deps;
  const listerOf = <T = KubernetesObject>(group: string, resource: string): Lister<T> => createLister(feed.cacheOf(storedKind(group, resource)));
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
    createRuntimeClass(listerOf<RuntimeClass>("node.k8s.io", "runtimeclasses")),
    createDefaultIngressClass(listerOf("networking.k8s.io", "ingressclasses")),
    createPodTopologyLabels(listerOf("", "nodes"), () => gates.enabled("PodTopologyLabelsAdmission")),
    makeResourceQuota(deps, undefined),
  ];
  return choosePlugins(all, off, choice);
}
