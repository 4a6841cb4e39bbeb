import type { DeepReadonly } from "@coxswain/api";
import type { Secret, ServiceAccount } from "@coxswain/api/core/v1";
import { getOwn } from "@coxswain/apimachinery/own";

export type CachedSecret = DeepReadonly<Secret>;
export type CachedServiceAccount = DeepReadonly<ServiceAccount>;

export const tokenType = "kubernetes.io/service-account-token";
const nameAnnotation = "kubernetes.io/service-account.name";
const uidAnnotation = "kubernetes.io/service-account.uid";

/** Whose token a secret is, by its annotations; the UID may be empty until the controller has filled it in. */
export const accountOf = ({ metadata }: CachedSecret): { readonly name: string; readonly uid: string } => ({
  name: getOwn(metadata?.annotations, nameAnnotation) ?? "",
  uid: getOwn(metadata?.annotations, uidAnnotation) ?? "",
});

/** Pure: whether the secret is a token of this very account. */
export function isTokenOf(secret: CachedSecret, account: { readonly name: string; readonly uid: string }): boolean {
  const { name, uid } = accountOf(secret);
  return secret.type === tokenType && name === account.name && uid === account.uid;
}

export interface SecretNeeds {
  readonly rootCa: boolean;
  readonly namespace: boolean;
  readonly token: boolean;
}

/** Pure: which data the secret lacks; undefined: none. A bundle that has changed is replaced. */
export function needsOf({ data }: CachedSecret, rootCa: string | undefined): SecretNeeds | undefined {
  const needs = {
    rootCa: rootCa !== undefined && rootCa !== "" && getOwn(data, "ca.crt") !== base64(rootCa),
    namespace: !getOwn(data, "namespace"),
    token: !getOwn(data, "token"),
  };
  return needs.rootCa || needs.namespace || needs.token ? needs : undefined;
}

/** Pure: the claims of a token that is valid for as long as its secret exists. */
export const legacyClaims = (account: CachedServiceAccount, secretName: string): Readonly<Record<string, string>> => {
  const { name = "", namespace = "", uid = "" } = account.metadata ?? {};
  return {
    iss: "kubernetes/serviceaccount",
    "kubernetes.io/serviceaccount/namespace": namespace,
    "kubernetes.io/serviceaccount/secret.name": secretName,
    "kubernetes.io/serviceaccount/service-account.name": name,
    "kubernetes.io/serviceaccount/service-account.uid": uid,
    sub: `system:serviceaccount:${namespace}:${name}`,
  };
};

/** Pure: a secret with a token, for an account that refers to none (before 1.24: tokens_controller.go, `ensureReferencedToken`). */
export function newSecret(
  account: CachedServiceAccount,
  { name, token, rootCa = "" }: { name: string; token: string; rootCa: string | undefined },
): Secret {
  const { namespace = "" } = account.metadata ?? {};
  const needs = { token: true, namespace: true, rootCa: rootCa !== "" };
  return fillSecret({ metadata: { name, namespace }, type: tokenType }, account, { needs, token, rootCa });
}

/** Pure: the secret with what it lacks. */
export function fillSecret(
  secret: CachedSecret,
  account: CachedServiceAccount,
  { needs, token, rootCa = "" }: { needs: SecretNeeds; token: string | undefined; rootCa: string | undefined },
): Secret {
  const { namespace = "" } = secret.metadata ?? {};
  return {
    ...(secret as Secret),
    metadata: {
      ...(secret as Secret).metadata,
      annotations: {
        ...secret.metadata?.annotations,
        [nameAnnotation]: account.metadata?.name ?? "",
        [uidAnnotation]: account.metadata?.uid ?? "",
      },
    },
    data: {
      ...secret.data,
      ...(needs.rootCa && { "ca.crt": base64(rootCa) }),
      ...(needs.namespace && { namespace: base64(namespace) }),
      ...(token !== undefined && { token: base64(token) }),
    },
  };
}

const base64 = (text: string): string => Buffer.from(text).toString("base64");
