import { walk } from "@coxswain/apimachinery/json";
import { lastAppliedAnnotation, type ManagedFieldsEntry } from "@coxswain/apimachinery/managed-fields";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import { type AnyKind, builtInKinds } from "@coxswain/kinds";
import { ownedFields, ownedPart } from "./owned-part.js";
import { withoutDefaults } from "./without-defaults.js";

/** Resources that report what happened, or that follow from others; and questions. */
const left = new Set([
  "events",
  "leases",
  "endpoints",
  "endpointslices",
  "nodes",
  "componentstatuses",
  "controllerrevisions",
  "volumeattachments",
  "csinodes",
  "csistoragecapacities",
  "certificatesigningrequests",
  "ipaddresses",
  "changes",
  "reconciles",
]);

export const isExportedResource = (resource: string, verbs: readonly string[]): boolean =>
  !left.has(resource) && !resource.includes("/") && ["list", "create"].every((verb) => verbs.includes(verb));

/** Pure: an object as a person would have written it; undefined: nobody wrote it. */
export function planExport(object: KubernetesObject): KubernetesObject | undefined {
  const { metadata = {} } = object;
  if ((metadata.ownerReferences ?? []).some(({ controller }) => controller === true)) return undefined;
  if (metadata.deletionTimestamp !== undefined || isOfTheSystem(object)) return undefined;
  const entries = (metadata.managedFields ?? []) as readonly ManagedFieldsEntry[];
  const owned = ownedFields(entries);
  // Without any manager it is an object without fields: somebody made it.
  if (!owned && entries.length > 0) return undefined;
  const part = (owned ? ownedPart(object, owned) : {}) as KubernetesObject & { status?: unknown };
  const { status: _, ...rest } = part;
  const { name, namespace } = metadata;
  const { labels, annotations, finalizers } = rest.metadata ?? {};
  const kept = withoutKeys(annotations, [lastAppliedAnnotation, "deployment.kubernetes.io/revision"]);
  const shownLabels = withoutKeys(labels, ["kubernetes.io/metadata.name"]);
  const plain = {
    ...rest,
    apiVersion: object.apiVersion,
    kind: object.kind,
    metadata: {
      name,
      ...(namespace !== undefined && { namespace }),
      ...(shownLabels && { labels: shownLabels }),
      ...(kept && { annotations: kept }),
      ...(finalizers && finalizers.length > 0 && { finalizers }),
    },
  } as KubernetesObject;
  const kind = kindOf(object);
  return inOrder(kind?.setDefaults ? withoutDefaults(plain, (each) => completed(kind, each)) : plain);
}

/** The object as the server would have it: in its full form, with defaults. */
function completed(kind: AnyKind, object: KubernetesObject): unknown {
  const full = walk(object, kind.schema);
  kind.setDefaults?.(full as never);
  return full;
}

/** What a cluster has from the beginning, and what is made for each namespace. */
function isOfTheSystem({ kind, metadata = {} }: KubernetesObject): boolean {
  const { name = "", labels = {} } = metadata;
  return (
    labels["kubernetes.io/bootstrapping"] === "rbac-defaults" ||
    (kind === "Namespace" && /^(default|kube-.*)$/.test(name)) ||
    (kind === "ConfigMap" && /^(kube-root-ca\.crt|extension-apiserver-authentication)$/.test(name)) ||
    (kind === "ServiceAccount" && name === "default")
  );
}

const kindOf = ({ apiVersion, kind }: KubernetesObject): AnyKind | undefined =>
  builtInKinds.find(
    (each) => each.kind === kind && apiVersion === (each.group === "" ? each.version : `${each.group}/${each.version}`),
  );

function withoutKeys(map: Readonly<Record<string, string>> | undefined, names: readonly string[]) {
  const entries = Object.entries(map ?? {}).filter(([name]) => !names.includes(name));
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

/** As manifests are written: apiVersion, kind, metadata, then the rest. */
function inOrder({ apiVersion, kind, metadata, ...rest }: KubernetesObject): KubernetesObject {
  return { apiVersion, kind, metadata, ...rest } as KubernetesObject;
}
