import type { Node } from "@coxswain/api/core/v1";
import type { DeepReadonly } from "@coxswain/api/types";
import type { RequestFacts } from "@coxswain/component/certificates";
import { refuseKubeletServing } from "../certificate-requests/kubelet-requests.js";
import type { CachedRequest } from "../certificate-requests/request-state.js";

export const servingSigner = "kubernetes.io/kubelet-serving";

/** Pure: the node by whose addresses a request is decided; undefined: it is not that of a node for its own server. */
export const nodeOfRequest = ({ spec }: CachedRequest, facts: RequestFacts): string | undefined =>
  spec.signerName === servingSigner &&
  spec.username === facts.commonName &&
  refuseKubeletServing(facts, spec.usages ?? []) === undefined
    ? facts.commonName.slice("system:node:".length)
    : undefined;

/** Pure: why a node may not have a certificate for these names and addresses; undefined: all of them are its own. */
export function refuseNames(facts: RequestFacts, { status }: DeepReadonly<Node>): string | undefined {
  const own = new Set((status?.addresses ?? []).map(({ address }) => address));
  const other = [...facts.dnsNames, ...facts.ipAddresses].find((name) => !own.has(name));
  return other === undefined ? undefined : `${JSON.stringify(other)} is no address of the node`;
}
