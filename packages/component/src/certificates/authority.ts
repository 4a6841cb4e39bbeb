import {
  type CertificateTemplate,
  createAuthority,
  hasKey,
  type Identity,
  issueCertificate,
} from "@coxswain/wire/x509";
import type { CertificateOptions } from "./certificate-options.js";
import { damaged, type KeptIdentity, readIdentity, writeIdentity } from "./identity-files.js";

/** An authority with what it needs to sign. */
export interface KeptAuthority extends KeptIdentity {
  readonly authority: Pick<Identity, "certificate" | "privateKey">;
  /** Whether it was made by this call. */
  readonly fresh: boolean;
}

const year = 365 * 86_400_000;
/** Clocks of a small network may differ by as much. */
export const backdateMs = 5 * 60_000;

/**
 * The authority in these files, or a new one for ten years. One that is there is never replaced: all that it signed would be void. While it
 * is being rotated the file holds two certificates: the one that has the key signs, both are trusted.
 */
export function ensureAuthority(
  folder: string,
  name: string,
  options: CertificateOptions & {
    readonly commonName: string;
    /** The only DNS names, with those below them, that a new one may sign for. @default all */
    readonly permittedDnsNames?: readonly string[];
  },
): KeptAuthority {
  const { bundle, privateKey, kept } = readIdentity(folder, name);
  const certificate = (privateKey && bundle.find((each) => hasKey(each, privateKey))) ?? bundle[0];
  const now = options.clock.now();
  if (certificate && !privateKey)
    throw new Error(
      `${kept.keyFile} is missing, though ${kept.certificateFile} is there. Put it back, or remove the folder ${folder} to begin anew (clients then need new credentials).`,
    );
  if (certificate && privateKey) {
    if (!hasKey(certificate, privateKey))
      throw new Error(
        `${kept.keyFile} is not the key of ${kept.certificateFile}. Put the right one back, or remove both to make new ones.`,
      );
    if (!certificate.extensions.isCa) throw damaged(kept.certificateFile, "certificate of an authority");
    if (certificate.notAfter < now)
      throw new Error(
        `${kept.certificateFile} expired on ${new Date(certificate.notAfter).toISOString()}. Remove the folder ${folder} to make new certificates (clients then need new credentials).`,
      );
    return { ...kept, authority: { certificate, privateKey }, fresh: false };
  }
  const { commonName, permittedDnsNames, random } = options;
  const template = { subject: { commonName }, ...validityFrom(now), ...(permittedDnsNames && { permittedDnsNames }) };
  const made = privateKey ? resign(privateKey, template, options) : createAuthority({ random, ...template });
  return { ...writeIdentity(folder, name, made), authority: made, fresh: true };
}

export const validityFrom = (now: number): { notBefore: number; notAfter: number } => ({
  notBefore: now - backdateMs,
  notAfter: now + 10 * year,
});

/** A new certificate for a key whose first one was never written. */
function resign(
  privateKey: Identity["privateKey"],
  template: Omit<CertificateTemplate, "publicKey">,
  options: CertificateOptions,
): Identity {
  const whole = {
    ...template,
    publicKey: privateKey,
    isCa: true,
    keyUsage: ["digitalSignature", "keyEncipherment", "keyCertSign"] as const,
  };
  return { ...issueCertificate(whole, { privateKey }, options.random), privateKey };
}
