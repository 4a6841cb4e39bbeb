export {
  createAuthority,
  createClientIdentity,
  createServerIdentity,
  type Identity,
  type IdentityOptions,
  type Validity,
} from "./certificate-authority.js";
export {
  type Certificate,
  fingerprint,
  hasKey,
  isSignedBy,
  publicKeyOf,
  readCertificate,
  readCertificates,
} from "./certificate.js";
export {
  type CertificateRequest,
  createCertificateRequest,
  decodeCertificateRequest,
  isSelfSigned,
  readCertificateRequest,
} from "./certificate-request.js";
export {
  attributeValues,
  type DistinguishedName,
  formatName,
  type NameAttribute,
  type NameOptions,
} from "./distinguished-name.js";
export { encodePrivateKey, encodePublicKey, generateKeyPair, type KeyPair } from "./keys.js";

export { type CertificateTemplate, issueCertificate, type IssuedCertificate, type Issuer } from "./issue.js";
export { type ExtendedKeyUsage, type Extensions, type KeyUsage, keyUsages } from "./extensions.js";
export { type AlternativeNames, namesOfHosts, noAlternativeNames } from "./subject-alternative-names.js";
export { addressBytes, formatAddress } from "../bytes/ip-address.js";
export { decodeCertificates, decodePem, encodePem, type PemBlock } from "./pem.js";
export { DerError } from "./der-read.js";
