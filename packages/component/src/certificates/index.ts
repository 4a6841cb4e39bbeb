export { type ClusterCertificates, ensureCertificates, type EnsureCertificatesOptions } from "./ensure-certificates.js";

export { ensureAuthority, type KeptAuthority } from "./authority.js";
export type { CertificateOptions } from "./certificate-options.js";
export type { KeptIdentity } from "./identity-files.js";
export { ensureLeaf, type LeafOptions } from "./leaf.js";
export { ensureServiceAccountKey, type ServiceAccountKey } from "./service-account-key.js";
