import type { Clock } from "@coxswain/apimachinery/clock";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import type { RandomSource } from "@coxswain/apimachinery/random";
import { unauthorized } from "@coxswain/apimachinery/status";
import type { Logger } from "@coxswain/component/log";
import type { Metrics } from "@coxswain/component/metrics";
import { signingKey, type VerificationKey, verificationKeys } from "@coxswain/wire/jwt";
import type { RequestContext } from "../endpoints/request-context.js";
import type { ApiRequest } from "../server/request.js";
import { firstToDecide, type Soon, whenKnown } from "../soon.js";
import { anonymous, type UserInfo } from "../server/user-info.js";
import { type AnonymousOptions, anonymousForHealth, mayBeAnonymous } from "./anonymous.js";
import { askTokens, errorsText, forThisServer } from "./ask-tokens.js";
import type { Authenticator, Notes, TokenAuthenticator, Verdict } from "./authenticator.js";
import { type AuthenticationMeter, createAuthenticationMeter } from "./authentication-metrics.js";
import { bearerToken, tokenOfHeader } from "./bearer-token.js";
import { createBootstrapTokenAuthenticator } from "./bootstrap-tokens.js";
import { createCertificateTrust } from "./certificate-trust.js";
import { createCertificateAuthenticator } from "./client-certificate.js";
import { createLegacyTokenAuthenticator, legacyIssuer } from "./legacy-tokens.js";
import { createJwtAuthenticators, type JwtAuthenticators, type JwtOptions } from "./jwt/jwt-authenticators.js";
import type { JwtIssuer } from "./jwt/jwt-issuer.js";
import { createHeaderHider, createRequestHeaderAuthenticator, type RequestHeaderOptions, standardUserHeaders } from "./request-headers.js";
import { createServiceAccountTokens, type FindBound, type ServiceAccountTokens } from "./service-account-tokens.js";
import { createTokenFileAuthenticator } from "./token-file.js";
import { createClaimReader } from "./verified-claims.js";
import { createTokenWebhook, type TokenWebhookOptions } from "./token-webhook.js";
import { webSocketToken } from "./websocket-token.js";

export interface ServiceAccountOptions {
  /** PEM of the private key that signs. @default one that is made at the start and forgotten at the end */
  readonly signingKey?: string;
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
  /** A proxy in front of the server that may say who its clients are. @default none */
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
  /** Issuers outside of the cluster whose tokens are believed. @default none */
  readonly jwt?: JwtOptions;
  /** Somebody else who knows tokens. @default nobody */
  readonly webhook?: TokenWebhookOptions;
}

export interface AuthenticationDeps {
  /** What is seen in the API: the life of tokens. */
  readonly clock: Clock;
  /** Sockets and certificates. */
  readonly ioClock: Clock;
  readonly random: RandomSource;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly find: FindBound;
  /** Writes down that a secret's token was used today. Never rejects. */
  noteUse(secret: KubernetesObject): Promise<void>;
}

/** Who asks. */
export interface Authentication {
  readonly tokens: ServiceAccountTokens;
  /** @throws 401 for who brings credentials that do not count, and for who brings none where some are needed */
  identify(context: RequestContext): Soon<UserInfo>;
  /** The request without what only said who it is from. */
  strip(request: ApiRequest): ApiRequest;
  /** Whose token it is, for servers that trust this one. `audiences` empty: for this server. */
  reviewToken(token: string, audiences: readonly string[]): Promise<Verdict>;
  /** New authorities count from the next request on. */
  setAuthorities(authorities: { readonly clientCa: string; readonly requestHeader?: string }): void;
  /** Tokens of these issuers are believed from now on; rejects, and changes nothing, when one of them cannot be asked. */
  replaceIssuers(issuers: readonly JwtIssuer[]): Promise<void>;
  stop(): void;
}

const defaultIssuer = "https://kubernetes.default.svc.cluster.local";
const invalidToken = "invalid bearer token";

