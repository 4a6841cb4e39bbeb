import type { OwnerReference } from "@coxswain/apimachinery/meta";
import { compareUtf8 } from "@coxswain/apimachinery/text";

/** Which object is meant: what an owner reference names, and a namespace. */
export interface ObjectIdentity {
  readonly apiVersion: string;
  readonly kind: string;
  /** Empty for objects of the cluster. */
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

/** The owner as a reference names it, were it in this namespace. */
export const identityOfReference = (
  { apiVersion, kind, name, uid }: Readonly<OwnerReference>,
  namespace: string,
): ObjectIdentity => ({ apiVersion, kind, namespace, name, uid });

/** Whether a reference names the object in every respect; the namespace is not part of a reference. */
export const isReferenceTo = (reference: Readonly<OwnerReference>, identity: ObjectIdentity): boolean =>
  reference.uid === identity.uid &&
  reference.name === identity.name &&
  reference.kind === identity.kind &&
  reference.apiVersion === identity.apiVersion;

export const isSameIdentity = (a: ObjectIdentity, b: ObjectIdentity): boolean => identityKey(a) === identityKey(b);

/** Distinct for distinct identities: no member may contain the separator. */
export const identityKey = ({ apiVersion, kind, namespace, name, uid }: ObjectIdentity): string =>
  [apiVersion, kind, namespace, name, uid].join("\0");

/** By kind first, so that the order does not depend on whether a kind is namespaced. */
export const compareIdentities = (a: ObjectIdentity, b: ObjectIdentity): number =>
  compareUtf8(a.kind, b.kind) ||
  compareUtf8(a.apiVersion, b.apiVersion) ||
  compareUtf8(a.namespace, b.namespace) ||
  compareUtf8(a.name, b.name) ||
  compareUtf8(a.uid, b.uid);

/** As upstream prints it in events (pkg/controller/garbagecollector/graph.go, String). */
export const identityText = ({ apiVersion, kind, namespace, name, uid }: ObjectIdentity): string =>
  `[${apiVersion}/${kind}, namespace: ${namespace}, name: ${name}, uid: ${uid}]`;
