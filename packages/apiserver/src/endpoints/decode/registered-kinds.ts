import { builtInTypes } from "@coxswain/api/tables";
import type { GroupVersionKind } from "@coxswain/apimachinery/meta";
import type { SchemaNode } from "@coxswain/apimachinery/schema";
import { schemeGroupVersions } from "../../documents/schemas/scheme-group-versions.js";
import { kindsOfType, typeNameOf } from "../../documents/schemas/type-kinds.js";

/** Kinds that every group-version has. */
const everywhere = new Set([
  "CreateOptions",
  "DeleteOptions",
  "GetOptions",
  "ListOptions",
  "PatchOptions",
  "UpdateOptions",
  "WatchEvent",
]);
const unversioned = new Set(["APIGroup", "APIGroupList", "APIResourceList", "APIVersions", "Status"]);

/** Groups that upstream serves from programs of their own inside its server; each knows only its own kinds. */
const separate = new Set(["apiextensions.k8s.io", "apiregistration.k8s.io"]);

/** The type of a kind that upstream's code knows where kinds of the group `among` are served; undefined: it does not. */
export function registeredType(wanted: GroupVersionKind, among: string): SchemaNode | undefined {
  const { group, version, kind } = wanted;
  if ((separate.has(group) || separate.has(among)) && group !== among) return undefined;
  const isMeta = everywhere.has(kind)
    ? schemeGroupVersions.some((known) => known.group === group && known.version === version)
    : group === "" && version === "v1" && unversioned.has(kind);
  const name = isMeta ? `io.k8s.apimachinery.pkg.apis.meta.v1.${kind}` : typeNameOf(wanted);
  if (!builtInTypes.has(name)) return undefined;
  const node = builtInTypes.get(name);
  return isMeta || kindsOfType(node, []).length > 0 ? node : undefined;
}

/** Upstream's message for a kind it does not know. The name of the scheme is a place in its sources. */
export const notRegistered = (
  { group, version, kind }: GroupVersionKind,
  scheme = "pkg/api/legacyscheme/scheme.go:30",
): string =>
  `no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(group === "" ? version : `${group}/${version}`)} in scheme ${JSON.stringify(scheme)}`;
