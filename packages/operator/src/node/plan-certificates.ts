import { createPrivateKey, type KeyObject } from "node:crypto";
import type { RandomBytes } from "@coxswain/wire";
import {
  type Certificate,
  createAuthority,
  createServerIdentity,
  encodePem,
  encodePrivateKey,
  hasKey,
  isSignedBy,
  readCertificates,
} from "@coxswain/wire/x509";

/** What the Secret holds, each in PEM. */
export interface CertificateSet {
  /** The authorities that clients must trust, the newest first. */
  readonly caCertificates: string;
  readonly caKey: string;
  readonly certificate: string;
  readonly key: string;
}

export interface PlanOptions {
  readonly hosts: readonly string[];
  readonly commonName: string;
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly random: RandomBytes;
}

const day = 86_400_000;
export const authorityValidityMs = 3650 * day;
export const servingValidityMs = 365 * day;
/** A serving certificate is replaced so long before it expires, an authority so long before it could sign no whole new one. */
export const renewServingMs = 90 * day;
export const renewAuthorityMs = servingValidityMs + renewServingMs;
/** Clocks of replicas and API servers may differ by as much. */
const backdateMs = 5 * 60_000;

/** The set that shall be served now: the given one while it is good, else one with what must be new in it. */
export function planCertificates(found: Partial<CertificateSet> | undefined, options: PlanOptions): CertificateSet {
  const { now, random, hosts, commonName } = options;
  const authority = readAuthority(found, now);
  if (authority !== undefined && isServable(found, authority.certificate, options)) return found as CertificateSet;
  const signer =
    authority ??
    createAuthority({
      subject: { commonName: `${commonName}-ca` },
      notBefore: now - backdateMs,
      notAfter: now + authorityValidityMs,
      random,
    });
  const serving = createServerIdentity(signer, {
    subject: { commonName },
    hosts,
    notBefore: now - backdateMs,
    notAfter: now + servingValidityMs,
    random,
  });
  // Replicas that still serve what an older authority signed stay trusted until it expires.
  const older = authority === undefined ? validAuthorities(found?.caCertificates, now) : "";
  return {
    caCertificates:
      authority === undefined ? (signer as { pem: string }).pem + older : (found?.caCertificates as string),
    caKey: encodePrivateKey(signer.privateKey as KeyObject),
    certificate: serving.pem,
    key: encodePrivateKey(serving.privateKey),
  };
}

function readAuthority(found: Partial<CertificateSet> | undefined, now: number) {
  if (!found?.caCertificates || !found.caKey) return undefined;
  try {
    const certificate = newestOf(found.caCertificates);
    const privateKey = createPrivateKey(found.caKey);
    const isGood = hasKey(certificate, privateKey) && certificate.notAfter - now > renewAuthorityMs;
    return isGood ? { certificate, privateKey } : undefined;
  } catch {
    return undefined; // what cannot be read is replaced
  }
}

function isServable(
  found: Partial<CertificateSet> | undefined,
  authority: Certificate,
  { hosts, now }: PlanOptions,
): boolean {
  if (!found?.certificate || !found.key) return false;
  try {
    const certificate = newestOf(found.certificate);
    const { dnsNames, ipAddresses } = certificate.extensions.names;
    return (
      hasKey(certificate, createPrivateKey(found.key)) &&
      isSignedBy(certificate, authority) &&
      certificate.notAfter - now > renewServingMs &&
      hosts.every((host) => dnsNames.includes(host) || ipAddresses.includes(host))
    );
  } catch {
    return false; // likewise
  }
}

/** @throws Error where there is none */
function newestOf(pem: string): Certificate {
  const [first] = readCertificates(pem);
  if (first === undefined) throw new Error("there is no certificate in it");
  return first;
}

function validAuthorities(pem: string | undefined, now: number): string {
  if (!pem) return "";
  try {
    return readCertificates(pem)
      .filter(({ notAfter }) => notAfter > now)
      .map(({ der }) => encodePem("CERTIFICATE", der))
      .join("");
  } catch {
    return ""; // damaged: nobody can be trusting it
  }
}
