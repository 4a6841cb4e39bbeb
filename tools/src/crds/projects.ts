/** A project that defines custom resources, as its Go module holds them. */
export interface Project {
  readonly name: string;
  /** With its version, as `go mod download` takes it. */
  readonly module: string;
  /** Folders or files within the module with its CustomResourceDefinitions. */
  readonly definitions: readonly string[];
  /** Where objects of them are; files without any are passed over. @default the whole module */
  readonly samples?: readonly string[];
}

/** Versions are those that build with the Go that Kubernetes 1.36 needs. */
export const projects: readonly Project[] = [
  { name: "Gateway API", module: "sigs.k8s.io/gateway-api@v1.4.0", definitions: ["config/crd/experimental"] },
  {
    name: "Cluster API",
    module: "sigs.k8s.io/cluster-api@v1.14.2",
    definitions: [
      "core/config/crd/bases",
      "bootstrap/kubeadm/config/crd/bases",
      "controlplane/kubeadm/config/crd/bases",
    ],
  },
  { name: "cert-manager", module: "github.com/cert-manager/cert-manager@v1.21.2", definitions: ["deploy/crds"] },
  {
    name: "Prometheus operator",
    module: "github.com/prometheus-operator/prometheus-operator@v0.85.0",
    definitions: ["example/prometheus-operator-crd-full"],
  },
  {
    name: "Argo Workflows",
    module: "github.com/argoproj/argo-workflows/v3@v3.7.0",
    // kube-apiserver needs minutes for the full ones, and refuses requests meanwhile.
    definitions: ["manifests/base/crds/minimal"],
  },
  { name: "Argo CD", module: "github.com/argoproj/argo-cd/v3@v3.1.0", definitions: ["manifests/crds"] },
  { name: "Argo Rollouts", module: "github.com/argoproj/argo-rollouts@v1.10.1", definitions: ["manifests/crds"] },
  { name: "Crossplane", module: "github.com/crossplane/crossplane/v2@v2.1.0", definitions: ["cluster/crds"] },
  { name: "Knative Serving", module: "knative.dev/serving@v0.51.0", definitions: ["config/core/300-resources"] },
  {
    name: "Istio",
    module: "istio.io/istio@v0.0.0-20260827124520-eed52ebb66ad",
    definitions: ["manifests/charts/base/files/crd-all.gen.yaml"],
  },
  { name: "Kueue", module: "sigs.k8s.io/kueue@v0.14.0", definitions: ["config/components/crd/bases"] },
  {
    name: "Kyverno",
    module: "github.com/kyverno/kyverno@v1.19.1",
    definitions: ["config/crds"],
  },
  { name: "Flux sources", module: "github.com/fluxcd/source-controller@v1.7.0", definitions: ["config/crd/bases"] },
  { name: "KEDA", module: "github.com/kedacore/keda/v2@v2.21.0", definitions: ["config/crd/bases"] },
  { name: "Tekton Pipelines", module: "github.com/tektoncd/pipeline@v1.5.0", definitions: ["config/300-crds"] },
];
