import {
  controllerToolsVersion,
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
 * The go.mod that builds Kubernetes' commands, or its suite, from published modules.
 *
 * `k8s.io/kubernetes` replaces its staging modules with paths that the published module does not contain; here each is
 * replaced by its published version instead. Everything else keeps the versions upstream was released with.
 */
export function kubernetesGoMod(upstream: string, module: "kubernetes" | "suite" = "kubernetes"): string {
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

/** etcd's server and its command, which are published as modules that need no help. */
export function etcdGoMod(goVersion: string): string {
  return [
    "module coxswain.dev/upstream/etcd\n",
    `go ${goVersion}\n`,
    list(
      "require",
      packagesOf("etcd").map((name) => `${name} ${etcdVersion}`),
    ),
    list("tool", packagesOf("etcd")),
  ].join("\n");
}

/** KWOK, which is published as a module that needs no help. */
export function kwokGoMod(goVersion: string): string {
  return [
    "module coxswain.dev/upstream/kwok\n",
    `go ${goVersion}\n`,
    list("require", [`sigs.k8s.io/kwok ${kwokVersion}`]),
    list("tool", packagesOf("kwok")),
  ].join("\n");
}

/** Helm, which is published as a module that needs no help. */
export function helmGoMod(goVersion: string): string {
  return [
    "module coxswain.dev/upstream/helm\n",
    `go ${goVersion}\n`,
    list("require", [`helm.sh/helm/v3 ${helmVersion}`]),
    list("tool", packagesOf("helm")),
  ].join("\n");
}

/** Kubebuilder and controller-gen, which are published as modules that need no help. */
export function kubebuilderGoMod(goVersion: string): string {
  return [
    "module coxswain.dev/upstream/kubebuilder\n",
    `go ${goVersion}\n`,
    list("require", [
      `sigs.k8s.io/controller-tools ${controllerToolsVersion}`,
      `sigs.k8s.io/kubebuilder/v4 ${kubebuilderVersion}`,
    ]),
    list("tool", packagesOf("kubebuilder")),
  ].join("\n");
}

/** The sample API server, which is published as a module that needs no help. */
export function sampleGoMod(goVersion: string): string {
  return [
    "module coxswain.dev/upstream/sample\n",
    `go ${goVersion}\n`,
    list("require", [`k8s.io/sample-apiserver ${stagingVersion}`]),
    list("tool", packagesOf("sample")),
  ].join("\n");
}

/** h2spec, which is older than Go's modules and names no versions of what it needs: these are the ones it is known to work with. */
export function h2specGoMod(goVersion: string): string {
  const needs = [
    `github.com/summerwind/h2spec ${h2specVersion}+incompatible`,
    "github.com/fatih/color v1.19.0",
    "github.com/spf13/cobra v1.10.2",
    "golang.org/x/net v0.56.0",
  ];
  return [
    "module coxswain.dev/upstream/h2spec\n",
    `go ${goVersion}\n`,
    list("require", needs),
    list("tool", packagesOf("h2spec")),
  ].join("\n");
}
