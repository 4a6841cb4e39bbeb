import type { KubernetesModule, ModuleName } from "./programs.js";
import {
  containerdVersion,
  controllerToolsVersion,
  corednsVersion,
  etcdVersion,
  h2specVersion,
  helmVersion,
  kubebuilderVersion,
  kubernetesVersion,
  kwokVersion,
  packagesOf,
  stagingVersion,
} from "./programs.js";

const list = (keyword: string, lines: readonly string[]): string =>
  `${keyword} (\n${lines.map((line) => `\t${line}\n`).join("")})\n`;

/** Entries of every `keyword ( … )` block of a go.mod, comments kept (`// indirect` is part of an entry). */
function entriesOf(goMod: string, keyword: string): string[] {
  const entries: string[] = [];
  let inside = false;
  for (const line of goMod.split("\n")) {
    if (line === `${keyword} (`) inside = true;
    else if (line === ")") inside = false;
    else if (inside && line.trim() !== "") entries.push(line.trim());
  }
  return entries;
}

/**
 * The go.mod that builds Kubernetes' commands, its suite, or the programs of its nodes from published modules.
 *
 * `k8s.io/kubernetes` replaces its staging modules with paths that the published module does not contain; here each is
 * replaced by its published version instead. Everything else keeps the versions upstream was released with.
 */
export function kubernetesGoMod(upstream: string, module: KubernetesModule = "kubernetes"): string {
  const goLine = /^go .*$/m.exec(upstream)?.[0];
  if (goLine === undefined) throw new Error(`the go.mod of k8s.io/kubernetes ${kubernetesVersion} names no Go version`);
  const staging = entriesOf(upstream, "replace").flatMap((entry) => {
    const [name, arrow, target] = entry.split(/\s+/);
    return arrow === "=>" && name !== undefined && target?.startsWith("./staging/") ? [name] : [];
  });
  if (staging.length === 0)
    throw new Error(`the go.mod of k8s.io/kubernetes ${kubernetesVersion} replaces no staging module`);
  return [
    `module coxswain.dev/upstream/${module}\n`,
    `${goLine}\n`,
    `${/^godebug .*$/m.exec(upstream)?.[0] ?? ""}\n`,
    list("require", [`k8s.io/kubernetes ${kubernetesVersion}`, ...entriesOf(upstream, "require")]),
    list(
      "replace",
      staging.map((name) => `${name} => ${name} ${stagingVersion}`),
    ),
    list("tool", packagesOf(module)),
  ].join("\n");
}

/** What each module of a published project requires. */
const requirements: Readonly<Record<Exclude<ModuleName, KubernetesModule>, readonly string[]>> = {
  etcd: packagesOf("etcd").map((name) => `${name} ${etcdVersion}`),
  kwok: [`sigs.k8s.io/kwok ${kwokVersion}`],
  helm: [`helm.sh/helm/v3 ${helmVersion}`],
  kubebuilder: [
    `sigs.k8s.io/controller-tools ${controllerToolsVersion}`,
    `sigs.k8s.io/kubebuilder/v4 ${kubebuilderVersion}`,
  ],
  sample: [`k8s.io/sample-apiserver ${stagingVersion}`],
  containerd: [`github.com/containerd/containerd/v2 ${containerdVersion}`],
  coredns: [`github.com/coredns/coredns ${corednsVersion}`],
  // h2spec is older than Go's modules and names no versions of what it needs: these are the ones it is known to work with.
  h2spec: [
    `github.com/summerwind/h2spec ${h2specVersion}+incompatible`,
    "github.com/fatih/color v1.19.0",
    "github.com/spf13/cobra v1.10.2",
    "golang.org/x/net v0.56.0",
  ],
};

/** The go.mod that builds the commands of a project whose published module needs no help. */
export const projectGoMod = (module: Exclude<ModuleName, KubernetesModule>, goVersion: string): string =>
  [
    `module coxswain.dev/upstream/${module}\n`,
    `go ${goVersion}\n`,
    list("require", requirements[module]),
    list("tool", packagesOf(module)),
  ].join("\n");
