import type { GroupVersionKind } from "@coxswain/apimachinery/meta";
import type { SchemaNode } from "@coxswain/apimachinery/schema";

const metaPackage = "io.k8s.apimachinery.pkg.apis.meta.v1";

/** The API group of each package whose kinds stand in documents. Groups that are called like their package are left out. */
const groups = new Map([
  ["io.k8s.api.core", ""],
  ["io.k8s.api.admission", "admission.k8s.io"],
  ["io.k8s.api.admissionregistration", "admissionregistration.k8s.io"],
  ["io.k8s.api.apiserverinternal", "internal.apiserver.k8s.io"],
  ["io.k8s.api.authentication", "authentication.k8s.io"],
  ["io.k8s.api.authorization", "authorization.k8s.io"],
  ["io.k8s.api.certificates", "certificates.k8s.io"],
  ["io.k8s.api.coordination", "coordination.k8s.io"],
  ["io.k8s.api.discovery", "discovery.k8s.io"],
  ["io.k8s.api.events", "events.k8s.io"],
  ["io.k8s.api.flowcontrol", "flowcontrol.apiserver.k8s.io"],
  ["io.k8s.api.imagepolicy", "imagepolicy.k8s.io"],
  ["io.k8s.api.networking", "networking.k8s.io"],
  ["io.k8s.api.node", "node.k8s.io"],
  ["io.k8s.api.rbac", "rbac.authorization.k8s.io"],
  ["io.k8s.api.resource", "resource.k8s.io"],
  ["io.k8s.api.scheduling", "scheduling.k8s.io"],
  ["io.k8s.api.storage", "storage.k8s.io"],
  ["io.k8s.api.storagemigration", "storagemigration.k8s.io"],
  ["io.k8s.apiextensions-apiserver.pkg.apis.apiextensions", "apiextensions.k8s.io"],
  ["io.k8s.kube-aggregator.pkg.apis.apiregistration", "apiregistration.k8s.io"],
]);
const packages = new Map([...groups].map(([name, group]) => [group, name]));

/** OpenAPI name of a built-in kind. */
export function typeNameOf({ group, version, kind }: GroupVersionKind): string {
  return `${packages.get(group) ?? `io.k8s.api.${group}`}.${version}.${kind}`;
}

/** Registered with every group-version, so that a request may name it by the group-version it is sent to. */
const everywhere = new Set([`${metaPackage}.DeleteOptions`, `${metaPackage}.WatchEvent`]);

/**
 * The kinds that a type has, for x-kubernetes-group-version-kind; none where it is only a part of others. `groupVersions`
 * are those of the document, for the types that belong to each.
 */
export function kindsOfType(
  node: SchemaNode,
  groupVersions: readonly { readonly group: string; readonly version: string }[],
): GroupVersionKind[] {
  const [, packageName = "", version = "", kind = ""] = /^(.*)\.([^.]+)\.([^.]+)$/.exec(node.name) ?? [];
  if (everywhere.has(node.name)) {
    const others = groupVersions.filter((of) => of.group !== "" || of.version !== "v1");
    return [
      { group: "", version: "v1", kind },
      ...others.map((of) => ({ group: of.group, version: of.version, kind })),
    ];
  }
  if (!hasTypeMeta(node)) return [];
  if (node.name.startsWith(`${metaPackage}.`)) return [{ group: "", version: "v1", kind }];
  return [{ group: groups.get(packageName) ?? packageName.replace("io.k8s.api.", ""), version, kind }];
}

/**
 * Whether `kind` and `apiVersion` identify the object. In a reference to another object they are members with protobuf
 * numbers; those of an object itself have none.
 */
function hasTypeMeta(node: SchemaNode): boolean {
  const kind = node.byName.get("kind");
  return (
    kind !== undefined && node.byName.has("apiVersion") && !node.message.some((member) => member.field?.name === "kind")
  );
}
