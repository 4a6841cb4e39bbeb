import type { Clock } from "@coxswain/runtime/clock";
import type { Metrics } from "@coxswain/runtime/metrics";
import { identityName } from "../../configuration/identity-name.js";
import { hashLabel } from "../../metrics/hash-label.js";

/** Metrics of the key sets of issuers. */
export interface KeySetMetrics {
  /** `text`: what came; undefined: nothing that could be used. */
  fetched(issuer: string, text: string | undefined): void;
  /** The issuer's tokens are no longer accepted. */
  forget(issuer: string): void;
}

/** Upstream identifies issuers, servers and key sets by their hashes. */
export function createKeySetMetrics(
  metrics: Metrics,
  { clock, hostname }: { clock: Pick<Clock, "now">; hostname: string },
): KeySetMetrics {
  const prefix = "apiserver_authentication_jwt_authenticator_jwks_fetch_last_";
  const server = hashLabel(identityName(hostname));
  const known = new Map<string, { readonly at: Map<string, number>; hash: string }>();
  metrics.collectGauge(
    {
      name: `${prefix}timestamp_seconds`,
      help: "When an issuer was last asked for its keys, by how that went, in seconds since 1970.",
      labels: ["result", "jwt_issuer_hash", "apiserver_id_hash"],
      stability: "ALPHA",
    },
    (report) => {
      for (const [issuer, { at }] of known) for (const [result, seconds] of at) report(seconds, result, issuer, server);
    },
  );
  metrics.collectGauge(
    {
      name: `${prefix}key_set_info`,
      help: "The hash of the keys that an issuer had when they were fetched last.",
      labels: ["jwt_issuer_hash", "apiserver_id_hash", "hash"],
      stability: "ALPHA",
    },
    (report) => {
      for (const [issuer, { hash }] of known) if (hash !== "") report(1, issuer, server, hash);
    },
  );
  return {
    fetched(issuer, text) {
      const name = hashLabel(issuer);
      const facts = known.get(name) ?? { at: new Map<string, number>(), hash: "" };
      known.set(name, facts);
      facts.at.set(text === undefined ? "failure" : "success", clock.now() / 1000);
      if (text !== undefined) facts.hash = hashLabel(text);
    },
    forget: (issuer) => void known.delete(hashLabel(issuer)),
  };
}
