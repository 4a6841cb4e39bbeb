import {
  formatGroupVersion,
  formatGroupVersionKind,
  type GroupVersionKind,
  parseGroupVersion,
} from "../meta/group-version.js";
import type { KubernetesObject } from "../meta/object-meta.js";
import type { Scheme } from "./scheme.js";

/** An object that names its kind, as everything does that is written, sent or kept: what Go calls a runtime.Object. */
export type NamedObject<T = object> = T & { readonly apiVersion: string; readonly kind: string };

/** The kind of an object, by its own members. @throws NotRegisteredError where nobody registered that kind */
export function kindOf(scheme: Scheme, object: Pick<KubernetesObject, "apiVersion" | "kind">): GroupVersionKind {
  const { apiVersion = "", kind = "" } = object;
  return scheme.get({ ...(parseGroupVersion(apiVersion) ?? { group: "", version: apiVersion }), kind }).gvk;
}

/** A value of a registered kind as an object that names it. @throws NotRegisteredError */
export function toObject<T extends object>(scheme: Scheme, gvk: GroupVersionKind, value: T): NamedObject<T> {
  scheme.get(gvk);
  const name = { apiVersion: formatGroupVersion(gvk), kind: gvk.kind };
  // Twice: they come first in an object's members, and take the place of those that the value has.
  return { ...name, ...value, ...name };
}

/** An object as what its kind declares: the way back. @throws TypeError if it is of another kind or version, NotRegisteredError if nobody knows that */
export function fromObject<T extends object>(
  scheme: Scheme,
  gvk: GroupVersionKind,
  object: Pick<KubernetesObject, "apiVersion" | "kind">,
): T {
  const found = kindOf(scheme, object);
  if (formatGroupVersionKind(found) === formatGroupVersionKind(gvk)) return object as T;
  throw new TypeError(`the object is ${formatGroupVersionKind(found)}, not ${formatGroupVersionKind(gvk)}`);
}
