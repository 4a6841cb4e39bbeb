import type { ClusterRole, ClusterRoleBinding } from "@coxswain/api/rbac/v1";
import { servingSigner } from "./plan.js";

const name = "system:coxswain:kubelet-serving-approver";
const apiGroups = ["certificates.k8s.io"];

/** What the approver's service account may do. */
export const servingApproverRole: ClusterRole = {
  metadata: { name },
  rules: [
    { apiGroups, resources: ["certificatesigningrequests"], verbs: ["get", "list", "watch"] },
    { apiGroups, resources: ["certificatesigningrequests/approval"], verbs: ["update"] },
    { apiGroups, resources: ["signers"], resourceNames: [servingSigner], verbs: ["approve"] },
    { apiGroups: [""], resources: ["nodes"], verbs: ["get"] },
  ],
};

export const servingApproverBinding: ClusterRoleBinding = {
  metadata: { name },
  roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name },
  subjects: [{ kind: "ServiceAccount", name: "kubelet-serving-approver", namespace: "kube-system" }],
};
