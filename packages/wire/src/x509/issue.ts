import type { KeyObject } from "node:crypto";
import type { RandomBytes } from "@coxswain/runtime/random";
import { type Certificate, readCertificate } from "./certificate.js";
import { bitString, explicit, integer, sequence, smallInteger, time } from "./der-write.js";
import { encodeName, type NameOptions } from "./distinguished-name.js";
import { type ExtendedKeyUsage, encodeExtensions, type KeyUsage } from "./extensions.js";
import { keyId, publicKeyInfo } from "./keys.js";
import { certificateLabel, encodePem } from "./pem.js";
import { encodeAlgorithm, signatureAlgorithm, signBytes } from "./signature.js";
import { type AlternativeNames, noAlternativeNames } from "./subject-alternative-names.js";

/** What is asked for. Times are milliseconds since 1970 and are cut to whole seconds. */
export interface CertificateTemplate {
  readonly subject: NameOptions | { readonly encoded: Uint8Array };
  /** The subject's public key: a key, or its SubjectPublicKeyInfo. */
  readonly publicKey: KeyObject | Uint8Array;
  readonly notBefore: number;
  readonly notAfter: number;
  /** @default false */
  readonly isCa?: boolean;
  readonly keyUsage?: readonly KeyUsage[];
  readonly extendedKeyUsage?: readonly ExtendedKeyUsage[];
  readonly names?: AlternativeNames;
  /** Of an authority: it may sign for these DNS names and those below them, and for no addresses. @default for all */
  readonly permittedDnsNames?: readonly string[];
}

/** The signer; self-signed where `certificate` is left out. */
export interface Issuer {
  readonly certificate?: Certificate;
  readonly privateKey: KeyObject;
}

export interface IssuedCertificate {
  readonly certificate: Certificate;
  readonly pem: string;
}

/** Signs the template as it is: policy is up to the caller. */
export function issueCertificate(
  template: CertificateTemplate,
  issuer: Issuer,
  random: RandomBytes,
): IssuedCertificate {
  const algorithm = encodeAlgorithm(signatureAlgorithm(issuer.privateKey));
  const info = template.publicKey instanceof Uint8Array ? template.publicKey : publicKeyInfo(template.publicKey);
  const subject = "encoded" in template.subject ? Buffer.from(template.subject.encoded) : encodeName(template.subject);
  const subjectKeyId = keyId(info);
  const extensions = encodeExtensions(
    {
      isCa: template.isCa ?? false,
      keyUsage: template.keyUsage ?? [],
      extendedKeyUsage: template.extendedKeyUsage ?? [],
      names: template.names ?? noAlternativeNames,
      ...(template.permittedDnsNames && { permittedDnsNames: template.permittedDnsNames }),
      subjectKeyId,
      authorityKeyId:
        issuer.certificate?.extensions.subjectKeyId ??
        (issuer.certificate ? keyId(issuer.certificate.publicKeyInfo) : subjectKeyId),
    },
    subject.length === 2,
  );
  const body = sequence(
    explicit(0, smallInteger(2)),
    integer(serialNumber(random)),
    algorithm,
    issuer.certificate?.subjectBytes ?? subject,
    sequence(time(template.notBefore), time(template.notAfter)),
    subject,
    info,
    explicit(3, extensions),
  );
  const der = sequence(body, algorithm, bitString(signBytes(body, issuer.privateKey)));
  return { certificate: readCertificate(der), pem: encodePem(certificateLabel, der) };
}

/** 127 bits that are never all zero: RFC 5280 wants a positive number of at most 20 bytes. */
function serialNumber(random: RandomBytes): Uint8Array {
  const bytes = Uint8Array.from(random.bytes(16));
  bytes[0] = (bytes[0]! & 0x7f) | 0x40;
  return bytes;
}
