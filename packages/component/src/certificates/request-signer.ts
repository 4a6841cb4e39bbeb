import { createPrivateKey } from "node:crypto";
import { quoteGo } from "@coxswain/apimachinery/text";
import {
  decodeCertificateRequest,
  decodeCertificates,
  hasKey,
  isSelfSigned,
  issueCertificate,
  type KeyUsage,
  readCertificate,
} from "@coxswain/wire/x509";
import { backdateMs } from "./authority.js";
import type { CertificateOptions } from "./certificate-options.js";

export interface RequestToSign {
  /** The PKCS #10 request, PEM-encoded. */
  readonly pem: string;
  /** As the certificates API names them: "client auth". */
  readonly usages: readonly string[];
  /** How long the certificate is valid, in milliseconds; never longer than the authority's own. */
  readonly ttlMs: number;
}

/** The PEM-encoded certificate. @throws Error when the request is none, not signed by its own key, or asks for an unknown usage */
export type SignRequest = (request: RequestToSign) => string;

/** A shorter certificate is not backdated at its end: that would take more than a hundredth of its life. */
const shortMs = 8 * 3_600_000;

const keyUsageNames: ReadonlyMap<string, KeyUsage> = new Map([
  ["signing", "digitalSignature"],
  ["digital signature", "digitalSignature"],
  ["content commitment", "contentCommitment"],
  ["key encipherment", "keyEncipherment"],
  ["key agreement", "keyAgreement"],
  ["data encipherment", "dataEncipherment"],
  ["cert sign", "keyCertSign"],
  ["crl sign", "cRLSign"],
  ["encipher only", "encipherOnly"],
  ["decipher only", "decipherOnly"],
]);

/** In the order in which Go's library writes them. */
const extendedUsageNames: ReadonlyMap<string, string> = new Map([
  ["any", "2.5.29.37.0"],
  ["server auth", "serverAuth"],
  ["client auth", "clientAuth"],
  ["code signing", "1.3.6.1.5.5.7.3.3"],
  ["email protection", "1.3.6.1.5.5.7.3.4"],
  ["s/mime", "1.3.6.1.5.5.7.3.4"],
  ["ipsec end system", "1.3.6.1.5.5.7.3.5"],
  ["ipsec tunnel", "1.3.6.1.5.5.7.3.6"],
  ["ipsec user", "1.3.6.1.5.5.7.3.7"],
  ["timestamping", "1.3.6.1.5.5.7.3.8"],
  ["ocsp signing", "1.3.6.1.5.5.7.3.9"],
  ["microsoft sgc", "1.3.6.1.4.1.311.10.3.3"],
  ["netscape sgc", "2.16.840.1.113730.4.1"],
]);

/**
 * Country, locality, province, street, unit, postal code and serial number are kept beside organization and common name. Others
 * are not: a server may read rights from them.
 */
const keptAttributes: ReadonlySet<string> = new Set(
  ["6", "7", "8", "9", "11", "17", "5"].map((part) => `2.5.4.${part}`),
);

export interface RequestSignerOptions extends CertificateOptions {
  /** The authority's certificate and key, PEM-encoded; of several certificates the one that has the key counts. */
  readonly certificate: string;
  readonly key: string;
}

/**
 * Signs requests as an authority: subject and alternative names as asked for, nothing else of the request.
 * @throws Error when the key is not the certificate's
 */
export function createRequestSigner({ certificate, key, clock, random }: RequestSignerOptions): SignRequest {
  const all = decodeCertificates(certificate).map(readCertificate);
  if (all.length === 0) throw new Error("the authority's certificate is none");
  const privateKey = createPrivateKey(key);
  const own = all.find((each) => hasKey(each, privateKey));
  if (!own) throw new Error("the key is not that of the authority's certificate");
  const issuer = { certificate: own, privateKey };
  const { notAfter: authorityEnd } = issuer.certificate;
  return ({ pem, usages, ttlMs }) => {
    const request = decodeCertificateRequest(pem);
    if (!request) throw new Error("unable to parse certificate request: PEM block type must be CERTIFICATE REQUEST");
    if (!isSelfSigned(request)) throw new Error("unable to verify certificate request signature");
    const unknown = usages.filter((usage) => !keyUsageNames.has(usage) && !extendedUsageNames.has(usage));
    if (unknown.length > 0)
      throw new Error(`unrecognized usage values: [${unknown.map((usage) => quoteGo(usage)).join(" ")}]`);
    const now = clock.now();
    if (now >= authorityEnd)
      throw new Error(
        `refusing to sign a certificate that expired in the past: NotAfter=${new Date(authorityEnd).toISOString()}`,
      );
    const { commonName, organizations, attributes } = request.subject;
    const extended = [...extendedUsageNames].filter(([name]) => usages.includes(name)).map(([, id]) => id);
    return issueCertificate(
      {
        subject: { commonName, organizations, attributes: attributes.filter(({ type }) => keptAttributes.has(type)) },
        publicKey: request.publicKeyInfo,
        notBefore: now - backdateMs,
        notAfter: Math.min(authorityEnd, ttlMs < shortMs ? now + ttlMs : now + ttlMs - backdateMs),
        keyUsage: [...new Set(usages.flatMap((usage) => keyUsageNames.get(usage) ?? []))],
        extendedKeyUsage: [...new Set(extended)],
        names: request.extensions.names,
      },
      issuer,
      random,
    ).pem;
  };
}
