/** The release that this project is measured against. */
export const kubernetesVersion = "v1.36.4";
/** Every staging module is published under this version beside `kubernetesVersion`. */
export const stagingVersion = "v0.36.4";
export const etcdVersion = "v3.6.8";
export const kwokVersion = "v0.8.0";
export const h2specVersion = "v2.2.1";
export const helmVersion = "v3.22.0";
export const containerdVersion = "v2.4.2";
export const corednsVersion = "v1.14.7";
/** Scaffolds for the controller-runtime that our Go programs use, 0.24.1. */
export const kubebuilderVersion = "v4.15.0";
/** The one that projects scaffolded by it name. */
export const controllerToolsVersion = "v0.21.0";

export type ProgramName =
  | "agnhost"
  | "containerd"
  | "containerd-shim-runc-v2"
  | "controller-gen"
  | "coredns"
  | "ctr"
  | "etcd"
  | "etcdctl"
  | "e2e.test"
  | "ginkgo"
  | "h2spec"
  | "helm"
  | "kube-apiserver"
  | "kube-controller-manager"
  | "kube-proxy"
  | "kube-scheduler"
  | "kubebuilder"
  | "kubectl"
  | "kubectl-convert"
  | "kubelet"
  | "kwok"
  | "nonewprivs"
  | "regression-issue-74839"
  | "sample-apiserver";

/**
 * The Go module of ours that a program is built in: Kubernetes and etcd disagree about versions, so each has one. The
 * suite and the programs of nodes (and of the images that run there) need modules that Kubernetes' other programs do not, and few
 * people need them. KWOK, h2spec, Helm, containerd and CoreDNS are projects of their own, and the sample API server is an example of
 * one. Kubebuilder comes with the generator that its projects use.
 */
export type ModuleName =
  | KubernetesModule
  | "etcd"
  | "kwok"
  | "h2spec"
  | "helm"
  | "sample"
  | "kubebuilder"
  | "containerd"
  | "coredns";
/** Built from `k8s.io/kubernetes` itself, whose go.mod needs help. */
export type KubernetesModule = "kubernetes" | "suite" | "nodes";

export interface Program {
  readonly module: ModuleName;
  /** Import path of its main package, or of the package whose tests it is. */
  readonly package: string;
  /** Whether it is the compiled tests of its package. @default false */
  readonly isTest?: boolean;
  /** Whether it must run where there is no C library: in an image without one. @default false */
  readonly isStatic?: boolean;
  /** Build tags that leave parts out. */
  readonly tags?: readonly string[];
}

/** File systems that need C libraries, or kernels, which a node in a namespace does not use. */
const containerdTags = ["no_btrfs", "no_devmapper", "no_zfs"];
const containerd = (command: string): Program => ({
  module: "containerd",
  package: `github.com/containerd/containerd/v2/cmd/${command}`,
  isStatic: true,
  tags: containerdTags,
});

export const programs: Readonly<Record<ProgramName, Program>> = {
  agnhost: { module: "nodes", package: "k8s.io/kubernetes/test/images/agnhost" },
  containerd: containerd("containerd"),
  "containerd-shim-runc-v2": containerd("containerd-shim-runc-v2"),
  "controller-gen": { module: "kubebuilder", package: "sigs.k8s.io/controller-tools/cmd/controller-gen" },
  coredns: { module: "coredns", package: "github.com/coredns/coredns", isStatic: true },
  ctr: containerd("ctr"),
  etcd: { module: "etcd", package: "go.etcd.io/etcd/server/v3" },
  etcdctl: { module: "etcd", package: "go.etcd.io/etcd/etcdctl/v3" },
  "e2e.test": { module: "suite", package: "k8s.io/kubernetes/test/e2e", isTest: true },
  ginkgo: { module: "suite", package: "github.com/onsi/ginkgo/v2/ginkgo" },
  h2spec: { module: "h2spec", package: "github.com/summerwind/h2spec/cmd/h2spec" },
  helm: { module: "helm", package: "helm.sh/helm/v3/cmd/helm" },
  "kube-apiserver": { module: "kubernetes", package: "k8s.io/kubernetes/cmd/kube-apiserver" },
  "kube-controller-manager": { module: "kubernetes", package: "k8s.io/kubernetes/cmd/kube-controller-manager" },
  "kube-proxy": { module: "nodes", package: "k8s.io/kubernetes/cmd/kube-proxy" },
  "kube-scheduler": { module: "kubernetes", package: "k8s.io/kubernetes/cmd/kube-scheduler" },
  kubebuilder: { module: "kubebuilder", package: "sigs.k8s.io/kubebuilder/v4" },
  kubectl: { module: "kubernetes", package: "k8s.io/kubernetes/cmd/kubectl" },
  "kubectl-convert": { module: "kubernetes", package: "k8s.io/kubernetes/cmd/kubectl-convert" },
  kubelet: { module: "nodes", package: "k8s.io/kubernetes/cmd/kubelet" },
  kwok: { module: "kwok", package: "sigs.k8s.io/kwok/cmd/kwok" },
  nonewprivs: { module: "nodes", package: "k8s.io/kubernetes/test/images/nonewprivs", isStatic: true },
  "regression-issue-74839": {
    module: "nodes",
    package: "k8s.io/kubernetes/test/images/regression-issue-74839",
    isStatic: true,
  },
  "sample-apiserver": { module: "sample", package: "k8s.io/sample-apiserver" },
};

export const programNames = Object.keys(programs) as ProgramName[];

/** Packages that a module must be able to build. */
export function packagesOf(module: ModuleName): string[] {
  return Object.values(programs)
    .filter((program) => program.module === module)
    .map((program) => program.package)
    .sort();
}

/**
 * Without these a program calls itself v0.0.0-master. The commit is not known from a published module, so the version
 * stands in its place: `kubectl --match-server-version` only compares, it never reads it.
 */
export function linkerFlags(module: ModuleName): string {
  if (module === "etcd" || module === "kubebuilder" || module === "coredns") return "-s -w";
  if (module === "containerd")
    return `-s -w -X github.com/containerd/containerd/v2/version.Version=${containerdVersion}`;
  if (module === "kwok") return `-s -w -X sigs.k8s.io/kwok/pkg/consts.Version=${kwokVersion}`;
  if (module === "h2spec") return `-s -w -X main.VERSION=${h2specVersion}`;
  if (module === "helm") return `-s -w -X helm.sh/helm/v3/internal/version.version=${helmVersion}`;
  const [, major, minor] = /^v(\d+)\.(\d+)\./.exec(kubernetesVersion) ?? [];
  const facts = {
    gitVersion: kubernetesVersion,
    gitMajor: major,
    gitMinor: minor,
    gitCommit: kubernetesVersion,
    gitTreeState: "clean",
  };
  const settings = Object.entries(facts).map(([name, value]) => `-X k8s.io/component-base/version.${name}=${value}`);
  return ["-s -w", ...settings].join(" ");
}
