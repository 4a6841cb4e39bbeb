import type { Clock } from "@coxswain/runtime/clock";
import { type Certificate, fingerprint, isSignedBy, readCertificates } from "@coxswain/wire/x509";
import type { ClientCertificate } from "../request/request.js";

/** Which client certificates count. */
export interface CertificateTrust {
  /** From the next request on, also on connections that are open. Throws for a bundle that cannot be read. */
  replace(authorities: string): void;
  /** Why the certificate does not count; undefined: it does. */
  problemOf(certificate: ClientCertificate): string | undefined;
}

/** A chain that leads nowhere is followed again after this time: an authority may have become valid meanwhile. */
const refusedMs = 60_000;

/** Longer chains of intermediate authorities are nobody's. */
const longestChain = 8;
/** Authorities that sign each other make more ways than anybody can follow: Go stops at as many signatures (CVE-2018-16875). */
const mostSignatures = 100;

/**
 * TLS has checked a chain against all authorities that any client may have; whose it is, and whether it is still valid, is found out here
 * for every request: a connection may outlive its certificate. Without authorities, TLS's word is enough.
 */
export function createCertificateTrust(authorities: string | undefined, clock: Pick<Clock, "now">): CertificateTrust {
  let roots = authorities === undefined ? undefined : readCertificates(authorities);
  /** Chains that were followed, and until when what was found counts. Most callers have no certificate of the authority of front proxies: that is kept, too. */
  let followed = new WeakMap<ClientCertificate, { readonly leadsHome: boolean; readonly until: number }>();

  function leadsHome(
    certificate: ClientCertificate,
    leaf: Certificate,
    known: readonly Certificate[],
    now: number,
  ): boolean {
    let found = followed.get(certificate);
    if (!found || found.until < now) {
      const end = endOfChain(leaf, certificate.chain, known, { now, depth: 0, budget: { signatures: mostSignatures } });
      followed.set(certificate, (found = { leadsHome: end !== undefined, until: end ?? now + refusedMs }));
    }
    return found.leadsHome;
  }

  function problemOf(certificate: ClientCertificate): string | undefined {
    const { leaf, isTrusted, problem } = certificate;
    if (!isTrusted || !leaf) return problem;
    const now = clock.now();
    if (now < leaf.notBefore || now > leaf.notAfter) return "x509: certificate has expired or is not yet valid";
    if (leaf.extensions.extendedKeyUsage.length > 0 && !leaf.extensions.extendedKeyUsage.includes("clientAuth"))
      return "x509: certificate specifies an incompatible key usage";
    return !roots || leadsHome(certificate, leaf, roots, now)
      ? undefined
      : "x509: certificate signed by unknown authority";
  }

  return {
    problemOf,
    replace(changed) {
      roots = readCertificates(changed);
      followed = new WeakMap();
    },
  };
}

/** When the first certificate of the way to an authority ends; undefined: there is no way. */
function endOfChain(
  certificate: Certificate,
  others: readonly Certificate[],
  roots: readonly Certificate[],
  { now, depth, budget }: { now: number; depth: number; budget: { signatures: number } },
): number | undefined {
  if (roots.some((root) => fingerprint(root) === fingerprint(certificate))) return certificate.notAfter;
  for (const issuer of [...roots, ...others]) {
    if (!issuer.subjectBytes.equals(certificate.issuerBytes)) continue;
    if (!mayIssue(issuer, { isRoot: roots.includes(issuer), now })) continue;
    if (--budget.signatures < 0) return undefined;
    if (!isSignedBy(certificate, issuer)) continue;
    const end = roots.includes(issuer)
      ? issuer.notAfter
      : depth < longestChain
        ? endOfChain(
            issuer,
            others.filter((other) => other !== issuer),
            roots,
            { now, depth: depth + 1, budget },
          )
        : undefined;
    if (end !== undefined) return Math.min(end, certificate.notAfter);
  }
  return undefined;
}

/** An authority that was named as one may be of an old form, which has no field for it; no other certificate may. */
function mayIssue(
  { version, notBefore, notAfter, extensions: { isCa, keyUsage } }: Certificate,
  { isRoot, now }: { isRoot: boolean; now: number },
): boolean {
  if (now < notBefore || now > notAfter) return false;
  return (isCa || (isRoot && version < 3)) && (keyUsage.length === 0 || keyUsage.includes("keyCertSign"));
}
