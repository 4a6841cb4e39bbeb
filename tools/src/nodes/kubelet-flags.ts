import { containerdSocket } from "@coxswain/machines";
import { nodeAddress, nodeName, nodeZone } from "./addresses.js";

export interface KubeletFlagFacts {
  readonly index: number;
  readonly kubeconfig: string;
  /** A file with a KubeletConfiguration. */
  readonly config: string;
}

/** Flags of upstream's kubelet. */
export const kubeletFlags = ({ index, kubeconfig, config }: KubeletFlagFacts): readonly string[] => [
  `--config=${config}`,
  `--kubeconfig=${kubeconfig}`,
  `--hostname-override=${nodeName(index)}`,
  `--node-ip=${nodeAddress(index)}`,
  `--node-labels=topology.kubernetes.io/zone=${nodeZone(index)}`,
  `--container-runtime-endpoint=unix://${containerdSocket}`,
];

/** Images and their copies fill the disk of a small machine beyond upstream's defaults. */
export const evictionHard = { "memory.available": "100Mi", "nodefs.available": "1%", "imagefs.available": "1%" };
