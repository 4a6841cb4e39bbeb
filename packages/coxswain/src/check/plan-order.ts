import type { Manifest, SourceObject } from "./read-objects.js";

/**
 * Objects are created in this order, each group in the order of the input: what checks of others need comes first. Webhooks and aggregated
 * API servers come last, so that nothing is sent to them: they do not run here.
 */
export type Stage = "definitions" | "namespaces" | "surroundings" | "policies" | "objects" | "extensions";

export const stages: readonly Stage[] = [
  "definitions",
  "namespaces",
  "surroundings",
  "policies",
  "objects",
  "extensions",
];

const stageOfKind: Readonly<Record<string, Stage>> = {
  "CustomResourceDefinition.apiextensions.k8s.io": "definitions",
  "Namespace.": "namespaces",
  "ServiceAccount.": "surroundings",
  "LimitRange.": "surroundings",
  "ResourceQuota.": "surroundings",
  "PriorityClass.scheduling.k8s.io": "surroundings",
  "RuntimeClass.node.k8s.io": "surroundings",
  "StorageClass.storage.k8s.io": "surroundings",
  "IngressClass.networking.k8s.io": "surroundings",
  "ValidatingAdmissionPolicy.admissionregistration.k8s.io": "policies",
  "ValidatingAdmissionPolicyBinding.admissionregistration.k8s.io": "policies",
  "MutatingAdmissionPolicy.admissionregistration.k8s.io": "policies",
  "MutatingAdmissionPolicyBinding.admissionregistration.k8s.io": "policies",
  "ValidatingWebhookConfiguration.admissionregistration.k8s.io": "extensions",
  "MutatingWebhookConfiguration.admissionregistration.k8s.io": "extensions",
  "APIService.apiregistration.k8s.io": "extensions",
};

/** Pure. Objects that are parameters of policies come before the policies. */
export function planOrder(objects: readonly SourceObject[]): ReadonlyMap<Stage, readonly SourceObject[]> {
  const parameters = new Set(objects.map(({ manifest }) => parameterKind(manifest)));
  const stage = ({ manifest }: SourceObject): Stage => {
    const own = stageOf(manifest);
    return own === "objects" && parameters.has(`${manifest.apiVersion} ${manifest.kind}`) ? "surroundings" : own;
  };
  return new Map(stages.map((each) => [each, objects.filter((object) => stage(object) === each)]));
}

/** Of a kind as such. */
export const stageOf = (manifest: Manifest): Stage => stageOfKind[`${manifest.kind}.${groupOf(manifest)}`] ?? "objects";

export const groupOf = ({ apiVersion }: Manifest): string =>
  apiVersion.includes("/") ? apiVersion.slice(0, apiVersion.indexOf("/")) : "";

function parameterKind(manifest: Manifest): string | undefined {
  const { paramKind } = (manifest as { spec?: { paramKind?: { apiVersion?: string; kind?: string } } }).spec ?? {};
  return paramKind && `${paramKind.apiVersion} ${paramKind.kind}`;
}
