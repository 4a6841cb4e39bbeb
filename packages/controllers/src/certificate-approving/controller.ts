import { readRequestFacts } from "@coxswain/component/certificates";
import { approveRequest } from "../certificate-requests/approve-request.js";
import { createRequestLoop } from "../certificate-requests/request-loop.js";
import { type CachedRequest, hasCondition, requestPem } from "../certificate-requests/request-state.js";
import type { Controller } from "../controller/controller.js";
import { type Approval, approvalsFor } from "./plan.js";

/** Approves kubelets' requests for client certificates where RBAC lets their requestors have them. */
export const certificateApprovingController: Controller = {
  name: "certificatesigningrequest-approving-controller",
  aliases: ["csrapproving"],
  serviceAccount: "certificate-controller",
  start(context) {
    const { client } = context;

    async function isAllowed({ spec }: CachedRequest, { subresource }: Approval): Promise<boolean> {
      const { status } = await client.authorization.v1.subjectaccessreviews().create({
        spec: {
          ...(spec.username !== undefined && { user: spec.username }),
          ...(spec.uid !== undefined && { uid: spec.uid }),
          ...(spec.groups && { groups: [...spec.groups] }),
          ...(spec.extra && { extra: spec.extra as Record<string, string[]> }),
          resourceAttributes: {
            group: "certificates.k8s.io",
            version: "*",
            resource: "certificatesigningrequests",
            subresource,
            verb: "create",
          },
        },
      });
      return status?.allowed === true;
    }

    return createRequestLoop(context, async (request, name) => {
      if (hasCondition(request, "Approved") || hasCondition(request, "Denied")) return;
      const approvals = approvalsFor(request, readRequestFacts(requestPem(request)));
      for (const approval of approvals) {
        if (!(await isAllowed(request, approval))) continue;
        await approveRequest(context, request, approval.message);
        return;
      }
      // A role may be bound later: tried again, more and more rarely.
      if (approvals.length > 0)
        throw new Error(
          `recognized csr "${name}" as [${approvals.map(({ subresource }) => subresource).join(" ")}] but subject access review was not approved`,
        );
    });
  },
};
