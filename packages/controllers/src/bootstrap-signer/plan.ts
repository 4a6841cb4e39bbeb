import { createHmac } from "node:crypto";
import type { DeepReadonly } from "@coxswain/api";
import type { ConfigMap, Secret } from "@coxswain/api/core/v1";
import { getOwn, setOwn } from "@coxswain/apimachinery/own";
import { tokenType, validForMs } from "../token-cleaner/plan.js";

const signaturePrefix = "jws-kubeconfig-";

/** Pure: cluster-info with one signature of its kubeconfig for each token that may sign; undefined: it has these already. */
export function planSignatures(
  clusterInfo: DeepReadonly<ConfigMap>,
  secrets: readonly DeepReadonly<Secret>[],
  nowMs: number,
): ConfigMap | undefined {
  const content = getOwn(clusterInfo.data, "kubeconfig");
  if (content === undefined) return undefined;
  const data: Record<string, string> = {};
  const before = Object.entries(clusterInfo.data ?? {});
  for (const [key, value] of before) if (!key.startsWith(signaturePrefix)) setOwn(data, key, value);
  for (const secret of secrets) {
    const token = signingToken(secret, nowMs);
    if (token) setOwn(data, signaturePrefix + token.id, detachedSignature(content, token));
  }
  const isSame =
    before.length === Object.keys(data).length && before.every(([key, value]) => getOwn(data, key) === value);
  return isSame ? undefined : { ...(clusterInfo as ConfigMap), data };
}

interface Token {
  readonly id: string;
  readonly secret: string;
}

/** Pure: the token in a secret whose name, content and expiration allow it to sign. */
export function signingToken(secret: DeepReadonly<Secret>, nowMs: number): Token | undefined {
  const text = (key: string): string => atob(getOwn(secret.data, key) ?? "");
  const id = /^bootstrap-token-([a-z0-9]{6})$/.exec(secret.metadata?.name ?? "")?.[1];
  const isUsable =
    secret.type === tokenType &&
    text("token-id") === id &&
    text("token-secret") !== "" &&
    text("usage-bootstrap-signing") === "true" &&
    validForMs(secret, nowMs) !== 0;
  return isUsable && id !== undefined ? { id, secret: text("token-secret") } : undefined;
}

/** A compact JWS (RFC 7515) by HS256 whose payload is left out: appendix F. */
export function detachedSignature(content: string, { id, secret }: Token): string {
  const header = Buffer.from(JSON.stringify({ alg: "HS256", kid: id })).toString("base64url");
  const payload = Buffer.from(content).toString("base64url");
  // `secret` holds one byte in each character, as base64 was decoded.
  const key = Buffer.from(secret, "latin1");
  const signature = createHmac("sha256", key).update(`${header}.${payload}`).digest("base64url");
  return `${header}..${signature}`;
}
