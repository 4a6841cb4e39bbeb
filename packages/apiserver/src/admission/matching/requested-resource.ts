import { type GroupVersionKind, type GroupVersionResource, parseGroupVersion } from "@coxswain/apimachinery/meta";
import type { AdmissionAttributes, AdmissionOperation } from "../admission.js";

/** What a write is about, in the version of the client's request. */
export interface RequestedResource {
  readonly operation: AdmissionOperation;
  readonly resource: GroupVersionResource;
  /** "" for the object itself. */
  readonly subresource: string;
  /** Of the object that is sent: a Scale, a Binding or an Eviction where the subresource has its own kind. */
  readonly kind: GroupVersionKind;
  /** "" for cluster-wide kinds; a namespace counts as being inside itself. */
  readonly namespace: string;
}

export function requestedResource(attributes: AdmissionAttributes): RequestedResource {
  const { operation, kind: own, subresource, namespace, request } = attributes;
  const { group, version } = request?.version ?? own;
  const { resource } = own;
  return {
    operation,
    resource: { group, version, resource },
    subresource,
    kind: kindOfView(attributes) ?? { group, version, kind: own.kind },
    namespace,
  };
}

/** The kind of a subresource's own objects; undefined where they are those of the resource. */
export function kindOfView({ kind, subresource, object, old }: AdmissionAttributes): GroupVersionKind | undefined {
  const { kind: sentKind = "", apiVersion = "" } = object ?? old ?? {};
  if (subresource === "" || sentKind === "" || sentKind === kind.kind) return undefined;
  const parsed = parseGroupVersion(apiVersion);
  return parsed && { ...parsed, kind: sentKind };
}
