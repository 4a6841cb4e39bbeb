export interface ProxyFacts {
  readonly nodeName: string;
  readonly kubeconfig: string;
  readonly pods: string;
}

/**
 * A KubeProxyConfiguration as JSON. The number of tracked connections stays as it is: it is the whole machine's. Their time-outs are those
 * of the node's own network.
 */
export const proxyConfig = ({ nodeName, kubeconfig, pods }: ProxyFacts): string =>
  JSON.stringify(
    {
      apiVersion: "kubeproxy.config.k8s.io/v1alpha1",
      kind: "KubeProxyConfiguration",
      mode: "nftables",
      clientConnection: { kubeconfig },
      hostnameOverride: nodeName,
      clusterCIDR: pods,
      oomScoreAdj: 0,
      conntrack: { maxPerCore: 0, min: 0 },
    },
    undefined,
    2,
  );
