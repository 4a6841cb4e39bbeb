export interface KubeletFacts {
  readonly address: string;
  readonly clientCa: string;
  readonly certificate: string;
  readonly key: string;
  readonly resolvConf: string;
  /** Of all pods of the node. */
  readonly cgroup: string;
  readonly dnsService: string;
  /** Members beside or instead of these. */
  readonly more?: Readonly<Record<string, unknown>>;
}

/** A KubeletConfiguration as JSON, which every reader of YAML accepts. The same for upstream's kubelet and for ours. */
export const kubeletConfig = (facts: KubeletFacts): string =>
  JSON.stringify(
    {
      apiVersion: "kubelet.config.k8s.io/v1beta1",
      kind: "KubeletConfiguration",
      address: facts.address,
      authentication: {
        anonymous: { enabled: false },
        webhook: { enabled: true },
        x509: { clientCAFile: facts.clientCa },
      },
      authorization: { mode: "Webhook" },
      tlsCertFile: facts.certificate,
      tlsPrivateKeyFile: facts.key,
      cgroupDriver: "cgroupfs",
      cgroupRoot: `/${facts.cgroup}`,
      // Both may be what this machine has.
      failCgroupV1: false,
      failSwapOn: false,
      clusterDNS: [facts.dnsService],
      clusterDomain: "cluster.local",
      resolvConf: facts.resolvConf,
      // Lower than our own takes CAP_SYS_RESOURCE.
      oomScoreAdj: 0,
      volumePluginDir: "/var/lib/kubelet/volumeplugins",
      serializeImagePulls: false,
      registryPullQPS: 0,
      kubeAPIQPS: 100,
      kubeAPIBurst: 200,
      ...facts.more,
    },
    undefined,
    2,
  );