export function createAuthentication(options: AuthenticationOptions, deps: AuthenticationDeps): Authentication {
  const { requestHeader, anonymous: allowed = anonymousForHealth } = options;
  const { log } = deps;
  const meter = createAuthenticationMeter(deps.metrics);
  const { tokens, authenticators: tokenAuthenticators, audiences, jwt, stop } = createTokenAuthenticators(options, { ...deps, count: meter.count });
  const clients = createCertificateTrust(options.clientCa, deps.ioClock);
  const proxies = requestHeader && createCertificateTrust(requestHeader.authority, deps.ioClock);

  const ask = (token: string, notes: Notes): Soon<Verdict> =>
    whenKnown(askTokens(tokenAuthenticators, token, { ...notes, audiences }), (answer) => ("user" in answer ? answer : { error: errorsText(answer.errors.length === 0 ? [invalidToken] : answer.errors) }));
  const bearer: Authenticator = (request, notes) => {
    const token = bearerToken(request, notes);
    return token === undefined ? undefined : ask(token, notes);
  };
  const webSocket: Authenticator = (request, notes) => {
    const found = webSocketToken(request);
    return found && "token" in found ? ask(found.token, notes) : found;
  };
  /** Asked from top to bottom. */
  const authenticators: readonly Authenticator[] = [
    ...(requestHeader && proxies ? [createRequestHeaderAuthenticator(requestHeader, proxies)] : []),
    createCertificateAuthenticator(clients, { clock: deps.ioClock, certificateLeft: meter.certificateLeft }),
    bearer,
    webSocket,
  ];

  return {
    tokens,
    identify(context) {
      const { request } = context;
      if (request.caller.via === "process") return withGroup(request.caller.user);
      const notes: Notes = { warn: (text) => void context.warnings.push(text), annotate: (key, value) => context.annotate(key, value) };
      const errors: string[] = [];
      const known = firstToDecide(
        authenticators,
        (authenticator) => authenticator(request, notes),
        (verdict) => {
          if (verdict && "user" in verdict) return withGroup(verdict.user);
          if (verdict) errors.push(verdict.error);
          return undefined;
        },
      );
      return whenKnown(known, (user) => {
        if (user) return user;
        if (errors.length === 0 && mayBeAnonymous(allowed, context.info.path)) return anonymous;
        if (errors.length > 0) log.info("credentials do not count", { error: errorsText(errors), auditID: context.auditId });
        throw unauthorized("Unauthorized");
      });
    },
    strip: createHeaderHider([standardUserHeaders, ...(requestHeader ? [requestHeader] : [])]),
    async reviewToken(given, wanted) {
      const question = { audiences: wanted.length === 0 ? audiences : wanted, warn: () => {}, annotate: () => {} };
      // It is asked about as if it came in a header, where blanks end a token: one that begins with a blank is none, and whoever brings none is anonymous.
      const token = tokenOfHeader(`Bearer ${given}`, question);
      if (token === undefined) return mayBeAnonymous(allowed, "") ? { user: anonymous, audiences: question.audiences } : { error: "" };
      const answer = await askTokens(tokenAuthenticators, token, question);
      if ("errors" in answer) return { error: errorsText([invalidToken, ...answer.errors]) };
      return { ...answer, user: withGroup(answer.user) };
    },
    setAuthorities({ clientCa, requestHeader: authority }) {
      clients.replace(clientCa);
      if (authority !== undefined) proxies?.replace(authority);
    },
    replaceIssuers: (issuers) => jwt.replace(issuers),
    stop,
  };
}

interface TokenAuthenticators {
  readonly tokens: ServiceAccountTokens;
  readonly audiences: readonly string[];
  /** Asked from top to bottom. */
  readonly authenticators: readonly TokenAuthenticator[];
  readonly jwt: JwtAuthenticators;
  stop(): void;
}

function createTokenAuthenticators(options: AuthenticationOptions, deps: AuthenticationDeps & Pick<AuthenticationMeter, "count">): TokenAuthenticators {
  const { serviceAccount = {}, tokenFile, bootstrapTokens = false } = options;
  const { clock, find, count } = deps;
  const issuers = serviceAccount.issuers ?? [defaultIssuer];
  const audiences = options.audiences ?? issuers;
  const key = signingKey(serviceAccount.signingKey);
  const keys = distinct([key, ...(serviceAccount.keys ?? []).flatMap(verificationKeys)]);
  const reader = createClaimReader([legacyIssuer, ...issuers], keys);
  const tokens = createServiceAccountTokens({ ...serviceAccount, issuers, audiences, key, keys, reader, clock, find, count });
  const jwt = createJwtAuthenticators(options.jwt ?? { issuers: [] }, deps);
  const webhook = options.webhook && createTokenWebhook(options.webhook, audiences, deps);
  return {
    tokens,
    audiences,
    jwt,
    stop() {
      jwt.stop();
      webhook?.stop();
    },
    authenticators: [
      ...(tokenFile === undefined ? [] : [forThisServer(createTokenFileAuthenticator(tokenFile), audiences)]),
      createLegacyTokenAuthenticator({ reader, audiences, find, count, lookup: serviceAccount.lookup ?? true, noteUse: (secret) => deps.noteUse(secret) }),
      tokens.authenticate,
      ...(bootstrapTokens ? [forThisServer(createBootstrapTokenAuthenticator({ find, clock }), audiences)] : []),
      forThisServer(jwt.authenticate, audiences),
      ...(webhook ? [webhook.authenticate] : []),
    ],
  };
}

const distinct = (keys: readonly VerificationKey[]): VerificationKey[] => [...new Map(keys.map((key) => [key.id, key])).values()];

const known = "system:authenticated";

/** Users that are the same from request to request are made members once. */
const members = new WeakMap<UserInfo, UserInfo>();

/** Whoever is known is a member; who says to be anonymous or unauthenticated stays what it says. */
function withGroup(user: UserInfo): UserInfo {
  if (user.name === anonymous.name || user.groups.includes(known) || user.groups.includes("system:unauthenticated")) return user;
  let member = members.get(user);
  if (!member) members.set(user, (member = { ...user, groups: [...user.groups, known] }));
  return member;
}
