import { attributeValues, decodeCertificateRequest } from "@coxswain/wire/x509";
import type { AdmissionPlugin } from "../admission.js";
import { forbid } from "../forbid.js";
import { isSigningRequest, type StoredCertificateSigningRequest } from "./signing-request.js";

const signer = "kubernetes.io/kube-apiserver-client";
const masters = "system:masters";
/** The object identifier of what Kubernetes takes for groups. */
const organization = "2.5.4.10";

/** Nobody becomes a member of the group that may do anything by a certificate that the cluster signs. */
export const certificateSubjectRestriction: AdmissionPlugin = {
  name: "CertificateSubjectRestriction",
  operations: ["CREATE"],
  validate(attributes) {
    if (!isSigningRequest(attributes) || attributes.subresource !== "") return;
    const { spec } = attributes.object as StoredCertificateSigningRequest;
    if (spec.signerName !== signer) return;
    let organizations: readonly string[];
    try {
      organizations = organizationsOf(spec.request);
    } catch (err) {
      throw forbid(attributes, `failed to parse CSR: ${err instanceof Error ? err.message : String(err)}`);
    }
    if (organizations.includes(masters))
      throw forbid(attributes, `use of ${signer} signer with ${masters} group is not allowed`);
  },
};

function organizationsOf(request: string): readonly string[] {
  const decoded = decodeCertificateRequest(Buffer.from(request, "base64").toString("latin1"));
  if (!decoded) throw new Error("PEM block type must be CERTIFICATE REQUEST");
  return attributeValues(decoded.subject, organization);
}
