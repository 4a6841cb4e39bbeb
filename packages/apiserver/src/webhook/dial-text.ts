import { isIP } from "node:net";

/** Whom a connection is made to. */
export interface DialTarget {
  /** The name that the certificate must have: a name, or an address without brackets. */
  readonly hostname: string;
  /** Host and port as Go dials them: "10.0.0.1:443". */
  readonly address: string;
}

const connectProblems: Readonly<Record<string, string>> = {
  ECONNREFUSED: "connection refused",
  EHOSTUNREACH: "no route to host",
  ENETUNREACH: "network is unreachable",
  ETIMEDOUT: "connection timed out",
  EADDRNOTAVAIL: "cannot assign requested address",
};

const unknownAuthority = new Set([
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "CERT_UNTRUSTED",
]);

/** Why another server could not be reached, or went away, in Go's words, which clients and their users know. */
export function dialText(target: DialTarget, cause: unknown): string {
  const {
    code = "",
    message = String(cause),
    syscall,
  } = cause as { code?: string; message?: string; syscall?: string };
  if (code === "ENOTFOUND" || code === "EAI_AGAIN") {
    const host = (cause as { hostname?: string }).hostname ?? target.hostname;
    return `dial tcp: lookup ${host}: ${code === "ENOTFOUND" ? "no such host" : "temporary failure in name resolution"}`;
  }
  // A write that finds the connection gone has a code as well.
  if (connectProblems[code] !== undefined && (syscall === undefined || syscall === "connect"))
    return `dial tcp ${target.address}: connect: ${connectProblems[code]}`;
  if (unknownAuthority.has(code))
    return "tls: failed to verify certificate: x509: certificate signed by unknown authority";
  if (code === "CERT_HAS_EXPIRED" || code === "CERT_NOT_YET_VALID")
    return "tls: failed to verify certificate: x509: certificate has expired or is not yet valid";
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID")
    return `tls: failed to verify certificate: x509: ${wrongName(target, cause)}`;
  if (code === "ERR_SSL_WRONG_VERSION_NUMBER" || code === "ERR_SSL_PACKET_LENGTH_TOO_LONG")
    return "http: server gave HTTP response to HTTPS client";
  if (code === "ECONNRESET") return message === "socket hang up" ? "EOF" : "connection reset by peer";
  return message;
}

/** Names in a certificate are distinguished by kind: an address is not looked for among host names. */
function wrongName({ hostname }: DialTarget, cause: unknown): string {
  const names = (cause as { cert?: { subjectaltname?: string } }).cert?.subjectaltname ?? "";
  const of = (kind: string): string[] =>
    names.split(", ").flatMap((name) => (name.startsWith(`${kind}:`) ? [name.slice(kind.length + 1)] : []));
  const isAddress = isIP(hostname) !== 0;
  const known = of(isAddress ? "IP Address" : "DNS");
  if (known.length > 0) return `certificate is valid for ${known.join(", ")}, not ${hostname}`;
  return isAddress
    ? `cannot validate certificate for ${hostname} because it doesn't contain any IP SANs`
    : `certificate is not valid for any names, but wanted to match ${hostname}`;
}
