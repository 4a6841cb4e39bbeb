/**
 * Every group-version that upstream's code knows, served or not. Kinds that belong to all of them (DeleteOptions, WatchEvent)
 * list them in the OpenAPI 2 document.
 */
const versions: Record<string, string> = {
  "": "v1",
  "admission.k8s.io": "v1 v1beta1",
  "admissionregistration.k8s.io": "v1 v1alpha1 v1beta1",
  "apiextensions.k8s.io": "v1 v1beta1",
  "apiregistration.k8s.io": "v1 v1beta1",
  apps: "v1 v1beta1 v1beta2",
  "authentication.k8s.io": "v1 v1alpha1 v1beta1",
  "authorization.k8s.io": "v1 v1beta1",
  autoscaling: "v1 v2",
  batch: "v1 v1beta1",
  "certificates.k8s.io": "v1 v1alpha1 v1beta1",
  "coordination.k8s.io": "v1 v1alpha2 v1beta1",
  "discovery.k8s.io": "v1 v1beta1",
  "events.k8s.io": "v1 v1beta1",
  extensions: "v1beta1",
  "flowcontrol.apiserver.k8s.io": "v1 v1beta1 v1beta2 v1beta3",
  "imagepolicy.k8s.io": "v1alpha1",
  "internal.apiserver.k8s.io": "v1alpha1",
  "networking.k8s.io": "v1 v1beta1",
  "node.k8s.io": "v1 v1alpha1 v1beta1",
  policy: "v1 v1beta1",
  "rbac.authorization.k8s.io": "v1 v1alpha1 v1beta1",
  "resource.k8s.io": "v1 v1alpha3 v1beta1 v1beta2",
  "scheduling.k8s.io": "v1 v1alpha2 v1beta1",
  "storage.k8s.io": "v1 v1alpha1 v1beta1",
  "storagemigration.k8s.io": "v1beta1",
};

export const schemeGroupVersions: readonly { readonly group: string; readonly version: string }[] = Object.entries(
  versions,
).flatMap(([group, names]) => names.split(" ").map((version) => ({ group, version })));

const notInClients = new Set([
  "admission.k8s.io",
  "apiextensions.k8s.io",
  "apiregistration.k8s.io",
  "imagepolicy.k8s.io",
]);

/** Those that upstream's client library knows. The OpenAPI 3 documents of custom resources are made from these. */
export const clientGroupVersions = schemeGroupVersions.filter(({ group }) => !notInClients.has(group));
