import { execFile } from "node:child_process";
import { existsSync, statfsSync } from "node:fs";
import { dirname } from "node:path";
import { promisify } from "node:util";
import { isPortFree } from "../up/choose-port.js";
import { clusterFolder } from "../up/cluster-home.js";
import { isRunning, knownFolders, readState } from "../up/cluster-state.js";

/** What `coxswain doctor` looks at. */
export interface MachineFacts {
  /** As `process.version`. */
  readonly node: string;
  readonly platform: string;
  readonly isRoot: boolean;
  readonly folder: string;
  /** Of the file system that the folder is or will be on; undefined where it cannot be read. */
  readonly freeBytes: number | undefined;
  readonly port: number;
  readonly isPortFree: boolean;
  /** The user's own cluster that has the port. */
  readonly portOf: string | undefined;
  /** Versions of programs, by name: undefined where there is none. */
  readonly programs: Readonly<Record<ProgramName, string | undefined>>;
}

/** With what makes each print its version. */
const versionArguments = {
  kubectl: ["version", "--client"],
  helm: ["version", "--short"],
  containerd: ["--version"],
  runc: ["--version"],
  nft: ["--version"],
  conntrack: ["--version"],
} as const;
export type ProgramName = keyof typeof versionArguments;

export async function readMachineFacts(port: number): Promise<MachineFacts> {
  const folder = clusterFolder({ name: "default" });
  const names = Object.keys(versionArguments) as ProgramName[];
  const versions = await Promise.all(names.map(async (name) => [name, await versionOf(name)] as const));
  return {
    node: process.version,
    platform: process.platform,
    isRoot: process.getuid?.() === 0,
    folder,
    freeBytes: freeBytesOf(folder),
    port,
    isPortFree: await isPortFree(port, "127.0.0.1"),
    portOf: clusterAt(port),
    programs: Object.fromEntries(versions) as MachineFacts["programs"],
  };
}

function clusterAt(port: number): string | undefined {
  for (const folder of knownFolders())
    try {
      const state = readState(folder);
      if (state?.port === port && isRunning(state)) return state.name;
    } catch {
      // not ours to read: `coxswain status` reports it
    }
  return undefined;
}

/** The first line that a program prints; a program that hangs counts as one that is not there. */
async function versionOf(name: ProgramName): Promise<string | undefined> {
  try {
    const { stdout } = await promisify(execFile)(name, versionArguments[name], { timeout: 5000, maxBuffer: 64 * 1024 });
    return stdout.split("\n", 1)[0]?.trim() ?? "";
  } catch {
    return undefined; // not installed, or not for us to run
  }
}

/** The folder may not be there yet: then the next one above it counts. */
function freeBytesOf(folder: string): number | undefined {
  let path = folder;
  while (!existsSync(path) && dirname(path) !== path) path = dirname(path);
  try {
    const { bavail, bsize } = statfsSync(path);
    return bavail * bsize;
  } catch {
    return undefined;
  }
}
