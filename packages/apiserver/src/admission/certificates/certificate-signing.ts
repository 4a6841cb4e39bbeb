import { equalJson } from "@coxswain/apimachinery/json";
import type { Authorizer } from "../../authorization/attributes.js";
import type { AdmissionPlugin } from "../admission.js";
import { forbid } from "../forbid.js";
import { isAllowedForSigner } from "./signer-permission.js";
import { isSigningRequest, type StoredCertificateSigningRequest } from "./signing-request.js";

/** Signing a request needs a permission for its signer beside that for the request. */
export const createCertificateSigning = (authorizer: Authorizer): AdmissionPlugin => ({
  name: "CertificateSigning",
  operations: ["UPDATE"],
  async validate(attributes) {
    if (!isSigningRequest(attributes) || attributes.subresource !== "status") return;
    const [{ spec, status: old }, { status }] = [
      attributes.old as StoredCertificateSigningRequest,
      attributes.object as StoredCertificateSigningRequest,
    ];
    if (
      (old.certificate ?? "") === (status.certificate ?? "") &&
      equalJson(old.conditions ?? [], status.conditions ?? [])
    )
      return;
    if (!(await isAllowedForSigner(authorizer, attributes.user, "sign", spec.signerName)))
      throw forbid(
        attributes,
        `user not permitted to sign requests with signerName ${JSON.stringify(spec.signerName)}`,
      );
  },
});
