import type { Node } from "@coxswain/api/core/v1";
import { quoteGo } from "@coxswain/apimachinery/field";
import { equalJson } from "@coxswain/apimachinery/json";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import { getOwn } from "@coxswain/apimachinery/own";
import { refuse } from "./refuse.js";
import type { Restriction } from "./restriction.js";

type StoredNode = Node & KubernetesObject;
type Labels = Readonly<Record<string, string>> | undefined;

/** A kubelet writes its own Node, but nothing there by which it could draw workloads to itself. */
export const restrictNodes: Restriction = (_deps, name, attributes) => {
  const node = quoteGo(name);
  if (attributes.name !== name)
    throw refuse(attributes, `node ${node} is not allowed to modify node ${quoteGo(attributes.name)}`);
  const next = attributes.object as StoredNode | undefined;
  const old = attributes.old as StoredNode | undefined;
  if (attributes.operation === "CREATE") {
    if (next?.spec?.configSource)
      throw refuse(attributes, `node ${node} is not allowed to create pods with a non-nil configSource`);
    const labels = forbiddenLabels(next?.metadata.labels, undefined);
    if (labels.length > 0)
      throw refuse(attributes, `node ${node} is not allowed to set the following labels: ${labels.join(", ")}`);
  }
  if (attributes.operation === "UPDATE") {
    if (next?.spec?.configSource && !equalJson(next.spec.configSource, old?.spec?.configSource ?? null))
      throw refuse(attributes, `node ${node} is not allowed to update configSource to a new non-nil configSource`);
    if (!equalJson(next?.spec?.taints ?? [], old?.spec?.taints ?? []))
      throw refuse(attributes, `node ${node} is not allowed to modify taints`);
    if (!equalJson(next?.metadata.ownerReferences ?? [], old?.metadata.ownerReferences ?? []))
      throw refuse(attributes, `node ${node} is not allowed to modify ownerReferences`);
    const labels = forbiddenLabels(next?.metadata.labels, old?.metadata.labels);
    if (labels.length > 0) throw refuse(attributes, `is not allowed to modify labels: ${labels.join(", ")}`);
  }
};

/** Labels of Kubernetes that a kubelet sets itself. */
const ofKubelets = new Set([
  "kubernetes.io/hostname",
  "topology.kubernetes.io/zone",
  "topology.kubernetes.io/region",
  "failure-domain.beta.kubernetes.io/zone",
  "failure-domain.beta.kubernetes.io/region",
  "beta.kubernetes.io/instance-type",
  "node.kubernetes.io/instance-type",
  "kubernetes.io/os",
  "kubernetes.io/arch",
  "beta.kubernetes.io/os",
  "beta.kubernetes.io/arch",
]);

function forbiddenLabels(next: Labels, old: Labels): string[] {
  const keys = new Set([...Object.keys(next ?? {}), ...Object.keys(old ?? {})]);
  return [...keys].filter((key) => getOwn(next, key) !== getOwn(old, key) && isForbidden(key)).sort();
}

function isForbidden(key: string): boolean {
  const slash = key.indexOf("/");
  const home = slash < 0 ? "" : key.slice(0, slash);
  const isIn = (domain: string): boolean => home === domain || home.endsWith(`.${domain}`);
  if (isIn("node-restriction.kubernetes.io")) return true;
  if (!isIn("kubernetes.io") && !isIn("k8s.io")) return false;
  return !ofKubelets.has(key) && !isIn("kubelet.kubernetes.io") && !isIn("node.kubernetes.io");
}
