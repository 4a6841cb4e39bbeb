import { signingKey, verificationKeys } from "@coxswain/wire/jwt";
import { forThisServer } from "./ask-authenticators.js";
import type { AuthenticationMetrics } from "./authentication-metrics.js";
import type { AuthenticationDeps, AuthenticationOptions } from "./authentication-options.js";
import type { TokenAuthenticator } from "./authenticator.js";
import { createBootstrapTokenAuthenticator } from "./bootstrap-tokens.js";
import { createJwtAuthenticators, type JwtAuthenticators } from "./jwt/jwt-authenticators.js";
import { createLegacyTokenAuthenticator } from "./legacy-tokens.js";
import { createServiceAccountTokens, type ServiceAccountTokens } from "./service-account-tokens.js";
import { createTokenCacheMetrics } from "./token-cache-metrics.js";
import { createTokenFileAuthenticator } from "./token-file.js";
import { createFixedKeys } from "./token-keys.js";
import { createTokenWebhook } from "./token-webhook.js";
import { createClaimReader } from "./verified-claims.js";

const defaultIssuer = "https://kubernetes.default.svc.cluster.local";

/** The authenticators of tokens. */
export interface TokenAuthenticators {
  readonly tokens: ServiceAccountTokens;
  readonly audiences: readonly string[];
  /** Asked from top to bottom. */
  readonly authenticators: readonly TokenAuthenticator[];
  readonly jwt: JwtAuthenticators;
  stop(): void;
}

export function createTokenAuthenticators(
  options: AuthenticationOptions,
  deps: AuthenticationDeps & Pick<AuthenticationMetrics, "count">,
): TokenAuthenticators {
  const { serviceAccount = {}, tokenFile, bootstrapTokens = false } = options;
  const { runtime, find, count } = deps;
  const { clock, ioClock, metrics } = runtime;
  const issuers = serviceAccount.issuers ?? [defaultIssuer];
  const audiences = options.audiences ?? issuers;
  const { external } = serviceAccount;
  const keys =
    external ??
    createFixedKeys(signingKey(serviceAccount.signingKey), (serviceAccount.keys ?? []).flatMap(verificationKeys));
  const cacheMetrics = createTokenCacheMetrics(metrics, ioClock);
  const reader = createClaimReader(keys, cacheMetrics);
  const tokens = createServiceAccountTokens({
    ...serviceAccount,
    ...(external && { longestSeconds: external.maxExpirationSeconds }),
    issuers,
    audiences,
    keys,
    reader,
    clock,
    find,
    count,
  });
  const jwt = createJwtAuthenticators(options.jwt ?? { issuers: [] }, {
    runtime,
    hostname: deps.hostname,
    cacheMetrics,
  });
  const webhook = options.webhook && createTokenWebhook(options.webhook, audiences, { ...deps, cacheMetrics });
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
      createLegacyTokenAuthenticator({
        reader,
        audiences,
        find,
        count,
        lookup: serviceAccount.lookup ?? true,
        noteUse: (secret) => deps.noteUse(secret),
      }),
      tokens.authenticate,
      ...(bootstrapTokens ? [forThisServer(createBootstrapTokenAuthenticator({ find, clock }), audiences)] : []),
      forThisServer(jwt.authenticate, audiences),
      ...(webhook ? [webhook.authenticate] : []),
    ],
  };
}
