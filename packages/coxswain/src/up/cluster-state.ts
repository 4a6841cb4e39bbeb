import { spawnSync } from "node:child_process";
import { constants, existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { writeFileAtomically } from "@coxswain/component/files";
import { clustersFolder } from "./cluster-home.js";
import { checkFolder, openInFolder, readOwnFile } from "./trusted-folder.js";

/** What a cluster leaves in its folder, so that other commands find it. */
export interface ClusterState {
  readonly name: string;
  readonly pid: number;
  /** When that process began, so that another one with the same number is not taken for it. */
  readonly pidStart: string;
  readonly url: string;
  readonly port: number;
  readonly kubeconfig: string;
  readonly nodes: number;
  /** Of real nodes, with the processes that hold their namespaces. */
  readonly machines?: readonly { readonly name: string; readonly holder: number }[];
  readonly startedAt: string;
}

export const stateFile = (folder: string): string => join(folder, "cluster.json");
export const logFile = (folder: string): string => join(folder, "cluster.log");

/** Of all clusters in the user's home, by name. */
export function knownFolders(): string[] {
  const root = clustersFolder();
  if (!existsSync(root)) return [];
  return readdirSync(root)
    .sort()
    .map((name) => join(root, name))
    .filter((folder) => existsSync(stateFile(folder)));
}

/** What was left by the cluster that runs, or by the last one that ran. @throws FlagError for a folder that others may write to */
export function readState(folder: string): ClusterState | undefined {
  checkFolder(folder);
  try {
    const state = JSON.parse(readOwnFile(stateFile(folder)) ?? "null") as Partial<ClusterState> | null;
    return state !== null && isProcess(state) ? (state as ClusterState) : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** A negative number stands for a group of processes in kill(2), -1 for all of the user's, 0 for our own group; 1 is the system's first. */
const isProcess = ({ pid, pidStart }: Partial<ClusterState>): boolean =>
  Number.isSafeInteger(pid) && (pid as number) > 1 && typeof pidStart === "string";

/** The log of a cluster in the background, empty. @throws FlagError for a link or a folder that others may write to */
export function openLog(folder: string): number {
  checkFolder(folder);
  return openInFolder(logFile(folder), constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC);
}

export const writeState = (folder: string, state: ClusterState): void =>
  writeFileAtomically(stateFile(folder), `${JSON.stringify(state, null, 2)}\n`, 0o600);

/** Whether the process that wrote it is still there: one that began then, and has not ended. */
export function isRunning({ pid, pidStart }: Pick<ClusterState, "pid" | "pidStart">): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EPERM") return false; // EPERM: it is there, and another user's
  }
  const start = startOf(pid);
  return (start?.text ?? "") === pidStart && start?.state !== "Z";
}

/** Empty where the system does not show it. */
export const ownStart = (): string => startOf(process.pid)?.text ?? "";

interface ProcessStart {
  /** `Z`: it has ended, and its parent has not noticed. */
  readonly state: string;
  readonly text: string;
}

/** Undefined: the system does not show it, or the process has just ended. */
const startOf = (pid: number): ProcessStart | undefined =>
  process.platform === "linux" ? readProc(pid) : process.platform === "win32" ? undefined : askPs(pid);

/** POSIX's ps, where there is no /proc: the start to the second. */
function askPs(pid: number): ProcessStart | undefined {
  const { stdout } = spawnSync("ps", ["-o", "state=,lstart=", "-p", String(pid)], { encoding: "utf8" });
  const [state = "", ...start] = (stdout ?? "").split(" ").filter((word) => word.trim() !== "");
  return start.length === 0 ? undefined : { state: state.slice(0, 1), text: start.join(" ").trim() };
}

/** Of proc(5): the state and the start time in clock ticks. */
function readProc(pid: number): ProcessStart | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The second field is the program's name in parentheses, which may contain anything.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return { state: fields[0] ?? "", text: fields[19] ?? "" };
  } catch {
    return undefined; // the process has just ended
  }
}
