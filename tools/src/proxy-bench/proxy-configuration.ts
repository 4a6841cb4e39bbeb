/** What kube-proxy and ours are both started with. */
export const proxyConfiguration = (kubeconfig: string, clusterCIDR: string): object => ({
  apiVersion: "kubeproxy.config.k8s.io/v1alpha1",
  kind: "KubeProxyConfiguration",
  mode: "nftables",
  clientConnection: { kubeconfig },
  conntrack: { maxPerCore: 0 },
  detectLocalMode: "ClusterCIDR",
  clusterCIDR,
});
