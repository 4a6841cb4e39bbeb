import { readFile, writeFile } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import { findHierarchies, machinesFolder, siteCgroup } from "@coxswain/machines";
import { startCoxswain } from "../clients/index.js";
import { startRegistry } from "../images/index.js";
import { ensureProgram } from "../upstream/index.js";
import { networks, ports } from "./addresses.js";
import { evictionHard } from "./kubelet-flags.js";
import { imagesFolder } from "./node-files.js";
import type { UpParts } from "./node-parts.js";
import type { OwnNamespaces } from "./own-namespaces.js";
import { performSteps } from "./perform-steps.js";
import { createRunning } from "./running.js";
import type { NodesCluster, NodesClusterOptions } from "./start-cluster.js";

export interface UpClusterOptions extends Omit<NodesClusterOptions, "parts" | "print"> {
  readonly parts: UpParts;
  /** An image layout that the registry serves. @default the images of Kubernetes' suite */
  readonly images?: string;
  /** Flags of `up` besides. */
  readonly args?: readonly string[];
}

/**
 * `coxswain up --runtime containerd`, in namespaces of this process' own, with a registry that has the suite's images. Resolves when all
 * nodes are ready. The logs of the nodes stay in the folder.
 */
export async function startUpCluster(options: UpClusterOptions): Promise<Omit<NodesCluster, "nodes">> {
  const { parts, folder, namespaces, coxswain: launcher, images = imagesFolder(), args = [] } = options;
  const dataDir = join(folder, "cluster");
  const running = createRunning(folder);
  await writeUndos(namespaces, { dataDir, nodes: parts.nodes });
  try {
    await performSteps([{ kind: "run", command: ["ip", "link", "set", "lo", "up"] }]);
    // On all addresses of these namespaces, which nobody reaches from outside: the bridge is not there yet.
    const registry = { folder: images, address: "0.0.0.0", port: ports.registry };
    running.add("the registry", await startRegistry(registry));
    const kubeletConfig = join(folder, "kubelet.json");
    await writeFile(kubeletConfig, JSON.stringify(kubeletSettings));
    const cluster = await startCoxswain({
      command: "up",
      dataDir,
      args: [
        "--runtime=containerd",
        `--nodes=${parts.nodes}`,
        `--node-network=${networks.bridge.replace(/\d+$/, "0")}/${networks.prefixLength}`,
        `--pod-network=${networks.pods}`,
        `--registry-mirror=registry.k8s.io=http://${networks.bridge}:${ports.registry}`,
        `--kubelet-config=${kubeletConfig}`,
        ...(parts.families === "dual-stack" ? ["--dual-stack"] : []),
        ...args,
      ],
      env: await pathTo(parts),
      ...(launcher === undefined ? {} : { launcher }),
    });
    void cluster.ended.then(() => writeFile(join(folder, "coxswain.log"), cluster.output()));
    running.add("the cluster", cluster);
    return { kubeconfig: cluster.kubeconfig, broken: running.broken, stop: () => running.stop() };
  } catch (error) {
    await running.stop();
    throw error;
  }
}

const kubeletSettings = {
  apiVersion: "kubelet.config.k8s.io/v1beta1",
  kind: "KubeletConfiguration",
  evictionHard,
};

/** `up` takes the containerd that PATH leads to. */
async function pathTo({ containerd }: UpParts): Promise<Record<string, string>> {
  if (containerd === "debian") return {};
  return { PATH: `${dirname(await ensureProgram("containerd"))}${delimiter}${process.env["PATH"] ?? ""}` };
}

/** `down` takes its machines apart by itself; this is for a run that was killed. */
async function writeUndos(
  { undo }: OwnNamespaces,
  { dataDir, nodes }: { readonly dataDir: string; readonly nodes: number },
): Promise<void> {
  for (let index = 1; index <= nodes; index++)
    await undo.add({ kind: "folder", path: join(machinesFolder(dataDir), `coxswain-${index}`, "var-lib") });
  const { folders } = findHierarchies(await readFile("/proc/mounts", "utf8"));
  for (const hierarchy of folders) await undo.add({ kind: "cgroup", path: join(hierarchy, siteCgroup(dataDir)) });
}
