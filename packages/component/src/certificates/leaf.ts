import { type Certificate, createClientIdentity, createServerIdentity, hasKey, isSignedBy } from "@coxswain/wire/x509";
import { backdateMs, type KeptAuthority } from "./authority.js";
import type { CertificateOptions } from "./certificate-options.js";
import { type FoundIdentity, type KeptIdentity, readIdentity, writeIdentity } from "./identity-files.js";

export interface LeafOptions extends CertificateOptions {
  readonly commonName: string;
  readonly organizations?: readonly string[];
  /** Names and addresses of a server; a client has none. */
  readonly hosts?: readonly string[];
}

const day = 86_400_000;
export const validityMs = 365 * day;
/** One that ends sooner than this is renewed at the next start. */
export const renewBeforeMs = 30 * day;

/** Keeps the certificate in these files while it is good, and makes a new one (with a new key) when it is not. */
export function ensureLeaf(
  folder: string,
  name: string,
  from: KeptAuthority,
  options: LeafOptions,
): KeptIdentity & { readonly fresh: boolean } {
  const found = readIdentity(folder, name);
  if (isGood(found, from.authority.certificate, options)) return { ...found.kept, fresh: false };
  return { ...makeLeaf(folder, name, from, options), fresh: true };
}

/** A new certificate with a new key, whatever is in the files. */
export function makeLeaf(folder: string, name: string, from: KeptAuthority, options: LeafOptions): KeptIdentity {
  const now = options.clock.now();
  // No leaf outlives what it was signed with.
  const notAfter = Math.min(now + validityMs, from.authority.certificate.notAfter);
  const identity = {
    subject: { commonName: options.commonName, organizations: options.organizations ?? [] },
    notBefore: now - backdateMs,
    notAfter,
    random: options.random,
  };
  const made = options.hosts
    ? createServerIdentity(from.authority, { ...identity, hosts: options.hosts })
    : createClientIdentity(from.authority, identity);
  return writeIdentity(folder, name, made);
}

function isGood({ certificate, privateKey }: FoundIdentity, authority: Certificate, options: LeafOptions): boolean {
  if (!certificate || !privateKey || !hasKey(certificate, privateKey) || !isSignedBy(certificate, authority))
    return false;
  const left = certificate.notAfter - options.clock.now();
  // In the last days of the authority itself a new leaf would end no later.
  const lasts = left > renewBeforeMs || (left > 0 && certificate.notAfter >= authority.notAfter);
  const { names } = certificate.extensions;
  return (
    lasts &&
    sameSet([...names.dnsNames, ...names.ipAddresses], options.hosts ?? []) &&
    certificate.subject.commonName === options.commonName &&
    sameSet(certificate.subject.organizations, options.organizations ?? [])
  );
}

const sameSet = (left: readonly string[], right: readonly string[]): boolean =>
  [...left].sort().join("\n") === [...right].sort().join("\n");
