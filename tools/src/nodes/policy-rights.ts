/** What `coxswain proxy --network-policy` reads besides kube-proxy's objects. */
export const policyRights = {
  apiVersion: "v1",
  kind: "List",
  items: [
    {
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: "ClusterRole",
      metadata: { name: "coxswain:network-policies" },
      rules: [
        { apiGroups: [""], resources: ["namespaces", "nodes", "pods"], verbs: ["get", "list", "watch"] },
        { apiGroups: ["networking.k8s.io"], resources: ["networkpolicies"], verbs: ["list", "watch"] },
      ],
    },
    {
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: "ClusterRoleBinding",
      metadata: { name: "coxswain:network-policies" },
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "coxswain:network-policies" },
      subjects: [{ apiGroup: "rbac.authorization.k8s.io", kind: "User", name: "system:kube-proxy" }],
    },
  ],
} as const;
