import type { UserInfo } from "@coxswain/apiserver";

/** Components carry upstream's names, so that the bootstrap roles of RBAC are what lets them work. */
export const controllerManagerUser: UserInfo = {
  name: "system:kube-controller-manager",
  groups: ["system:authenticated"],
};

export const schedulerUser: UserInfo = { name: "system:kube-scheduler", groups: ["system:authenticated"] };

/** A service account of kube-system. */
export const serviceAccountUser = (name: string): UserInfo => ({
  name: `system:serviceaccount:kube-system:${name}`,
  groups: ["system:serviceaccounts", "system:serviceaccounts:kube-system", "system:authenticated"],
});

export const nodeUser = (name: string): UserInfo => ({
  name: `system:node:${name}`,
  groups: ["system:nodes", "system:authenticated"],
});

/** Fills the cache of pods that all simulated nodes of a process share; what a node writes, it writes as itself. */
export const simulatedNodesUser: UserInfo = {
  name: "system:coxswain:simulated-nodes",
  groups: ["system:masters", "system:authenticated"],
};

/** Reads namespaces, services and endpoints. */
export const dnsUser: UserInfo = {
  name: "system:coxswain:dns",
  groups: ["system:masters", "system:authenticated"],
};

/** Reads services and endpoints, and writes the addresses of load balancers. */
export const loadBalancerUser: UserInfo = {
  name: "system:coxswain:load-balancer",
  groups: ["system:masters", "system:authenticated"],
};

/** Reads services, endpoints, certificates and routes, and writes statuses of routes. */
export const gatewayUser: UserInfo = {
  name: "system:coxswain:gateway",
  groups: ["system:masters", "system:authenticated"],
};

/** The API server to kubelets of its own process, as the certificate that kubeadm gives it names it to others. */
export const kubeletClientUser: UserInfo = {
  name: "kube-apiserver-kubelet-client",
  groups: ["system:masters", "system:authenticated"],
};

export const administrator: UserInfo = { name: "kubernetes-admin", groups: ["system:masters", "system:authenticated"] };
