import type { CertificateSigningRequest } from "@coxswain/api/certificates/v1";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import type { AdmissionAttributes } from "../admission.js";

export type StoredCertificateSigningRequest = KubernetesObject &
  Required<Pick<CertificateSigningRequest, "spec" | "status">>;

export const isSigningRequest = ({ kind }: AdmissionAttributes): boolean =>
  kind.group === "certificates.k8s.io" && kind.resource === "certificatesigningrequests";
