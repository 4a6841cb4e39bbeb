import { ensureProgram } from "./build.js";
import { startProcess } from "./managed-process.js";
import type { ManagedProcess } from "./managed-process.js";

export interface SchedulerOptions {
  readonly kubeconfig: string;
  readonly logFile: string;
}

/** Starts kube-scheduler with its default profile; the API server must be ready. */
export async function startScheduler({ kubeconfig, logFile }: SchedulerOptions): Promise<ManagedProcess> {
  const command = await ensureProgram("kube-scheduler");
  return startProcess({
    name: "kube-scheduler",
    command,
    logFile,
    args: [`--kubeconfig=${kubeconfig}`, "--leader-elect=false", "--secure-port=0"],
  });
}
