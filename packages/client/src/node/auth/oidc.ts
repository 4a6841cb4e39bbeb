import { type Clock, systemClock } from "@coxswain/runtime/clock";
import { HttpClient } from "@coxswain/wire/http";
import type { OidcConfig } from "../../kubeconfig/index.js";
import { pemSource } from "./certificate-files.js";
import { bearerToken, type Identity, type IdentitySource } from "./identity.js";

export interface OidcTokens {
  readonly idToken: string;
  readonly refreshToken: string;
}

export interface OidcOptions {
  readonly clock: Clock;
  /** New tokens, for the caller to keep; a refresh token may be good for one use only. */
  readonly onTokens: (tokens: OidcTokens) => Promise<void>;
}

/** As client-go: a token that expires within this time is no longer used. */
const leewayMs = 10_000;
/** Of one exchange with the issuer. */
const timeoutMs = 30_000;
/** Documents and tokens of issuers are some kilobytes. */
const maxBytes = 1024 * 1024;

/** An OpenID Connect ID token, refreshed at its issuer before it expires. */
export function oidcIdentity(config: OidcConfig, { clock, onTokens }: OidcOptions): IdentitySource {
  let { idToken, refreshToken } = config;
  let identity: Identity | undefined = idToken ? bearerToken(idToken) : undefined;
  let refreshing: Promise<Identity> | undefined;
  const refresh = async (): Promise<Identity> => {
    if (!refreshToken) throw new Error("the OIDC ID token has expired, and there is no refresh token");
    const answer = await refreshTokens(config, refreshToken, { clock });
    idToken = answer.idToken;
    refreshToken = answer.refreshToken ?? refreshToken;
    await onTokens({ idToken, refreshToken });
    identity = bearerToken(idToken);
    return identity;
  };
  const refreshOnce = (): Promise<Identity> =>
    (refreshing ??= refresh().finally(() => {
      refreshing = undefined;
    }));
  return {
    current: () =>
      identity !== undefined && idToken && clock.now() + leewayMs < expiryOf(idToken) ? identity : refreshOnce(),
    async renew(used) {
      if (!refreshToken) return false;
      if (identity === undefined || identity === used) await refreshOnce();
      return true;
    },
  };
}

/** Milliseconds since 1970. */
function expiryOf(token: string): number {
  const payload = token.split(".")[1];
  try {
    const { exp } = JSON.parse(Buffer.from(payload ?? "", "base64url").toString("utf8")) as { exp?: number };
    if (typeof exp === "number") return exp * 1000;
  } catch {
    // The error below reports what is wrong.
  }
  throw new Error("the OIDC ID token is no JWT with an expiry");
}

async function refreshTokens(
  config: OidcConfig,
  refreshToken: string,
  options: { clock: Clock },
): Promise<{ idToken: string; refreshToken?: string }> {
  const ca = config.issuerAuthority && (await pemSource(config.issuerAuthority, options)());
  const issuer = config.issuerUrl.replace(/\/$/, "");
  const { token_endpoint: endpoint } = (await ask(`${issuer}/.well-known/openid-configuration`, { ca })) as {
    token_endpoint?: string;
  };
  if (!endpoint) throw new Error(`the OIDC issuer ${issuer} names no token endpoint`);
  const form = new URLSearchParams({ grant_type: "refresh_token", refresh_token: refreshToken });
  const { clientId, clientSecret = "" } = config;
  const basic = `${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`;
  const answer = (await ask(endpoint, {
    ca,
    form: clientSecret === "" ? new URLSearchParams([...form, ["client_id", clientId]]) : form,
    ...(clientSecret !== "" && { authorization: `Basic ${Buffer.from(basic).toString("base64")}` }),
  })) as { id_token?: string; refresh_token?: string };
  if (!answer.id_token) throw new Error(`the OIDC issuer ${issuer} answered without an id_token`);
  return { idToken: answer.id_token, ...(answer.refresh_token && { refreshToken: answer.refresh_token }) };
}

interface Question {
  readonly ca?: string | undefined;
  readonly form?: URLSearchParams;
  readonly authorization?: string;
}

async function ask(url: string, { ca, form, authorization }: Question): Promise<unknown> {
  const http = new HttpClient({ ioClock: systemClock, tls: { authority: ca } });
  const headers = {
    accept: "application/json",
    ...(form && { "content-type": "application/x-www-form-urlencoded" }),
    ...(authorization && { authorization }),
  };
  try {
    const sent = form && { body: form.toString() };
    const { code, body } = await http.exchange({ url, headers, ...sent, timeoutMs, maxBytes });
    const text = body.toString("utf8");
    if (code !== 200) throw new Error(`${url} answered ${code}: ${text.slice(0, 200)}`);
    return JSON.parse(text);
  } finally {
    http.stop();
  }
}
