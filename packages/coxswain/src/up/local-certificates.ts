import { mkdirSync } from "node:fs";
import { hostname } from "node:os";
import { type CertificateOptions, ensureAuthority } from "@coxswain/component/certificates";
import { createServerIdentity, encodePrivateKey } from "@coxswain/wire/x509";

/** Certificates for names below localhost. */
export interface LocalCertificates {
  /** What browsers and programs are to trust. */
  readonly authorityFile: string;
  /** The same one for the same names, until it is renewed. */
  certificateFor(hosts: readonly string[]): { readonly certificate: string; readonly key: string };
}

const day = 86_400_000;
/** What Safari takes at most. */
const validityMs = 825 * day;
const renewBeforeMs = 30 * day;
/** Users make and remove Ingresses for months. */
const maxKept = 1000;
const backdateMs = 5 * 60_000;

/**
 * An authority in two files of this folder, which is made once for all clusters of the user, since trusting it is work. A thief of its key
 * cannot pretend to be anybody else: its own certificate permits names below localhost only.
 */
export function createLocalCertificates(folder: string, options: CertificateOptions): LocalCertificates {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const { authority, certificateFile } = ensureAuthority(folder, "local-authority", {
    ...options,
    commonName: `coxswain local authority of ${hostname()}`,
    permittedDnsNames: ["localhost"],
  });
  const { clock, random } = options;
  const made = new Map<string, { certificate: string; key: string; notAfter: number }>();
  return {
    authorityFile: certificateFile,
    certificateFor(hosts) {
      const now = clock.now();
      const there = made.get(hosts.join(" "));
      if (there && there.notAfter - now > renewBeforeMs) return there;
      const notAfter = Math.min(now + validityMs, authority.certificate.notAfter);
      const { pem, privateKey } = createServerIdentity(authority, {
        subject: { commonName: hosts[0] ?? "localhost" },
        hosts,
        notBefore: now - backdateMs,
        notAfter,
        random,
      });
      const one = { certificate: pem, key: encodePrivateKey(privateKey), notAfter };
      if (made.size >= maxKept) made.clear();
      made.set(hosts.join(" "), one);
      return one;
    },
  };
}
