import type { Clock } from "@coxswain/runtime/clock";
import type { Metrics } from "@coxswain/runtime/metrics";
import { hashLabel } from "../../metrics/hash-label.js";
import type { TokenAuthenticator } from "../authenticator.js";

/** The same authenticator of an issuer, measured. Tokens of others are not counted. */
export function measureTokens(
  metrics: Metrics,
  clock: Pick<Clock, "monotonic">,
): (url: string, authenticate: TokenAuthenticator) => TokenAuthenticator {
  const times = metrics.histogram({
    name: "apiserver_authentication_jwt_authenticator_latency_seconds",
    help: "How long it took to know a token of an issuer outside of the cluster, in seconds.",
    labels: ["result", "jwt_issuer_hash"],
    buckets: [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    stability: "ALPHA",
  });
  return (url, authenticate) => async (token, question) => {
    const began = clock.monotonic();
    const verdict = await authenticate(token, question);
    if (verdict)
      times.with("user" in verdict ? "success" : "failure", hashLabel(url)).observe((clock.monotonic() - began) / 1000);
    return verdict;
  };
}
