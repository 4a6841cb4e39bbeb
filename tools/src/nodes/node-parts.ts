import type { ContainerdVersion } from "./containerd-config.js";

export type Whose = "ours" | "upstream";
export type WhoseOrNone = Whose | "none";

/** Whose programs a cluster with real nodes is made of. */
export interface NodeParts {
  readonly apiserver: Whose;
  readonly controllers: Whose;
  readonly scheduler: Whose;
  readonly kubelet: Whose;
  readonly proxy: WhoseOrNone;
  readonly dns: WhoseOrNone;
  readonly containerd: ContainerdVersion;
  /** From 1 to 6, in up to three zones. */
  readonly nodes: number;
  /** Our proxy enforces NetworkPolicies, too. */
  readonly policies?: "policies";
}

/** One node with somebody's kubelet, and nothing on it that a kubelet does not need. */
export const oneNode = (kubelet: Whose): NodeParts => ({
  apiserver: "ours",
  controllers: "ours",
  scheduler: "ours",
  kubelet,
  proxy: "none",
  dns: "none",
  containerd: "2.4",
  nodes: 1,
});

/** What `coxswain up --runtime containerd` is given, where everything is ours. */
export interface UpParts extends Pick<NodeParts, "containerd" | "nodes"> {
  readonly families?: "dual-stack";
}

/** Names of upstream's programs that such a cluster and its images need; `prepare nodes` builds them all. */
export const nodePrograms = [
  "agnhost",
  "containerd",
  "containerd-shim-runc-v2",
  "coredns",
  "ctr",
  "e2e.test",
  "etcd",
  "ginkgo",
  "kube-apiserver",
  "kube-controller-manager",
  "kube-proxy",
  "kube-scheduler",
  "kubectl",
  "kubelet",
  "nonewprivs",
  "regression-issue-74839",
  "sample-apiserver",
] as const;

/** Pure: of them, those that a cluster of these parts starts; the others are in its images. `kubectl` makes the cluster's objects. */
export function programsOf(parts: UpParts & Partial<NodeParts>): readonly (typeof nodePrograms)[number][] {
  return nodePrograms.filter((name) => {
    switch (name) {
      case "containerd":
      case "containerd-shim-runc-v2":
      case "ctr":
        return parts.containerd !== "debian";
      case "coredns":
        return parts.dns === "upstream";
      case "etcd":
      case "kube-apiserver":
        return parts.apiserver === "upstream";
      case "kube-controller-manager":
        return parts.controllers === "upstream";
      case "kube-scheduler":
        return parts.scheduler === "upstream";
      case "kube-proxy":
        return parts.proxy === "upstream";
      case "kubelet":
        return parts.kubelet === "upstream";
      default:
        return name === "kubectl";
    }
  });
}
