import { networks, nodeAddress, nodeName } from "./addresses.js";
import { containerdSocket } from "./containerd-config.js";

export interface KubeletFacts {
  readonly index: number;
  readonly kubeconfig: string;
  readonly clientCa: string;
  readonly certificate: string;
  readonly key: string;
  readonly resolvConf: string;
  /** Of all pods of the node. */
  readonly cgroup: string;
}

/** A KubeletConfiguration as JSON, which every reader of YAML accepts. The same for upstream's kubelet and for ours. */
export const kubeletConfig = (facts: KubeletFacts): string =>
  JSON.stringify(
    {
      apiVersion: "kubelet.config.k8s.io/v1beta1",
      kind: "KubeletConfiguration",
      address: nodeAddress(facts.index),
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
      clusterDNS: [networks.dnsService],
      clusterDomain: "cluster.local",
      resolvConf: facts.resolvConf,
      // Lower than our own takes CAP_SYS_RESOURCE.
      oomScoreAdj: 0,
      volumePluginDir: "/var/lib/kubelet/volumeplugins",
      serializeImagePulls: false,
      registryPullQPS: 0,
      kubeAPIQPS: 100,
      kubeAPIBurst: 200,
      // Images and their copies fill the disk of a small machine beyond upstream's defaults.
      evictionHard: { "memory.available": "100Mi", "nodefs.available": "1%", "imagefs.available": "1%" },
    },
    undefined,
    2,
  );

/** Flags of upstream's kubelet. */
export const kubeletFlags = ({ index, kubeconfig }: KubeletFacts, config: string): readonly string[] => [
  `--config=${config}`,
  `--kubeconfig=${kubeconfig}`,
  `--hostname-override=${nodeName(index)}`,
  `--node-ip=${nodeAddress(index)}`,
  `--container-runtime-endpoint=unix://${containerdSocket}`,
];
