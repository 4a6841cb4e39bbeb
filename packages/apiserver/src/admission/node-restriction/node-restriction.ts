import { quoteGo } from "@coxswain/apimachinery/field";
import { nodeOf } from "../../authorization/node/node-identity.js";
import type { AdmissionPlugin } from "../admission.js";
import { restrictClaims } from "./claims.js";
import { restrictNodes } from "./nodes.js";
import {
  restrictCsiNodes,
  restrictLeases,
  restrictPodCertificates,
  restrictResourceSlices,
  restrictSigningRequests,
} from "./own-objects.js";
import { restrictPods } from "./pods.js";
import { refuse } from "./refuse.js";
import type { Restriction, RestrictionDeps } from "./restriction.js";
import { restrictTokenRequests } from "./token-requests.js";

const restrictions = new Map<string, Restriction>([
  ["/pods", restrictPods],
  ["/nodes", restrictNodes],
  ["/persistentvolumeclaims", restrictClaims],
  ["/serviceaccounts", restrictTokenRequests],
  ["certificates.k8s.io/podcertificaterequests", restrictPodCertificates],
  ["coordination.k8s.io/leases", restrictLeases],
  ["storage.k8s.io/csinodes", restrictCsiNodes],
  ["resource.k8s.io/resourceslices", restrictResourceSlices],
  ["certificates.k8s.io/certificatesigningrequests", restrictSigningRequests],
]);

/** A kubelet writes what is its own. The node authorizer decides before it what can be decided without the object. */
export function createNodeRestriction(deps: RestrictionDeps): AdmissionPlugin {
  return {
    name: "NodeRestriction",
    operations: ["CREATE", "UPDATE", "DELETE"],
    admit(attributes) {
      const node = nodeOf(attributes.user);
      if (node === undefined) return;
      if (node === "") throw refuse(attributes, `could not determine node from user ${quoteGo(attributes.user.name)}`);
      return restrictions.get(`${attributes.kind.group}/${attributes.kind.resource}`)?.(deps, node, attributes);
    },
  };
}
