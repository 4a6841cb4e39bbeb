import type { ObjectReference } from "@coxswain/api/core/v1";
import type { CachedObject } from "../stores/index.js";

/** An object with its kind and apiVersion, or a reference to one. */
export type Referable =
  | Readonly<ObjectReference>
  | (CachedObject & { readonly apiVersion?: string; readonly kind?: string });

/**
 * The reference to an object. Items of a list may lack kind and apiVersion: pass a reference, or the object with both.
 * @throws Error when they are missing
 */
export function referenceTo(object: Referable): ObjectReference {
  const metadata = "metadata" in object ? object.metadata : (object as ObjectReference);
  if (!object.kind || !object.apiVersion) {
    const name = metadata?.namespace ? `${metadata.namespace}/${metadata.name}` : (metadata?.name ?? "");
    throw new Error(`no reference can be made to ${name}: kind and apiVersion are missing`);
  }
  if (!("metadata" in object)) return { ...(object as ObjectReference) };
  return {
    kind: object.kind,
    apiVersion: object.apiVersion,
    ...(metadata?.name ? { name: metadata.name } : {}),
    ...(metadata?.namespace ? { namespace: metadata.namespace } : {}),
    ...(metadata?.uid ? { uid: metadata.uid } : {}),
    ...(metadata?.resourceVersion ? { resourceVersion: metadata.resourceVersion } : {}),
  };
}
