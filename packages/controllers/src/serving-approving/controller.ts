import { readRequestFacts } from "@coxswain/component/certificates";
import { approveRequest } from "../certificate-requests/approve-request.js";
import { createRequestLoop } from "../certificate-requests/request-loop.js";
import { hasCondition, requestPem } from "../certificate-requests/request-state.js";
import type { Controller } from "../controller/controller.js";
import { nodeOfRequest, refuseNames } from "./plan.js";

/**
 * Approves requests of nodes for certificates of their own servers (`serverTLSBootstrap`) where all names in them are addresses that the
 * Node has. Upstream leaves these requests to people, because a kubelet writes its addresses itself: who trusts its nodes that far runs this.
 */
export const servingApprovingController: Controller = {
  name: "kubelet-serving-approving-controller",
  aliases: [],
  serviceAccount: "kubelet-serving-approver",
  start(context) {
    const { client } = context;
    return createRequestLoop(context, async (request, name) => {
      if (hasCondition(request, "Approved") || hasCondition(request, "Denied")) return;
      const facts = readRequestFacts(requestPem(request));
      const nodeName = nodeOfRequest(request, facts);
      if (nodeName === undefined) return;
      // The Node may get its addresses after the request: tried again, more and more rarely.
      const refusal = refuseNames(facts, await client.core.v1.nodes().get(nodeName));
      if (refusal !== undefined) throw new Error(`csr "${name}" of node "${nodeName}" is not approved: ${refusal}`);
      await approveRequest(
        context,
        request,
        "Auto approving kubelet serving certificate: its names are addresses of the node.",
      );
    });
  },
};
