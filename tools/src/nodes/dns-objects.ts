import { networks } from "./addresses.js";

const dnsPorts = [
  { name: "dns", port: 53, protocol: "UDP" },
  { name: "dns-tcp", port: 53, protocol: "TCP" },
];

/** The service that pods ask, its one endpoint outside of the cluster, and what the server may read. */
export const dnsObjects = {
  apiVersion: "v1",
  kind: "List",
  items: [
    {
      apiVersion: "v1",
      kind: "Service",
      metadata: { name: "kube-dns", namespace: "kube-system", labels: { "k8s-app": "kube-dns" } },
      spec: { clusterIP: networks.dnsService, ports: dnsPorts },
    },
    {
      apiVersion: "discovery.k8s.io/v1",
      kind: "EndpointSlice",
      metadata: {
        name: "kube-dns-bridge",
        namespace: "kube-system",
        labels: {
          "kubernetes.io/service-name": "kube-dns",
          "endpointslice.kubernetes.io/managed-by": "nodes.coxswain.dev",
        },
      },
      addressType: "IPv4",
      ports: dnsPorts,
      endpoints: [{ addresses: [networks.bridge], conditions: { ready: true } }],
    },
    {
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: "ClusterRole",
      metadata: { name: "system:coredns" },
      rules: [
        {
          apiGroups: [""],
          resources: ["endpoints", "namespaces", "nodes", "pods", "services"],
          verbs: ["get", "list", "watch"],
        },
        { apiGroups: ["discovery.k8s.io"], resources: ["endpointslices"], verbs: ["list", "watch"] },
      ],
    },
    {
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: "ClusterRoleBinding",
      metadata: { name: "system:coredns" },
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "system:coredns" },
      subjects: [{ apiGroup: "rbac.authorization.k8s.io", kind: "User", name: "system:coredns" }],
    },
  ],
} as const;

/** CoreDNS' configuration: what clusters have by default, without names outside of the cluster. */
export const corefile = (kubeconfig: string): string => `.:53 {
  bind ${networks.bridge}
  errors
  kubernetes cluster.local in-addr.arpa ip6.arpa {
    kubeconfig ${kubeconfig}
    pods insecure
    fallthrough in-addr.arpa ip6.arpa
    ttl 30
  }
  cache 30
}
`;
