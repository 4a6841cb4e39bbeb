import type { NodeAgent } from "../node/node-agent.js";
import type { PodWorker } from "../worker/pod-worker.js";

/** What the server answers about: all nodes of the process. */
export interface KubeletSource {
  /** By the name or the address that a client used for the node; undefined: none of ours. */
  nodeAt(host: string): NodeAgent | undefined;
  /** Where there is only one, no name is needed. */
  onlyNode(): NodeAgent | undefined;
  /** A pod of any of the nodes: names of pods are unique in the cluster. */
  findPod(namespace: string, name: string): { readonly agent: NodeAgent; readonly worker: PodWorker } | undefined;
}

/** A refusal of the kubelet's server: a code and a sentence. */
export class KubeletRefusal extends Error {
  override readonly name = "KubeletRefusal";
  readonly code: number;
  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}
