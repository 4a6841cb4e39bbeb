export { type ClusterCertificates, ensureCertificates, type EnsureCertificatesOptions } from "./ensure-certificates.js";

export { ensureEtcdCertificates, type EtcdCertificates } from "./etcd-certificates.js";
export { followCertificates, type FollowCertificatesOptions } from "./follow-certificates.js";
export {
  certificateFilesIn,
  issuerOf,
  listCertificates,
  type ListedCertificate,
  type UnreadableFile,
} from "./list-certificates.js";
export { authorityNames, type AuthorityName, leavesOf, renewLeaves } from "./renew-leaves.js";
export {
  abandonRotation,
  beginRotation,
  finishRotation,
  rotationStage,
  type RotationStage,
  switchAuthority,
} from "./rotate-authority.js";

export { ensureAuthority, type KeptAuthority } from "./authority.js";
export type { CertificateOptions } from "./certificate-options.js";
export type { KeptIdentity } from "./identity-files.js";
export { ensureLeaf, type LeafOptions } from "./leaf.js";
export { ensureServiceAccountKey, type ServiceAccountKey } from "./service-account-key.js";
export { type CertificateUses, type ExpiryWatch, type ExpiryWatchOptions, watchExpiry } from "./watch-expiry.js";
export { signingFirst } from "./signing-first.js";
export { readRequestFacts, type RequestFacts } from "./request-facts.js";
export {
  createRequestSigner,
  type RequestSignerOptions,
  type RequestToSign,
  type SignRequest,
} from "./request-signer.js";
