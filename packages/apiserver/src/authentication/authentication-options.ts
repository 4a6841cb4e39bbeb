import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import type { Runtime } from "@coxswain/runtime";
import type { CertificateMetrics } from "../webhook/certificate-metrics.js";
import type { AnonymousOptions } from "./anonymous.js";
import type { ExternalSigner } from "./external-signer/external-signer.js";
import type { JwtOptions } from "./jwt/jwt-authenticators.js";
import type { RequestHeaderOptions } from "./request-headers.js";
import type { FindBound } from "./service-account-tokens.js";
import type { TokenWebhookOptions } from "./token-webhook.js";

export interface ServiceAccountOptions {
  /** PEM of the private key that signs. @default one that is made at the start and forgotten at the end */
  readonly signingKey?: string;
  /** The external signer, with keys of its own. Stays its opener's to stop. @default the keys here sign */
  readonly external?: Omit<ExternalSigner, "stop">;
  /** PEM of further keys, public or private, whose tokens are known. @default none */
  readonly keys?: readonly string[];
  /** The first one issues; tokens of all are known. @default https://kubernetes.default.svc.cluster.local */
  readonly issuers?: readonly string[];
  /** Whether tokens that are kept in secrets end with these. @default true */
  readonly lookup?: boolean;
  /** Longer lives are cut. @default none are */
  readonly maxExpirationSeconds?: number;
  /** @default true */
  readonly extendExpiration?: boolean;
  /** Where the issuer's keys are, when that is not this server. */
  readonly jwksUri?: string;
}

export interface AuthenticationOptions {
  /** PEM of the authorities that sign client certificates. @default those that the listener trusts */
  readonly clientCa?: string;
  /** A proxy in front of the server that may name its clients in headers. @default none */
  readonly requestHeader?: RequestHeaderOptions;
  /** Lines `token,user,uid,"groups"`. @default none */
  readonly tokenFile?: string;
  readonly serviceAccount?: ServiceAccountOptions;
  /** What tokens must be for. @default the issuers */
  readonly audiences?: readonly string[];
  /** @default false */
  readonly bootstrapTokens?: boolean;
  /** @default the paths of health */
  readonly anonymous?: AnonymousOptions;
  /** Issuers outside of the cluster whose tokens are accepted. @default none */
  readonly jwt?: JwtOptions;
  /** Somebody else who knows tokens. @default nobody */
  readonly webhook?: TokenWebhookOptions;
}

export interface AuthenticationDeps {
  /** Tokens live by its `clock`, sockets and certificates by its `ioClock`. */
  readonly runtime: Runtime;
  /** Of a service that knows tokens. */
  readonly certificates?: CertificateMetrics;
  /** Of this server, a label of metrics that distinguish servers. */
  readonly hostname: string;
  readonly find: FindBound;
  /** Writes down that a secret's token was used today. Never rejects. */
  noteUse(secret: KubernetesObject): Promise<void>;
}
