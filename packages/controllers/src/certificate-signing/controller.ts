import type { CertificateSigningRequest } from "@coxswain/api/certificates/v1";
import { formatTime } from "@coxswain/apimachinery/time";
import { createRequestLoop } from "../certificate-requests/request-loop.js";
import { requestPem } from "../certificate-requests/request-state.js";
import type { Controller } from "../controller/controller.js";
import { planSigning } from "./plan.js";

const year = 365 * 86_400_000;

/** Issues the certificates of approved requests to Kubernetes' own signers. */
export const certificateSigningController: Controller = {
  name: "certificatesigningrequest-signing-controller",
  aliases: ["csrsigning"],
  serviceAccount: "certificate-controller",
  start(context) {
    const { client } = context;
    const { clock } = context.runtime;
    const { signers, durationMs = year } = context.settings.certificateSigning ?? { signers: {} };
    if (Object.keys(signers).length === 0) return undefined;
    const write = (request: CertificateSigningRequest): Promise<unknown> =>
      client.certificates.v1.certificatesigningrequests().updateStatus(request);

    return createRequestLoop(context, async (request) => {
      const plan = planSigning(request, durationMs);
      if (plan.kind === "leave") return;
      const copy = request as CertificateSigningRequest;
      if (plan.kind === "fail") {
        const condition = {
          type: "Failed",
          status: "True",
          reason: "SignerValidationFailure",
          message: plan.message,
          lastUpdateTime: formatTime(clock.now()),
        } as const;
        const conditions = [...(copy.status?.conditions ?? []), condition];
        await write({ ...copy, status: { ...copy.status, conditions } });
        return;
      }
      const sign = signers[plan.signerName];
      if (!sign) return;
      const pem = await sign({ pem: requestPem(request), usages: request.spec.usages ?? [], ttlMs: plan.ttlMs });
      await write({ ...copy, status: { ...copy.status, certificate: Buffer.from(pem).toString("base64") } });
    });
  },
};
