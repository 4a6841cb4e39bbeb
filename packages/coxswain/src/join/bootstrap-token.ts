import type { Secret } from "@coxswain/api/core/v1";
import type { DeepReadonly } from "@coxswain/api/types";
import { formatTime, parseTimeMs } from "@coxswain/apimachinery/time";
import type { RandomBytes } from "@coxswain/runtime/random";

/** What a machine proves by that it may join: `abcdef.0123456789abcdef`. */
export interface BootstrapToken {
  readonly id: string;
  readonly secret: string;
}

/** The group of those who join, as kubeadm calls it: its bootstrap bindings are the same. */
export const joiningGroup = "system:bootstrappers:kubeadm:default-node-token";
export const tokenNamespace = "kube-system";
export const tokenType = "bootstrap.kubernetes.io/token";
const namePrefix = "bootstrap-token-";

export const formatToken = ({ id, secret }: BootstrapToken): string => `${id}.${secret}`;
export const tokenSecretName = (id: string): string => `${namePrefix}${id}`;

/** Undefined: it is none. */
export function parseToken(text: string): BootstrapToken | undefined {
  const [, id, secret] = /^([a-z0-9]{6})\.([a-z0-9]{16})$/.exec(text) ?? [];
  return id === undefined || secret === undefined ? undefined : { id, secret };
}

const characters = "0123456789abcdefghijklmnopqrstuvwxyz";

/** Of 36 characters, each as likely as the others: bytes from 252 on are drawn again. */
export function drawToken(random: RandomBytes): BootstrapToken {
  let text = "";
  while (text.length < 22) for (const byte of random.bytes(32)) if (byte < 252) text += characters[byte % 36];
  return { id: text.slice(0, 6), secret: text.slice(6, 22) };
}

export interface TokenTerms {
  /** In milliseconds since 1970; undefined: it does not expire. */
  readonly expiresAt: number | undefined;
  readonly description: string;
  readonly groups: readonly string[];
  /** What it is good for. @default both */
  readonly usages?: readonly ("authentication" | "signing")[];
}

/** The Secret by which API server and signer know a token. */
export const tokenSecret = (
  token: BootstrapToken,
  { expiresAt, description, groups, usages = ["authentication", "signing"] }: TokenTerms,
): Secret => ({
  metadata: { name: tokenSecretName(token.id), namespace: tokenNamespace },
  type: tokenType,
  stringData: {
    "token-id": token.id,
    "token-secret": token.secret,
    ...Object.fromEntries(usages.map((usage) => [`usage-bootstrap-${usage}`, "true"])),
    ...(description !== "" && { description }),
    ...(expiresAt !== undefined && { expiration: formatTime(expiresAt) }),
    ...(groups.length > 0 && { "auth-extra-groups": groups.join(",") }),
  },
});

/** A token as it is listed. */
export interface TokenRow {
  readonly token: string;
  readonly expiresAt: number | undefined;
  readonly usages: readonly string[];
  readonly description: string;
  readonly groups: string;
}

/** Undefined: the Secret is no token. */
export function tokenRow({ metadata, type, data = {} }: DeepReadonly<Secret>): TokenRow | undefined {
  const text = (key: string): string => Buffer.from(data[key] ?? "", "base64").toString();
  const token = parseToken(`${text("token-id")}.${text("token-secret")}`);
  if (type !== tokenType || !token || metadata?.name !== tokenSecretName(token.id)) return undefined;
  return {
    token: formatToken(token),
    expiresAt: parseTimeMs(text("expiration")),
    usages: ["authentication", "signing"].filter((usage) => text(`usage-bootstrap-${usage}`) === "true"),
    description: text("description"),
    groups: text("auth-extra-groups"),
  };
}
