const ofPods = new Set(["pods", "cpu", "memory", "limits.cpu", "limits.memory", "requests.cpu", "requests.memory"]);
const counted = [
  "pods",
  "resourcequotas",
  "services",
  "replicationcontrollers",
  "secrets",
  "persistentvolumeclaims",
  "configmaps",
  "services.nodeports",
  "services.loadbalancers",
];
const quotaResources = new Set([
  ...counted,
  ...["", "requests.", "limits."].flatMap((prefix) =>
    ["cpu", "memory", "ephemeral-storage"].map((name) => prefix + name),
  ),
  "requests.storage",
]);

/** What a quota may count without a domain in its name. */
export const isQuotaResource = (name: string): boolean =>
  quotaResources.has(name) || name.startsWith("hugepages-") || name.startsWith("requests.hugepages-");

/** Whether a scope can be decided for a resource: an unknown one always can. */
export function scopeFits(scope: string, resource: string): boolean {
  switch (scope) {
    case "Terminating":
    case "NotTerminating":
    case "NotBestEffort":
    case "PriorityClass":
    case "CrossNamespacePodAffinity":
      return ofPods.has(resource);
    case "BestEffort":
      return resource === "pods";
    case "VolumeAttributesClass":
      return resource === "persistentvolumeclaims" || resource === "requests.storage";
    default:
      return true;
  }
}
