import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import { bootstrapPolicy } from "../../authorization/rbac/gen/bootstrap-policy.js";

const namespace = (name: string): KubernetesObject => ({ apiVersion: "v1", kind: "Namespace", metadata: { name } });

const priorityClass = (name: string, value: number, description: string): KubernetesObject =>
  ({
    apiVersion: "scheduling.k8s.io/v1",
    kind: "PriorityClass",
    metadata: { name },
    value,
    description,
    preemptionPolicy: "PreemptLowerPriority",
  }) as KubernetesObject;

/** What a server makes when it finds it missing, in this order: what stands in a namespace comes after it. */
export const bootstrapObjects: readonly KubernetesObject[] = [
  ...["default", "kube-node-lease", "kube-public", "kube-system"].map(namespace),
  priorityClass(
    "system-cluster-critical",
    2_000_000_000,
    "Used for system critical pods that must run in the cluster, but can be moved to another node if necessary.",
  ),
  priorityClass(
    "system-node-critical",
    2_000_001_000,
    "Used for system critical pods that must not be moved from their current node.",
  ),
  ...bootstrapPolicy,
];
