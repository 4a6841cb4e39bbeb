import { ensureProgram } from "./build.js";
import type { ManagedProcess } from "./managed-process.js";
import { startProcess } from "./managed-process.js";

export interface SchedulerOptions {
  readonly kubeconfig: string;
  readonly logFile: string;
  /** A program with the same flags, and what stands before them. @default upstream's, built if need be */
  readonly program?: { readonly command: string; readonly args: readonly string[] } | undefined;
}

/** Starts kube-scheduler with its default profile; the API server must be ready. */
export async function startScheduler({ kubeconfig, logFile, program }: SchedulerOptions): Promise<ManagedProcess> {
  const { command, args } = program ?? { command: await ensureProgram("kube-scheduler"), args: [] };
  return startProcess({
    name: "kube-scheduler",
    command,
    logFile,
    args: [...args, `--kubeconfig=${kubeconfig}`, "--leader-elect=false", "--secure-port=0"],
  });
}
