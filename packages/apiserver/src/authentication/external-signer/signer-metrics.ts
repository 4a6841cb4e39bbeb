import type { Clock } from "@coxswain/runtime/clock";
import type { Metrics } from "@coxswain/runtime/metrics";
import { outcomeOf } from "./call-outcome.js";

/** What is counted of a signer outside of the server. */
export interface SignerMetrics {
  /** Counts a call with how long it took. */
  call<T>(method: string, work: () => Promise<T>): Promise<T>;
  /** `error` undefined: they have come. `dataSeconds`: since when the keys are what they are, since 1970. */
  fetched(outcome: { readonly error: unknown } | { readonly dataSeconds: number }): void;
  signed(error?: unknown): void;
}

const buckets = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

export function createSignerMetrics(metrics: Metrics, clock: Clock): SignerMetrics {
  const named = (name: string, help: string) => ({
    name: `apiserver_externaljwt_${name}`,
    help,
    stability: "ALPHA" as const,
  });
  const lastFetch = metrics.gauge(
    named("fetch_keys_success_timestamp", "When keys were last fetched from the signer, in seconds since 1970."),
  );
  const lastData = metrics.gauge(
    named(
      "fetch_keys_data_timestamp",
      "Since when the keys that were fetched last are valid, by the signer's data timestamp, in seconds since 1970.",
    ),
  );
  const fetches = metrics.counter({
    ...named("fetch_keys_request_total", "Attempts to fetch keys from the signer, by outcome."),
    labels: ["code"],
  });
  const signatures = metrics.counter({
    ...named("sign_request_total", "Attempts to have a token signed, by outcome."),
    labels: ["code"],
  });
  const durations = metrics.histogram({
    ...named("request_duration_seconds", "How long calls of the signer took, in seconds."),
    labels: ["method", "code"],
    buckets,
  });
  return {
    async call(method, work) {
      const begun = clock.monotonic();
      const took = (error: unknown): void =>
        durations.with(method, outcomeOf(error)).observe((clock.monotonic() - begun) / 1000);
      try {
        const answer = await work();
        took(undefined);
        return answer;
      } catch (err) {
        took(err);
        throw err;
      }
    },
    fetched(outcome) {
      fetches.with(outcomeOf("error" in outcome ? outcome.error : undefined)).add(1);
      if ("error" in outcome) return;
      lastFetch.with().set(clock.now() / 1000);
      lastData.with().set(outcome.dataSeconds);
    },
    signed: (error) => signatures.with(outcomeOf(error)).add(1),
  };
}
