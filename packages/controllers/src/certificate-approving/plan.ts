import type { RequestFacts } from "@coxswain/component/certificates";
import { refuseKubeletClient } from "../certificate-requests/kubelet-requests.js";
import type { CachedRequest } from "../certificate-requests/request-state.js";

/** A right that lets a request be approved without a person, and what is then written into it. */
export interface Approval {
  /** The subresource that the requestor must be allowed to create. */
  readonly subresource: "selfnodeclient" | "nodeclient";
  readonly message: string;
}

/** Pure: the rights by which the request may be approved: a kubelet's own next certificate, or a first one for any node. */
export function approvalsFor({ spec }: CachedRequest, facts: RequestFacts): readonly Approval[] {
  if (spec.signerName !== "kubernetes.io/kube-apiserver-client-kubelet") return [];
  if (refuseKubeletClient(facts, spec.usages ?? []) !== undefined) return [];
  const self: Approval = {
    subresource: "selfnodeclient",
    message: "Auto approving self kubelet client certificate after SubjectAccessReview.",
  };
  const node: Approval = {
    subresource: "nodeclient",
    message: "Auto approving kubelet client certificate after SubjectAccessReview.",
  };
  return spec.username === facts.commonName ? [self, node] : [node];
}
