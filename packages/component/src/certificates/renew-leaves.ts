import { basename, dirname } from "node:path";
import { isSignedBy } from "@coxswain/wire/x509";
import { ensureAuthority } from "./authority.js";
import type { CertificateOptions } from "./certificate-options.js";
import { readIdentity } from "./identity-files.js";
import { makeLeaf } from "./leaf.js";
import { certificateFilesIn } from "./list-certificates.js";

/** The authorities of a cluster's folder. */
export const authorityNames = ["ca", "front-proxy-ca"] as const;
export type AuthorityName = (typeof authorityNames)[number];

/**
 * New certificates with new keys for the same subjects and hosts, by the authority that signs now. What none of the folder's authorities
 * signed stays.
 * @param names without `.crt`; none: all that have a key beside them
 * @returns the names of those that were renewed
 */
export function renewLeaves(folder: string, names: readonly string[], options: CertificateOptions): string[] {
  const authorities = authorityNames.map((name) => ({
    kept: ensureAuthority(folder, name, { ...options, commonName: name }),
    bundle: readIdentity(folder, name).bundle,
  }));
  const wanted = names.length > 0 ? names : certificateFilesIn(folder).map((file) => basename(file, ".crt"));
  const renewed: string[] = [];
  for (const name of wanted) {
    const { certificate, privateKey, kept } = readIdentity(folder, name);
    const authority =
      certificate && authorities.find(({ bundle }) => bundle.some((each) => isSignedBy(certificate, each)));
    if (certificate && privateKey && authority && !certificate.extensions.isCa) {
      const { commonName = name, organizations } = certificate.subject;
      const hosts = [...certificate.extensions.names.dnsNames, ...certificate.extensions.names.ipAddresses];
      makeLeaf(dirname(kept.keyFile), name, authority.kept, {
        ...options,
        commonName,
        organizations,
        ...(hosts.length > 0 && { hosts }),
      });
      renewed.push(name);
    } else if (names.length > 0) throw new Error(notRenewable(name, folder));
  }
  return renewed;
}

/** The certificates that an authority of the folder signed, and whether the one did that signs now. */
export function leavesOf(
  folder: string,
  authority: AuthorityName,
  options: CertificateOptions,
): { readonly name: string; readonly isCurrent: boolean }[] {
  const { certificate: signing } = ensureAuthority(folder, authority, { ...options, commonName: authority }).authority;
  const { bundle } = readIdentity(folder, authority);
  return certificateFilesIn(folder).flatMap((file) => {
    const name = basename(file, ".crt");
    const { certificate } = readIdentity(folder, name);
    if (!certificate || certificate.extensions.isCa || !bundle.some((each) => isSignedBy(certificate, each))) return [];
    return [{ name, isCurrent: isSignedBy(certificate, signing) }];
  });
}

const notRenewable = (name: string, folder: string): string =>
  `${name} in ${folder} is no certificate with a key that one of the folder's authorities signed`;
