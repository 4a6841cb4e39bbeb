import type { DeepReadonly } from "@coxswain/api";
import type { PolicyRule } from "@coxswain/api/rbac/v1";
import { quoteGo } from "@coxswain/apimachinery/field";
import { type Attributes, type Authorizer, allowed, type Decision, noOpinion } from "../attributes.js";
import { ruleAllows } from "../rbac/rule.js";
import type { NodeGraph, VertexType } from "./node-graph.js";
import { nodeOf } from "./node-identity.js";

export interface NodeAuthorizerOptions {
  readonly graph: () => NodeGraph;
  /** What every node may do with resources that belong to no node. */
  readonly rules: readonly DeepReadonly<PolicyRule>[];
  readonly gates: { enabled(gate: string): boolean };
}

/** The node that asks, and what decides about it. */
interface NodeScope {
  readonly node: string;
  readonly graph: () => NodeGraph;
  readonly gates: NodeAuthorizerOptions["gates"];
}

type Rule = (scope: NodeScope, asked: Attributes) => Decision;

/** A kubelet reads and writes what belongs to its node, and nothing of others. NodeRestriction looks at what it writes. */
export function createNodeAuthorizer({ graph, rules, gates }: NodeAuthorizerOptions): Authorizer {
  return (asked) => {
    const node = nodeOf(asked.user);
    if (node === undefined) return noOpinion();
    if (node === "") return noOpinion(`unknown node for user ${quoteGo(asked.user.name)}`);
    const rule = asked.isResource ? byResource.get(`${asked.group}/${asked.resource}`) : undefined;
    return rule ? rule({ node, graph, gates }, asked) : allowIf(rules.some((each) => ruleAllows(each, asked)));
  };
}

const allowIf = (condition: boolean): Decision => (condition ? allowed() : noOpinion());

const isRead = (verb: string): boolean => verb === "get" || verb === "list" || verb === "watch";

const ownVerbs = new Set(["get", "create", "update", "patch", "delete"]);

/** Only what is on the node is asked for. */
const selectsNode = ({ fieldSelector }: Attributes, node: string): boolean =>
  fieldSelector?.requirements.some(
    ({ field, operator, value }) => field === "spec.nodeName" && operator === "=" && value === node,
  ) ?? false;

const leases: Rule = ({ node }, { verb, namespace, name }) => {
  if (!ownVerbs.has(verb)) return noOpinion("can only get, create, update, patch, or delete a node lease");
  if (namespace !== "kube-node-lease")
    return noOpinion('can only access leases in the "kube-node-lease" system namespace');
  // The name of what is created is not known here.
  return verb === "create" || name === node
    ? allowed()
    : noOpinion("can only access node lease with the same name as the requesting node");
};

const csiNodes: Rule = ({ node }, { verb, subresource, name }) => {
  if (!ownVerbs.has(verb)) return noOpinion("can only get, create, update, patch, or delete a CSINode");
  if (subresource !== "") return noOpinion("cannot authorize CSINode subresources");
  return verb === "create" || name === node
    ? allowed()
    : noOpinion("can only access CSINode with the same name as the requesting node");
};

/** A kubelet looks for its Node before it makes it, so names are compared. */
const nodes: Rule = ({ node }, { verb, subresource, name }) => {
  if (subresource === "status") return allowIf(verb === "update" || verb === "patch");
  if (subresource !== "") return noOpinion();
  if (!isRead(verb)) return allowIf(verb === "create" || verb === "update" || verb === "patch");
  if (name === node) return allowed();
  return noOpinion(`node '${node}' cannot read ${name === "" ? "all nodes" : `'${name}'`}, only its own Node object`);
};

function related(type: VertexType): Rule {
  return ({ node, graph }, { namespace, name }) => {
    if (name === "") return noOpinion("No Object name found");
    return graph().leadsTo(node, type, namespace, name)
      ? allowed()
      : noOpinion(`no relationship found between node '${node}' and this object`);
  };
}

const get =
  (type: VertexType): Rule =>
  (scope, asked) => {
    if (asked.verb !== "get") return noOpinion("can only get individual resources of this type");
    return asked.subresource === "" ? related(type)(scope, asked) : noOpinion("cannot get subresource");
  };

const read =
  (type: VertexType): Rule =>
  (scope, asked) => {
    if (!isRead(asked.verb)) return noOpinion("can only read resources of this type");
    if (asked.subresource !== "") return noOpinion("cannot read subresource");
    return asked.namespace === ""
      ? noOpinion("can only read namespaced object of this type")
      : related(type)(scope, asked);
  };

const claims: Rule = (scope, asked) => {
  if (asked.subresource !== "status") return get("pvc")(scope, asked);
  return asked.verb === "update" || asked.verb === "patch"
    ? related("pvc")(scope, asked)
    : noOpinion("can only get/update/patch this type");
};

const serviceAccounts: Rule = (scope, asked) => {
  if (asked.verb === "get" && asked.subresource === "") {
    if (
      !scope.gates.enabled("KubeletServiceAccountTokenForCredentialProviders") &&
      !scope.gates.enabled("PodCertificateRequest")
    )
      return noOpinion("not allowed to get service accounts");
    return read("serviceaccount")(scope, asked);
  }
  if (asked.verb !== "create" || asked.name === "")
    return noOpinion("can only create tokens for individual service accounts");
  return asked.subresource === "token"
    ? related("serviceaccount")(scope, asked)
    : noOpinion("can only create token subresource of serviceaccount");
};

const slices: Rule = (scope, asked) => {
  if (asked.subresource !== "") return noOpinion("cannot authorize ResourceSlice subresources");
  switch (asked.verb) {
    case "create":
      return allowed();
    case "get":
    case "update":
    case "patch":
    case "delete":
      return related("resourceslice")(scope, asked);
    case "watch":
    case "list":
    case "deletecollection":
      return selectsNode(asked, scope.node)
        ? allowed()
        : noOpinion("can only list/watch/deletecollection resourceslices with nodeName field selector");
    default:
      return noOpinion(
        "only the following verbs are allowed for a ResourceSlice: get, watch, list, create, update, patch, delete, deletecollection",
      );
  }
};

const pods: Rule = (scope, asked) => {
  const { verb, subresource } = asked;
  if (subresource === "status") return allowIf(verb === "update" || verb === "patch");
  if (subresource === "eviction") return allowIf(verb === "create");
  if (subresource !== "") return noOpinion();
  if (verb === "get") return get("pod")(scope, asked);
  if (verb !== "list" && verb !== "watch") return allowIf(verb === "create" || verb === "delete");
  if (selectsNode(asked, scope.node)) return allowed();
  return asked.name === ""
    ? noOpinion("can only list/watch pods with spec.nodeName field selector")
    : related("pod")(scope, asked);
};

const byResource = new Map<string, Rule>([
  ["/secrets", read("secret")],
  ["/configmaps", read("configmap")],
  ["/persistentvolumeclaims", claims],
  ["/persistentvolumes", get("pv")],
  ["resource.k8s.io/resourceclaims", get("resourceclaim")],
  ["storage.k8s.io/volumeattachments", get("volumeattachment")],
  ["/serviceaccounts", serviceAccounts],
  ["coordination.k8s.io/leases", leases],
  ["storage.k8s.io/csinodes", csiNodes],
  ["resource.k8s.io/resourceslices", slices],
  ["/nodes", nodes],
  ["/pods", pods],
  // Not served by this server.
  ["certificates.k8s.io/podcertificaterequests", () => noOpinion()],
]);
