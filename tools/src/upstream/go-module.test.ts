import { describe, expect, it } from "vitest";
import { kubernetesGoMod, projectGoMod } from "./go-module.js";

const upstream = `module k8s.io/kubernetes

go 1.26.0

godebug default=go1.26

require (
	github.com/a/b v1.2.3
	k8s.io/api v0.0.0
)

require (
	github.com/c/d v0.1.0 // indirect
)

replace (
	k8s.io/api => ./staging/src/k8s.io/api
	k8s.io/client-go => ./staging/src/k8s.io/client-go
)
`;

describe("the Go modules upstream's programs are built in", () => {
  it("replaces each staging module by its published version and keeps the other requirements", () => {
    const text = kubernetesGoMod(upstream);
    expect(text).toContain("go 1.26.0\n");
    expect(text).toContain("godebug default=go1.26\n");
    expect(text).toContain("\tk8s.io/kubernetes v1.36.4\n");
    expect(text).toContain("\tgithub.com/a/b v1.2.3\n");
    expect(text).toContain("\tgithub.com/c/d v0.1.0 // indirect\n");
    expect(text).toContain(
      "replace (\n\tk8s.io/api => k8s.io/api v0.36.4\n\tk8s.io/client-go => k8s.io/client-go v0.36.4\n)",
    );
    expect(text).toContain("\tk8s.io/kubernetes/cmd/kube-apiserver\n");
    expect(text).not.toContain("./staging");
  });

  it("gives the suite a module of its own, with ginkgo's command", () => {
    const text = kubernetesGoMod(upstream, "suite");
    expect(text).toContain("module coxswain.dev/upstream/suite\n");
    expect(text).toContain("tool (\n\tgithub.com/onsi/ginkgo/v2/ginkgo\n\tk8s.io/kubernetes/test/e2e\n)");
  });

  it("gives the programs of nodes a module of their own, with those of the suite's images", () => {
    const text = kubernetesGoMod(upstream, "nodes");
    expect(text).toContain("\tk8s.io/kubernetes/cmd/kubelet\n\tk8s.io/kubernetes/test/images/agnhost\n");
  });

  it("refuses a go.mod without staging modules, which would build something else", () => {
    expect(() => kubernetesGoMod("module k8s.io/kubernetes\n\ngo 1.26.0\n")).toThrow(/staging/);
  });

  it("returns which versions h2spec needs, since its module does not", () => {
    expect(projectGoMod("h2spec", "1.26.0")).toContain(
      "\tgithub.com/summerwind/h2spec v2.2.1+incompatible\n\tgithub.com/fatih/color v",
    );
  });

  it("requires both of etcd's modules at one version", () => {
    expect(projectGoMod("etcd", "1.26.0")).toContain(
      "\tgo.etcd.io/etcd/etcdctl/v3 v3.6.8\n\tgo.etcd.io/etcd/server/v3 v3.6.8\n",
    );
  });
});
