import { chmod, mkdir, open, readFile, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import type { RandomSource } from "@coxswain/runtime/random";
import { containerDirectory, hostsFile, type KubeletPaths } from "../machine/pod-directories.js";
import { uidOf } from "../objects/cached-pod.js";
import type { ContainerConfig } from "../runtime/container-runtime.js";
import { type PodHost, planHosts, planNodeHosts } from "./plan-hosts.js";

/** Upstream's `kubecontainer.MaxContainerTerminationMessageLength`. */
const maxMessageBytes = 4096;

export interface ContainerFile {
  /** In the container. */
  readonly path: string;
  readonly hostPath: string;
}

export interface ContainerFilesOptions {
  readonly paths: KubeletPaths;
  readonly random: RandomSource;
}

/** Files that the kubelet makes for containers besides volumes. */
export class ContainerFiles {
  readonly #options: ContainerFilesOptions;

  constructor(options: ContainerFilesOptions) {
    this.#options = options;
  }

  /** What the run of a container mounts besides volumes; their files are there afterwards. */
  async make(config: ContainerConfig, host: PodHost): Promise<ContainerFile[]> {
    const files: ContainerFile[] = [];
    if (this.#mountsHosts(config)) files.push(await this.#writeHosts(config, host));
    if (config.terminationMessagePath !== "") files.push(await this.#makeMessageFile(config));
    return files;
  }

  /** A volume at /etc/hosts takes its place; a pod without an address has no entry. */
  #mountsHosts({ pod, mounts, podIPs }: ContainerConfig): boolean {
    return (podIPs.length > 0 || pod.spec?.hostNetwork === true) && !mounts.some(({ path }) => path === "/etc/hosts");
  }

  async #writeHosts({ pod, podIPs }: ContainerConfig, host: PodHost): Promise<ContainerFile> {
    const hostPath = hostsFile(this.#options.paths.rootDir, uidOf(pod));
    const aliases = pod.spec?.hostAliases ?? [];
    const text = pod.spec?.hostNetwork
      ? planNodeHosts(await readFile("/etc/hosts", "utf8"), aliases)
      : planHosts({ podIPs, host, aliases });
    await mkdir(dirname(hostPath), { recursive: true, mode: 0o750 });
    await writeFile(hostPath, text, { mode: 0o644 });
    await chmod(hostPath, 0o644);
    return { path: "/etc/hosts", hostPath };
  }

  /** Each run has a file of its own: its name is random, since the container has no ID yet. */
  async #makeMessageFile({ pod, name, terminationMessagePath }: ContainerConfig): Promise<ContainerFile> {
    const directory = containerDirectory(this.#options.paths.rootDir, uidOf(pod), name);
    const hostPath = `${directory}/${Buffer.from(this.#options.random.bytes(4)).toString("hex")}`;
    await mkdir(directory, { recursive: true, mode: 0o750 });
    const file = await open(hostPath, "wx", 0o666);
    // The container's user is anybody; the mode above is cut by the umask.
    await file.chmod(0o666);
    await file.close();
    return { path: terminationMessagePath, hostPath };
  }
}

/** The end of a message that a container wrote; empty where there is none. */
export async function readMessageFile(path: string): Promise<string> {
  let file;
  try {
    file = await open(path, "r");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return "";
    return `Error on reading termination log ${path}: ${(error as Error).message}`;
  }
  try {
    const { size } = await file.stat();
    const length = Math.min(size, maxMessageBytes);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, size - length);
    return buffer.subarray(0, bytesRead).toString("utf8");
  } finally {
    await file.close();
  }
}
