import type { TokenRequest } from "@coxswain/api/authentication/v1";
import type { Client } from "@coxswain/client";
import type { Runtime } from "@coxswain/runtime";
import type { Timer } from "@coxswain/runtime/clock";
import { type CachedPod, nameOf, namespaceOf, uidOf } from "../objects/cached-pod.js";

export interface TokenSpec {
  /** @default the API server's own */
  readonly audience?: string;
  /** @default 3600 */
  readonly expirationSeconds?: number;
}

/** Tokens of the service accounts of pods, bound to the pods, asked for again before they expire. */
export interface ServiceAccountTokens {
  /** @throws Error, in upstream's words */
  get(pod: CachedPod, spec: TokenSpec): Promise<{ readonly token: string; readonly expiresAt: number }>;
  forget(podUid: string): void;
  stop(): void;
}

export interface TokensOptions {
  /** In the node's name. */
  readonly client: Client;
  readonly runtime: Runtime;
  /** A token of the pod is to be asked for again. */
  onDue(podUid: string): void;
}

interface KeptToken {
  readonly token: string;
  readonly expiresAt: number;
  readonly refreshAt: number;
  readonly timer: Timer;
}

/** As upstream's pkg/kubelet/token/token_manager.go. */
const maxAgeMs = 24 * 3_600_000;
const maxJitterMs = 10_000;

/** Pure: a token is replaced once 80 % of its time have passed, or 24 hours; some seconds earlier, so that pods take turns. */
export function refreshTime(expiresAt: number, lifetimeMs: number, jitter: number): number {
  const issuedAt = expiresAt - lifetimeMs;
  return Math.min(issuedAt + maxAgeMs, expiresAt - lifetimeMs * 0.2) - jitter * maxJitterMs;
}

export function createServiceAccountTokens({ client, runtime, onDue }: TokensOptions): ServiceAccountTokens {
  const { clock, random } = runtime;
  const kept = new Map<string, Map<string, KeptToken>>();

  async function request(pod: CachedPod, { audience, expirationSeconds = 3600 }: TokenSpec): Promise<KeptToken> {
    const body: TokenRequest = {
      spec: {
        audiences: audience ? [audience] : [],
        expirationSeconds,
        boundObjectRef: { kind: "Pod", apiVersion: "v1", name: nameOf(pod), uid: uidOf(pod) },
      },
    };
    const accounts = client.core.v1.serviceaccounts(namespaceOf(pod)).subresource<TokenRequest>("token");
    const { status } = await accounts.create(pod.spec?.serviceAccountName || "default", body);
    const expiresAt = Date.parse(status?.expirationTimestamp ?? "") || clock.now() + expirationSeconds * 1000;
    const refreshAt = refreshTime(expiresAt, expirationSeconds * 1000, random.next());
    const timer = clock.setTimer(Math.max(0, refreshAt - clock.now()), () => onDue(uidOf(pod)), "upkeep");
    return { token: status?.token ?? "", expiresAt, refreshAt, timer };
  }

  return {
    async get(pod, spec) {
      const uid = uidOf(pod);
      const key = JSON.stringify([spec.audience, spec.expirationSeconds]);
      const known = kept.get(uid)?.get(key);
      if (known && clock.now() < known.refreshAt) return known;
      try {
        const fresh = await request(pod, spec);
        known?.timer.cancel();
        const ofPod = kept.get(uid) ?? new Map<string, KeptToken>();
        kept.set(uid, ofPod.set(key, fresh));
        return fresh;
      } catch (error) {
        const { message } = error as Error;
        if (!known) throw new Error(`failed to fetch token: ${message}`, { cause: error });
        if (clock.now() > known.expiresAt)
          throw new Error(`token expired and refresh failed: ${message}`, { cause: error });
        runtime.log.error("Couldn't update token", { pod: `${namespaceOf(pod)}/${nameOf(pod)}`, error: message });
        return known;
      }
    },
    forget(podUid) {
      for (const { timer } of kept.get(podUid)?.values() ?? []) timer.cancel();
      kept.delete(podUid);
    },
    stop() {
      for (const ofPod of kept.values()) for (const { timer } of ofPod.values()) timer.cancel();
      kept.clear();
    },
  };
}
