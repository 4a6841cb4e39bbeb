import { checkServerIdentity, type PeerCertificate } from "node:tls";
import type { Metrics } from "@coxswain/runtime/metrics";

/** What is wrong with the certificates of services beside the server, and counted. */
export interface CertificateMetrics {
  missingNames(): void;
  weakDigest(): void;
}

/** `subsystem`: whose connections are counted. */
export function createCertificateMetrics(
  metrics: Metrics,
  subsystem: "webhooks" | "kube_aggregator" = "webhooks",
): CertificateMetrics {
  const whom = subsystem === "webhooks" ? "webhooks" : "aggregated API servers";
  const counter = (name: string, help: string) =>
    metrics.counter({ name: `apiserver_${subsystem}_x509_${name}_total`, help, stability: "ALPHA" }).with();
  const missing = counter(
    "missing_san",
    `Connections to ${whom} that failed since their certificate has no alternative names.`,
  );
  const weak = counter(
    "insecure_sha1",
    `Connections to ${whom} that failed since their certificate is signed with SHA-1.`,
  );
  return { missingNames: () => missing.add(1), weakDigest: () => weak.add(1) };
}

/** The common name counts for nothing: Go does not look at it, so neither do operators expect it to. */
export const checkIdentity =
  (metrics: CertificateMetrics | undefined) =>
  (host: string, certificate: PeerCertificate): Error | undefined => {
    if (certificate.subjectaltname !== undefined) return checkServerIdentity(host, certificate);
    metrics?.missingNames();
    return new Error(
      "tls: failed to verify certificate: x509: certificate relies on legacy Common Name field, use SANs instead",
    );
  };

/** Whether OpenSSL broke a handshake off for a digest that is too weak; those that are left to refuse are MD5 and SHA-1. */
export const isWeakDigest = (error: unknown): boolean =>
  /MD_TOO_WEAK|digest algorithm too weak|md too weak/.test(
    `${String((error as { code?: unknown }).code)} ${(error as Error).message}`,
  );
