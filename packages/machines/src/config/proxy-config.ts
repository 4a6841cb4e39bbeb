export interface ProxyFacts {
  readonly nodeName: string;
  readonly kubeconfig: string;
  readonly pods: string;
}

/** A KubeProxyConfiguration as JSON. Limits of connection tracking stay as they are: they are the whole machine's. */
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
      conntrack: { maxPerCore: 0, min: 0, tcpEstablishedTimeout: "0s", tcpCloseWaitTimeout: "0s" },
    },
    undefined,
    2,
  );
