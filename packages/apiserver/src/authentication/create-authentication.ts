import { unauthorized } from "@coxswain/apimachinery/status";
import { type Soon, whenKnown } from "@coxswain/runtime/soon";
import type { ApiRequest } from "../request/request.js";
import type { RequestContext } from "../request/request-context.js";
import { anonymous, type UserInfo } from "../request/user-info.js";
import { anonymousForHealth, mayBeAnonymous } from "./anonymous.js";
import { askAuthenticators, errorsText, type KnownOrNot } from "./ask-authenticators.js";
import { createAuthenticationMetrics } from "./authentication-metrics.js";
import type { AuthenticationDeps, AuthenticationOptions } from "./authentication-options.js";
import type { Authenticator, Notes, TokenQuestion, Verdict } from "./authenticator.js";
import { bearerToken, tokenOfHeader } from "./bearer-token.js";
import { createCertificateTrust } from "./certificate-trust.js";
import { createCertificateAuthenticator } from "./client-certificate.js";
import { createTokenAuthenticators } from "./create-token-authenticators.js";
import type { JwtIssuer } from "./jwt/jwt-issuer.js";
import { createHeaderHider, createRequestHeaderAuthenticator, standardUserHeaders } from "./request-headers.js";
import type { ServiceAccountTokens } from "./service-account-tokens.js";
import { webSocketToken } from "./websocket-token.js";

/** Who asks. */
export interface Authentication {
  readonly tokens: ServiceAccountTokens;
  /** @throws 401 for who brings credentials that do not count, with the reason as its cause, and for who brings none where some are needed */
  identify(context: RequestContext): Soon<UserInfo>;
  /** The request without its credentials. */
  strip(request: ApiRequest): ApiRequest;
  /** Whose token it is, for servers that trust this one. `audiences` empty: for this server. */
  reviewToken(token: string, audiences: readonly string[]): Promise<Verdict>;
  /** New authorities count from the next request on. */
  setAuthorities(authorities: { readonly clientCa: string; readonly requestHeader?: string }): void;
  /** Tokens of these issuers are accepted from now on; rejects, and changes nothing, when one of them cannot be asked. */
  replaceIssuers(issuers: readonly JwtIssuer[]): Promise<void>;
  stop(): void;
}

const invalidToken = "invalid bearer token";

export function createAuthentication(options: AuthenticationOptions, deps: AuthenticationDeps): Authentication {
  const { requestHeader, anonymous: allowed = anonymousForHealth } = options;
  const { log, ioClock, metrics } = deps.runtime;
  const authentication = createAuthenticationMetrics(metrics);
  const {
    tokens,
    authenticators: tokenAuthenticators,
    audiences,
    jwt,
    stop,
  } = createTokenAuthenticators(options, { ...deps, count: authentication.count });
  const clients = createCertificateTrust(options.clientCa, ioClock);
  const proxies = requestHeader && createCertificateTrust(requestHeader.authority, ioClock);

  const ask = (token: string, notes: Notes): Soon<Verdict> =>
    whenKnown(askAuthenticators(tokenAuthenticators, token, new QuestionHere(notes, audiences)), verdictOnToken);
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
    createCertificateAuthenticator(clients, { clock: ioClock, certificateLeft: authentication.certificateLeft }),
    bearer,
    webSocket,
  ];

  const userOf = (answer: KnownOrNot, context: RequestContext): UserInfo => {
    if ("user" in answer) return withGroup(answer.user);
    if (answer.errors.length === 0 && mayBeAnonymous(allowed, context.info.path)) return anonymous;
    if (answer.errors.length === 0) throw unauthorized("Unauthorized");
    const error = errorsText(answer.errors);
    log.info("credentials do not count", { error, auditID: context.auditId });
    throw unauthorized("Unauthorized", { cause: error });
  };
  const userLater = async (answer: Promise<KnownOrNot>, context: RequestContext): Promise<UserInfo> =>
    userOf(await answer, context);

  return {
    tokens,
    identify(context) {
      const { request } = context;
      if (request.caller.via === "process") return withGroup(request.caller.user);
      const answer = askAuthenticators(authenticators, request, context);
      return answer instanceof Promise ? userLater(answer, context) : userOf(answer, context);
    },
    strip: createHeaderHider([standardUserHeaders, ...(requestHeader ? [requestHeader] : [])]),
    async reviewToken(given, wanted) {
      const question = { audiences: wanted.length === 0 ? audiences : wanted, warn: () => {}, annotate: () => {} };
      // It is asked about as if it came in a header, where blanks end a token: one that begins with a blank is none, and a client without one is anonymous.
      const token = tokenOfHeader(`Bearer ${given}`, question);
      if (token === undefined)
        return mayBeAnonymous(allowed, "") ? { user: anonymous, audiences: question.audiences } : { error: "" };
      const answer = await askAuthenticators(tokenAuthenticators, token, question);
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

const verdictOnToken = (answer: KnownOrNot): Verdict =>
  "user" in answer ? answer : { error: errorsText(answer.errors.length === 0 ? [invalidToken] : answer.errors) };

/** Whose token it is that somebody brings to this server. */
class QuestionHere implements TokenQuestion {
  readonly #notes: Notes;
  readonly audiences: readonly string[];

  constructor(notes: Notes, audiences: readonly string[]) {
    this.#notes = notes;
    this.audiences = audiences;
  }

  warn(text: string): void {
    this.#notes.warn(text);
  }

  annotate(key: string, value: string): void {
    this.#notes.annotate(key, value);
  }
}

const known = "system:authenticated";

/** Users that are the same from request to request are made members once. */
const members = new WeakMap<UserInfo, UserInfo>();

/** Every authenticated user is in system:authenticated; a user named as anonymous or unauthenticated is not. */
function withGroup(user: UserInfo): UserInfo {
  if (user.name === anonymous.name || user.groups.includes(known) || user.groups.includes("system:unauthenticated"))
    return user;
  let member = members.get(user);
  if (!member) members.set(user, (member = { ...user, groups: [...user.groups, known] }));
  return member;
}
