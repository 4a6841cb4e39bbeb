import { createHash, type KeyObject } from "node:crypto";
import { type DerElement, DerError, expectTag, readBits, readChildren, readDer, readTime } from "./der-read.js";
import { tag } from "./der-write.js";
import { type DistinguishedName, readName } from "./distinguished-name.js";
import { type Extensions, noExtensions, readExtensions } from "./extensions.js";
import { publicKeyInfo, readPublicKey } from "./keys.js";
import { decodeCertificates } from "./pem.js";
import { readAlgorithm, verifyBytes } from "./signature.js";

/** The contents of a certificate. Parsing verifies nothing: see `isSignedBy`. */
export interface Certificate {
  readonly der: Buffer;
  /** 1, 2 or 3. Before 3 a certificate has no extensions and no field that marks an authority. */
  readonly version: number;
  /** Hexadecimal, without leading zeros. */
  readonly serialNumber: string;
  readonly subject: DistinguishedName;
  readonly issuer: DistinguishedName;
  /** As written: two names are the same when these bytes are. */
  readonly subjectBytes: Buffer;
  readonly issuerBytes: Buffer;
  /** Milliseconds since 1970; both ends belong to the validity. */
  readonly notBefore: number;
  readonly notAfter: number;
  readonly extensions: Extensions;
  /** SubjectPublicKeyInfo. */
  readonly publicKeyInfo: Buffer;
  readonly signed: { readonly bytes: Buffer; readonly algorithm: string; readonly signature: Buffer };
}

/** @throws DerError when it is no certificate */
export function readCertificate(der: Uint8Array): Certificate {
  const whole = readDer(der, tag.sequence);
  const [body, algorithm, signature] = readChildren(whole);
  const fields = readChildren(expectTag(body, tag.sequence));
  // A version 1 certificate has no version field.
  const version = fields[0]?.tag === 0xa0 ? readVersion(fields.shift()) : 1;
  const [serial, innerAlgorithm, issuer, validity, subject, key] = fields;
  if (!serial || !innerAlgorithm || !issuer || !validity || !subject || !key)
    throw new DerError("a certificate lacks one of its fields");
  const [notBefore, notAfter] = readChildren(validity, tag.sequence);
  const extensions = fields.find((field) => field.tag === 0xa3);
  const outer = readAlgorithm(expectTag(algorithm, tag.sequence));
  if (outer !== readAlgorithm(innerAlgorithm))
    throw new DerError("a certificate names two different signature algorithms");
  return {
    der: whole.bytes,
    version,
    serialNumber: expectTag(serial, tag.integer)
      .content.toString("hex")
      .replace(/^0+(?=.)/, ""),
    subject: readName(subject),
    issuer: readName(issuer),
    subjectBytes: subject.bytes,
    issuerBytes: issuer.bytes,
    notBefore: readTime(notBefore),
    notAfter: readTime(notAfter),
    extensions: extensions ? readExtensions(readDer(extensions.content)) : noExtensions,
    publicKeyInfo: expectTag(key, tag.sequence).bytes,
    signed: { bytes: body!.bytes, algorithm: outer, signature: readBits(signature) },
  };
}

/** It counts from zero. */
function readVersion(field: DerElement | undefined): number {
  const [number] = field ? readChildren(field) : [];
  return (expectTag(number, tag.integer).content[0] ?? 0) + 1;
}

/** The certificates of a PEM bundle, in order. @throws DerError for one that cannot be read */
export const readCertificates = (pem: string): Certificate[] => decodeCertificates(pem).map(readCertificate);

/** @throws DerError for a key that OpenSSL cannot read; its own errors differ by version */
export const publicKeyOf = (certificate: Certificate): KeyObject => readPublicKey(certificate.publicKeyInfo);

/**
 * Whether `issuer` issued it: names match, and the signature holds. Does not check validity, key usages or the issuer's own chain.
 * A key that cannot be read has signed nothing.
 */
export function isSignedBy(certificate: Certificate, issuer: Certificate): boolean {
  if (!certificate.issuerBytes.equals(issuer.subjectBytes)) return false;
  try {
    return verifyBytes(certificate.signed, publicKeyOf(issuer));
  } catch (err) {
    if (err instanceof DerError) return false;
    throw err;
  }
}

/** Whether a private key belongs to it. */
export const hasKey = (certificate: Certificate, privateKey: KeyObject): boolean =>
  publicKeyInfo(privateKey).equals(certificate.publicKeyInfo);

/** SHA-256 of the whole certificate, hexadecimal. */
export const fingerprint = (certificate: Certificate): string =>
  createHash("sha256").update(certificate.der).digest("hex");
