import type { JwtClaims } from "@coxswain/wire/jwt";
import type { UserInfo } from "../request/user-info.js";

interface Reference {
  readonly name: string;
  readonly uid?: string;
}

/** The claims of a service account's token. */
export interface ServiceAccountClaims {
  readonly iss: string;
  readonly sub: string;
  readonly aud: readonly string[];
  /** Seconds since 1970. */
  readonly iat: number;
  readonly nbf: number;
  readonly exp: number;
  readonly jti?: string;
  readonly "kubernetes.io": {
    readonly namespace: string;
    readonly serviceaccount: Reference;
    readonly pod?: Reference;
    readonly secret?: Reference;
    readonly node?: Reference;
    /** When a token with a longer life than was asked for should have been renewed. */
    readonly warnafter?: number;
  };
}

/** Whether claims at least name their service account. */
export function isServiceAccountClaims(claims: JwtClaims): claims is JwtClaims & ServiceAccountClaims {
  const { "kubernetes.io": about } = claims as Partial<ServiceAccountClaims>;
  return typeof about?.namespace === "string" && typeof about.serviceaccount?.name === "string";
}

export const accountName = (namespace: string, name: string): string => `system:serviceaccount:${namespace}:${name}`;

/** The user that a token stands for. */
export function userOfClaims({ jti, "kubernetes.io": about }: ServiceAccountClaims): UserInfo {
  const { namespace, serviceaccount, pod, node } = about;
  const extra: Record<string, string[]> = {};
  const addExtra = (name: string, value: string | undefined): void => {
    if (value) extra[`authentication.kubernetes.io/${name}`] = [value];
  };
  addExtra("credential-id", jti && `JTI=${jti}`);
  addExtra("node-name", node?.name);
  addExtra("node-uid", node?.uid);
  addExtra("pod-name", pod?.name);
  addExtra("pod-uid", pod?.uid);
  return {
    name: accountName(namespace, serviceaccount.name),
    ...(serviceaccount.uid === undefined ? {} : { uid: serviceaccount.uid }),
    groups: ["system:serviceaccounts", `system:serviceaccounts:${namespace}`],
    ...(Object.keys(extra).length === 0 ? {} : { extra }),
  };
}
