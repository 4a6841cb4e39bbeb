import type { Clock } from "@coxswain/runtime/clock";
import type { Metrics } from "@coxswain/runtime/metrics";

/** Counts hits and misses of the token caches: checked signatures, and answers of a webhook. */
export interface TokenCacheMetrics {
  hit(): void;
  /** It has to be found out; call what this returns when it is known. */
  miss(): () => void;
  /** Somebody begins to find it out, for all who wait; call what this returns with whether it went well. */
  fetch(): (ok: boolean) => void;
}

const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export function createTokenCacheMetrics(metrics: Metrics, clock: Pick<Clock, "monotonic">): TokenCacheMetrics {
  const named = (name: string, help: string) => ({
    name: `authentication_token_cache_${name}`,
    help,
    labels: ["status"],
    stability: "ALPHA" as const,
  });
  const durations = metrics.histogram({
    ...named(
      "request_duration_seconds",
      "How long it took to know whose a token is, by whether that was remembered, in seconds.",
    ),
    buckets,
  });
  const requests = metrics.counter(
    named("request_total", "Tokens that were looked at, by whether it was remembered whose they are."),
  );
  const fetches = metrics.counter(
    named("fetch_total", "How often it was found out whose a token is, by how that went."),
  );
  const active = metrics.gauge(
    named(
      "active_fetch_count",
      "How often it is being found out at the moment whose a token is, and how many requests wait for it.",
    ),
  );
  return {
    hit() {
      requests.of("hit").add(1);
      durations.of("hit").observe(0); // as upstream counts in whole milliseconds (k8s.io/apiserver/pkg/authentication/token/cache/stats.go, Milliseconds)
    },
    miss() {
      const began = clock.monotonic();
      active.with("blocked").add(1);
      return () => {
        active.with("blocked").add(-1);
        requests.with("miss").add(1);
        durations.with("miss").observe(Math.floor(clock.monotonic() - began) / 1000);
      };
    },
    fetch() {
      active.with("in_flight").add(1);
      return (ok) => {
        active.with("in_flight").add(-1);
        fetches.with(ok ? "ok" : "error").add(1);
      };
    },
  };
}
