import type { Metrics } from "@coxswain/runtime/metrics";

/** What happens to tokens of service accounts, and is counted. */
export type TokenEvent =
  | "legacy"
  | "legacy, made by hand"
  | "legacy, made by itself"
  | "legacy, marked invalid"
  | "stale"
  | "valid";

export interface AuthenticationMetrics {
  count(event: TokenEvent): void;
  /** How long the certificate that was shown is still good, in seconds. */
  certificateLeft(seconds: number): void;
}

const hour = 3600;
const day = 24 * hour;
const lives = [
  0,
  hour / 2,
  hour,
  2 * hour,
  6 * hour,
  12 * hour,
  day,
  2 * day,
  4 * day,
  7 * day,
  30 * day,
  90 * day,
  180 * day,
  360 * day,
];

export function createAuthenticationMetrics(metrics: Metrics): AuthenticationMetrics {
  const counter = (name: string, help: string) =>
    metrics.counter({ name: `serviceaccount_${name}_total`, help, stability: "ALPHA" }).with();
  const counters: Readonly<Record<TokenEvent, ReturnType<typeof counter>>> = {
    legacy: counter("legacy_tokens", "Uses of service account tokens without an audience."),
    "legacy, made by hand": counter(
      "legacy_manual_token_uses",
      "Uses of service account tokens kept in secrets that people asked for.",
    ),
    "legacy, made by itself": counter(
      "legacy_auto_token_uses",
      "Uses of service account tokens kept in secrets that came with the account.",
    ),
    "legacy, marked invalid": counter(
      "invalid_legacy_auto_token_uses",
      "Attempts to use service account tokens whose secrets are marked as invalid.",
    ),
    stale: counter("stale_tokens", "Uses of service account tokens after they should have been renewed."),
    valid: counter("valid_tokens", "Uses of service account tokens before they have to be renewed."),
  };
  const left = metrics
    .histogram({
      name: "apiserver_client_certificate_expiration_seconds",
      help: "How long certificates that requests came with are still good, in seconds.",
      buckets: lives,
      stability: "ALPHA",
    })
    .with();
  return { count: (event) => counters[event].add(1), certificateLeft: (seconds) => left.observe(seconds) };
}
