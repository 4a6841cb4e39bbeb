import type { Client } from "@coxswain/client";
import type { MachineSite } from "@coxswain/machines";

const ports = [
  { name: "dns", port: 53, protocol: "UDP" },
  { name: "dns-tcp", port: 53, protocol: "TCP" },
] as const;
const manager = { fieldManager: "coxswain-up", force: true };
const [name, namespace] = ["kube-dns", "kube-system"];

/** The service that pods ask, whose one endpoint is outside of the cluster. */
export async function applyDnsService(
  client: Client,
  { clusterIP, address }: { readonly clusterIP: string; readonly address: string },
): Promise<void> {
  const labels = { "k8s-app": name };
  await client.core.v1
    .services(namespace)
    .apply({ metadata: { name, labels }, spec: { clusterIP, ports: [...ports] } }, manager);
  await client.discovery.v1.endpointslices(namespace).apply(
    {
      metadata: {
        name: `${name}-up`,
        labels: {
          "kubernetes.io/service-name": name,
          "endpointslice.kubernetes.io/managed-by": "up.coxswain.dev",
        },
      },
      addressType: "IPv4",
      ports: [...ports],
      endpoints: [{ addresses: [address], conditions: { ready: true } }],
    },
    manager,
  );
}

/** What machines that join must know of the network; `address` is how they reach this one. */
export async function applyNodeNetwork(
  client: Client,
  { site: { networks, tunnel }, address }: { readonly site: MachineSite; readonly address: string | undefined },
): Promise<void> {
  const data = { pods: networks.pods, nodes: networks.nodes, tunnel: String(tunnel.id), gateway: address ?? "" };
  await client.core.v1.configmaps(namespace).apply({ metadata: { name: "coxswain-node-network" }, data }, manager);
}

const role = "coxswain:network-policy";

/** What proxies of real nodes read beside services, endpoints and nodes: what policies select. */
export async function applyPolicyAccess(client: Client): Promise<void> {
  const verbs = ["list", "watch"];
  await client.rbac.v1.clusterroles().apply(
    {
      metadata: { name: role },
      rules: [
        { apiGroups: [""], resources: ["namespaces", "pods"], verbs },
        { apiGroups: ["networking.k8s.io"], resources: ["networkpolicies"], verbs },
      ],
    },
    manager,
  );
  const apiGroup = "rbac.authorization.k8s.io";
  await client.rbac.v1.clusterrolebindings().apply(
    {
      metadata: { name: role },
      roleRef: { apiGroup, kind: "ClusterRole", name: role },
      subjects: [{ apiGroup, kind: "User", name: "system:kube-proxy" }],
    },
    manager,
  );
}
