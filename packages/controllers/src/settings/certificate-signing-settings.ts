import type { RequestToSign } from "@coxswain/component/certificates";

/** Kubernetes' own signers. */
export const signerNames = [
  "kubernetes.io/kubelet-serving",
  "kubernetes.io/kube-apiserver-client-kubelet",
  "kubernetes.io/kube-apiserver-client",
  "kubernetes.io/legacy-unknown",
] as const;
export type SignerName = (typeof signerNames)[number];

/** By whom certificates are issued. `createRequestSigner` of `@coxswain/component/certificates` makes a signer of a CA. */
export interface CertificateSigningSettings {
  /** --cluster-signing-cert-file and its key, or those of one signer alone: without one its requests are left to others. */
  readonly signers: Readonly<Partial<Record<SignerName, (request: RequestToSign) => string | Promise<string>>>>;
  /** --cluster-signing-duration, in milliseconds: so long at most. @default a year */
  readonly durationMs?: number;
}
