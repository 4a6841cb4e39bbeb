import { delimiter, dirname, join } from "node:path";
import {
  cniConfig,
  cniFile,
  cniFolders,
  containerdConfig,
  containerdSocket,
  machineDirectory,
} from "@coxswain/machines";
import { pauseRef } from "../images/index.js";
import { ensureProgram, type ManagedProcess } from "../upstream/index.js";
import { type ContainerdVersion, majorVersions, registryHosts } from "./containerd-config.js";
import { isListening } from "./is-listening.js";
import { performSteps } from "./perform-steps.js";

/** Starts a program on the machine. */
export type Start = (name: string, command: readonly string[], env?: NodeJS.ProcessEnv) => ManagedProcess;

export interface ContainerdOptions {
  readonly version: ContainerdVersion;
  /** Of the machine. */
  readonly folder: string;
  readonly start: Start;
}

/** Resolves when it answers on its socket. Pods get no network before `writeCniConfig`. */
export async function startContainerd({ version, folder, start }: ContainerdOptions): Promise<ManagedProcess> {
  const etc = machineDirectory(folder, "etc");
  const [config, cniFolder, hostsFolder] = [join(etc, "containerd.toml"), join(etc, "cni"), join(etc, "registries")];
  await performSteps([
    { kind: "directory", path: cniFolder },
    { kind: "directory", path: join(hostsFolder, "registry.k8s.io") },
    { kind: "file", path: join(hostsFolder, "registry.k8s.io", "hosts.toml"), content: registryHosts },
    {
      kind: "file",
      path: config,
      content: containerdConfig({
        majorVersion: majorVersions[version],
        cniFolder,
        cniPrograms: [cniFolders[0]],
        hostsFolder,
        pauseImage: pauseRef,
        mayLowerOomScores: false,
      }),
    },
  ]);
  const program = version === "debian" ? "/usr/bin/containerd" : await ensureProgram("containerd");
  // It looks for its shim in the path: the one that belongs to it stands next to it.
  const env = { ...process.env, PATH: `${dirname(program)}${delimiter}${process.env["PATH"] ?? ""}` };
  const containerd = start("containerd", [program, `--config=${config}`], env);
  // The socket lies in the machine's own /run.
  const socket = `/proc/${containerd.pid}/root${containerdSocket}`;
  await containerd.waitUntil(() => isListening(socket), { timeoutMs: 60_000 });
  return containerd;
}

/** From now on pods get addresses of this range. */
export const writeCniConfig = (folder: string, podCidr: string): Promise<void> =>
  performSteps([
    {
      kind: "file",
      path: join(machineDirectory(folder, "etc"), "cni", cniFile),
      content: cniConfig([podCidr]),
    },
  ]);
