import { type GroupVersionKind, parseGroupVersion } from "./group-version.js";
import type { KubernetesObject, TypeMeta } from "./object-meta.js";

/** `default/web`, or `web` for an object without a namespace: the key of work queues and caches. */
export const objectKey = ({
  metadata,
}: {
  readonly metadata: { readonly name?: string; readonly namespace?: string };
}): string => (metadata.namespace ? `${metadata.namespace}/${metadata.name ?? ""}` : (metadata.name ?? ""));

/** The parts of an `objectKey`; undefined for more than one slash. */
export function splitObjectKey(key: string): { namespace: string; name: string } | undefined {
  const parts = key.split("/");
  if (parts.length === 1) return { namespace: "", name: key };
  const [namespace, name] = parts;
  return parts.length === 2 && namespace !== undefined && name !== undefined ? { namespace, name } : undefined;
}

/** The object's own type; undefined where the apiVersion cannot be parsed. */
export function groupVersionKindOf(object: Readonly<TypeMeta>): GroupVersionKind | undefined {
  const groupVersion = parseGroupVersion(object.apiVersion ?? "");
  return groupVersion && { ...groupVersion, kind: object.kind ?? "" };
}

export const isBeingDeleted = (object: { readonly metadata: { readonly deletionTimestamp?: string } }): boolean =>
  object.metadata.deletionTimestamp !== undefined;

export const hasFinalizer = (object: Pick<KubernetesObject, "metadata">, finalizer: string): boolean =>
  object.metadata.finalizers?.includes(finalizer) ?? false;
