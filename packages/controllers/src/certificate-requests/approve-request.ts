import type { CertificateSigningRequest } from "@coxswain/api/certificates/v1";
import type { ControllerContext } from "../controller/controller.js";
import type { CachedRequest } from "./request-state.js";

/** Adds the condition that lets a signer sign. */
export async function approveRequest(
  { client }: Pick<ControllerContext, "client">,
  request: CachedRequest,
  message: string,
): Promise<void> {
  const condition = { type: "Approved", status: "True", reason: "AutoApproved", message } as const;
  const conditions = [...(request.status?.conditions ?? []), condition];
  const approved = { ...(request as CertificateSigningRequest), status: { ...request.status, conditions } };
  await client.certificates.v1
    .certificatesigningrequests()
    .subresource<object>("approval")
    .update(request.metadata?.name ?? "", {
      apiVersion: "certificates.k8s.io/v1",
      kind: "CertificateSigningRequest",
      ...approved,
    });
}
