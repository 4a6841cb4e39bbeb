import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { writeFileAtomically } from "@coxswain/component/files";

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
  readonly startedAt: string;
}

export const stateFile = (folder: string): string => join(folder, "cluster.json");
export const logFile = (folder: string): string => join(folder, "cluster.log");

/** What was left by the cluster that runs, or by the last one that ran. */
export function readState(folder: string): ClusterState | undefined {
  try {
    return JSON.parse(readFileSync(stateFile(folder), "utf8")) as ClusterState;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT" || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

export const writeState = (folder: string, state: ClusterState): void =>
  writeFileAtomically(stateFile(folder), `${JSON.stringify(state, null, 2)}\n`, 0o600);

export const removeState = (folder: string): void => rmSync(stateFile(folder), { force: true });

/** Whether the process that wrote it is still there. */
export function isRunning({ pid, pidStart }: Pick<ClusterState, "pid" | "pidStart">): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
  const start = startOf(pid);
  return start === undefined || (start.text === pidStart && start.state !== "Z");
}

/** Empty where the system does not show it. */
export const ownStart = (): string => startOf(process.pid)?.text ?? "";

/** Of proc(5): the state and the start time in clock ticks. Undefined: the system has no /proc. */
function startOf(pid: number): { readonly state: string; readonly text: string } | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The second field is the program's name in parentheses, which may contain anything.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return { state: fields[0] ?? "", text: fields[19] ?? "" };
  } catch {
    return undefined; // no /proc, or the process has just ended
  }
}
