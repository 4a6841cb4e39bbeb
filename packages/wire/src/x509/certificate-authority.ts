import type { KeyObject } from "node:crypto";
import type { RandomBytes } from "@coxswain/runtime/random";
import type { NameOptions } from "./distinguished-name.js";
import { type CertificateTemplate, type IssuedCertificate, type Issuer, issueCertificate } from "./issue.js";
import { generateKeyPair } from "./keys.js";
import { namesOfHosts } from "./subject-alternative-names.js";

/** A certificate with its key. */
export interface Identity extends IssuedCertificate {
  readonly privateKey: KeyObject;
}

export interface Validity {
  /** Milliseconds since 1970. */
  readonly notBefore: number;
  readonly notAfter: number;
}

export interface IdentityOptions extends Validity {
  readonly subject: NameOptions;
  readonly random: RandomBytes;
}

/** A self-signed authority with a new P-256 key. */
export function createAuthority(options: IdentityOptions & Pick<CertificateTemplate, "permittedDnsNames">): Identity {
  const { privateKey, publicKey } = generateKeyPair();
  const template = {
    ...options,
    publicKey,
    isCa: true,
    keyUsage: ["digitalSignature", "keyEncipherment", "keyCertSign"] as const,
  };
  return { ...issueCertificate(template, { privateKey }, options.random), privateKey };
}

/** What a server shows: good for `hosts`, DNS names and addresses alike. */
export function createServerIdentity(
  authority: Issuer,
  options: IdentityOptions & { readonly hosts: readonly string[] },
): Identity {
  return createLeaf(authority, { ...options, extendedKeyUsage: ["serverAuth"], names: namesOfHosts(options.hosts) });
}

/** What a client shows. */
export const createClientIdentity = (authority: Issuer, options: IdentityOptions): Identity =>
  createLeaf(authority, { ...options, extendedKeyUsage: ["clientAuth"] });

function createLeaf(
  authority: Issuer,
  options: IdentityOptions & { extendedKeyUsage: readonly string[]; names?: ReturnType<typeof namesOfHosts> },
): Identity {
  const { privateKey, publicKey } = generateKeyPair();
  return {
    ...issueCertificate(
      { ...options, publicKey, keyUsage: ["digitalSignature", "keyEncipherment"] },
      authority,
      options.random,
    ),
    privateKey,
  };
}
