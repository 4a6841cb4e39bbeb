import type { Authorizer } from "../../authorization/attributes.js";
import type { AdmissionPlugin } from "../admission.js";
import { forbid } from "../forbid.js";
import { isAllowedForSigner } from "./signer-permission.js";
import type { StoredCertificateSigningRequest } from "./signing-request.js";
import { isSigningRequest } from "./signing-request.js";

/** Approving a request needs a permission for its signer beside that for the request. */
export const createCertificateApproval = (authorizer: Authorizer): AdmissionPlugin => ({
  name: "CertificateApproval",
  operations: ["UPDATE"],
  async validate(attributes) {
    if (!isSigningRequest(attributes) || attributes.subresource !== "approval") return;
    // As it was: who changes the signer's name with the approval gains nothing.
    const { signerName } = (attributes.old as StoredCertificateSigningRequest).spec;
    if (!(await isAllowedForSigner(authorizer, attributes.user, "approve", signerName)))
      throw forbid(attributes, `user not permitted to approve requests with signerName ${JSON.stringify(signerName)}`);
  },
});
