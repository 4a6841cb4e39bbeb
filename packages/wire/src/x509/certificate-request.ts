import type { KeyObject } from "node:crypto";
import { DerError, expectTag, readBits, readChildren, readDer, readOid } from "./der-read.js";
import { bitString, explicit, oid, sequence, setOf, smallInteger, tag } from "./der-write.js";
import { type DistinguishedName, encodeName, type NameOptions, readName } from "./distinguished-name.js";
import { type Extensions, encodeNamesOnly, noExtensions, readExtensions } from "./extensions.js";
import { publicKeyInfo, readPublicKey } from "./keys.js";
import { oids } from "./object-identifiers.js";
import { certificateRequestLabel, decodePem, encodePem } from "./pem.js";
import { encodeAlgorithm, readAlgorithm, signatureAlgorithm, signBytes, verifyBytes } from "./signature.js";
import { type AlternativeNames, hasNames, noAlternativeNames } from "./subject-alternative-names.js";

/** What a PKCS #10 request asks for. */
export interface CertificateRequest {
  readonly subject: DistinguishedName;
  readonly subjectBytes: Buffer;
  readonly publicKeyInfo: Buffer;
  /** Those asked for; `noExtensions` where the request has none. */
  readonly extensions: Extensions;
  readonly signed: { readonly bytes: Buffer; readonly algorithm: string; readonly signature: Buffer };
}

/** @throws DerError when it is no request; the signature is not checked here */
export function readCertificateRequest(der: Uint8Array): CertificateRequest {
  const [body, algorithm, signature] = readChildren(readDer(der, tag.sequence));
  const [version, subject, key, attributes] = readChildren(expectTag(body, tag.sequence));
  if (!version || !subject || !key) throw new DerError("a certificate request lacks one of its fields");
  let extensions = noExtensions;
  for (const attribute of attributes?.tag === 0xa0 ? readChildren(attributes) : []) {
    const [type, values] = readChildren(attribute, tag.sequence);
    if (readOid(type) === oids.extensionRequest)
      extensions = readExtensions(expectTag(readChildren(expectTag(values, tag.set))[0], tag.sequence));
  }
  return {
    subject: readName(subject),
    subjectBytes: subject.bytes,
    publicKeyInfo: expectTag(key, tag.sequence).bytes,
    extensions,
    signed: {
      bytes: body!.bytes,
      algorithm: readAlgorithm(expectTag(algorithm, tag.sequence)),
      signature: readBits(signature),
    },
  };
}

/** The first request of a PEM text; undefined where there is none. */
export function decodeCertificateRequest(pem: string): CertificateRequest | undefined {
  const block = decodePem(pem).find(({ label }) => label === certificateRequestLabel);
  return block && readCertificateRequest(block.bytes);
}

/** Proof of possession: whether the request is signed by the key it contains. A key that cannot be read proves nothing. */
export function isSelfSigned(request: CertificateRequest): boolean {
  try {
    return verifyBytes(request.signed, readPublicKey(request.publicKeyInfo));
  } catch (err) {
    if (err instanceof DerError) return false; // OpenSSL cannot read it, so nobody can hold it
    throw err;
  }
}

/** A PEM request, signed by the key it is for. */
export function createCertificateRequest(options: {
  subject: NameOptions;
  privateKey: KeyObject;
  names?: AlternativeNames;
}): string {
  const { subject, privateKey, names = noAlternativeNames } = options;
  const attributes = hasNames(names) ? [sequence(oid(oids.extensionRequest), setOf(encodeNamesOnly(names)))] : [];
  const body = sequence(smallInteger(0), encodeName(subject), publicKeyInfo(privateKey), explicit(0, ...attributes));
  const algorithm = encodeAlgorithm(signatureAlgorithm(privateKey));
  return encodePem(certificateRequestLabel, sequence(body, algorithm, bitString(signBytes(body, privateKey))));
}
