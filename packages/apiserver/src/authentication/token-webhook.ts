import { hash } from "node:crypto";
import type { TokenReview } from "@coxswain/api/authentication/v1";
import type { ClientConfig } from "@coxswain/component/kubeconfig";
import type { Runtime } from "@coxswain/runtime";
import type { CertificateMetrics } from "../webhook/certificate-metrics.js";
import { createWebhookClient, type WebhookClient } from "../webhook/webhook-client.js";
import type { TokenAuthenticator, TokenQuestion, Verdict } from "./authenticator.js";
import type { TokenCacheMetrics } from "./token-cache-metrics.js";

export interface TokenWebhookOptions {
  /** Where reviews are posted to, or what posts one and resolves to its answer. */
  readonly connection: ClientConfig | Pick<WebhookClient, "post">;
  readonly version: "v1" | "v1beta1";
  /** How long an answer is kept, in milliseconds; 0: not at all. */
  readonly cacheMs: number;
}

export interface TokenWebhook {
  readonly authenticate: TokenAuthenticator;
  stop(): void;
}

const mostAnswers = 8192;

/** Somebody else knows tokens, and is asked by a TokenReview. Answers are kept by the token's hash; that there was none is not kept. */
export function createTokenWebhook(
  { connection, version, cacheMs }: TokenWebhookOptions,
  own: readonly string[],
  deps: { runtime: Runtime; cacheMetrics: TokenCacheMetrics; certificates?: CertificateMetrics },
): TokenWebhook {
  const client =
    "post" in connection
      ? { post: (review: unknown) => connection.post(review), stop: () => {} }
      : createWebhookClient(connection, {
          ...deps,
          expects: { apiVersion: `authentication.k8s.io/${version}`, kind: "TokenReview" },
        });
  const { runtime, cacheMetrics } = deps;
  const { ioClock } = runtime;
  const kept = new Map<string, { readonly verdict: Promise<Verdict | undefined>; until: number }>();

  async function ask(token: string, audiences: readonly string[]): Promise<Verdict | undefined> {
    const fetched = cacheMetrics.fetch();
    let verdict: Verdict | undefined = { error: "" };
    try {
      const { status } = (await client.post({
        kind: "TokenReview",
        apiVersion: `authentication.k8s.io/${version}`,
        metadata: {},
        spec: { token, audiences },
        status: { user: {} },
      })) as TokenReview;
      verdict = verdictOf(status ?? {}, audiences, own);
      return verdict;
    } finally {
      fetched(!verdict || "user" in verdict);
    }
  }

  /** Who asks for a token that is being asked for waits for the same answer. */
  function authenticate(token: string, { audiences }: TokenQuestion): Promise<Verdict | undefined> {
    const key = hash("sha256", JSON.stringify([token, audiences]), "base64");
    const known = kept.get(key);
    if (known && known.until > ioClock.monotonic()) {
      if (known.until === Infinity) return missed(known.verdict);
      cacheMetrics.hit();
      return known.verdict;
    }
    const entry = { verdict: ask(token, audiences), until: Infinity };
    kept.delete(key);
    kept.set(key, entry);
    if (kept.size > mostAnswers) kept.delete(kept.keys().next().value as string);
    entry.verdict = entry.verdict.then(
      (verdict) => {
        if (cacheMs <= 0 || (verdict && "error" in verdict)) kept.delete(key);
        else entry.until = ioClock.monotonic() + cacheMs;
        return verdict;
      },
      (err: unknown) => {
        kept.delete(key);
        return { error: err instanceof Error ? err.message : String(err) };
      },
    );
    return missed(entry.verdict);
  }
  /** Such a verdict never rejects. */
  function missed(verdict: Promise<Verdict | undefined>): Promise<Verdict | undefined> {
    void verdict.then(cacheMetrics.miss());
    return verdict;
  }
  return { authenticate, stop: () => client.stop() };
}

function verdictOf(
  { authenticated, user = {}, audiences: returned = [], error = "" }: NonNullable<TokenReview["status"]>,
  wanted: readonly string[],
  own: readonly string[],
): Verdict | undefined {
  const ofToken = returned.length > 0 ? returned : own;
  const audiences = wanted.filter((audience) => ofToken.includes(audience));
  if (wanted.length > 0 && audiences.length === 0) return undefined; // a server without audiences of its own leaves them to the reviewer
  if (authenticated !== true) return error === "" ? undefined : { error };
  const { username = "", uid, groups = [], extra } = user;
  return { user: { name: username, ...(uid ? { uid } : {}), groups, ...(extra ? { extra } : {}) }, audiences };
}
