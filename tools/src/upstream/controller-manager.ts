import { ensureProgram } from "./build.js";
import type { ManagedProcess } from "./managed-process.js";
import { startProcess } from "./managed-process.js";

export interface ControllerManagerOptions {
  readonly kubeconfig: string;
  /** Files in PEM: the cluster's authority, its key, and the key that signs service account tokens. */
  readonly ca: string;
  readonly caKey: string;
  readonly serviceAccountKey: string;
  readonly logFile: string;
  /** Besides, as written on a command line. @default none */
  readonly flags?: readonly string[];
  /** A program with the same flags, and what stands before them. @default upstream's, built if need be */
  readonly program?: { readonly command: string; readonly args: readonly string[] } | undefined;
}

/** Starts kube-controller-manager with all its controllers; the API server must be ready, or it gives up. */
export async function startControllerManager(options: ControllerManagerOptions): Promise<ManagedProcess> {
  const { command, args } = options.program ?? { command: await ensureProgram("kube-controller-manager"), args: [] };
  return startProcess({
    name: "kube-controller-manager",
    command,
    logFile: options.logFile,
    args: [
      ...args,
      `--kubeconfig=${options.kubeconfig}`,
      `--root-ca-file=${options.ca}`,
      `--cluster-signing-cert-file=${options.ca}`,
      `--cluster-signing-key-file=${options.caKey}`,
      `--service-account-private-key-file=${options.serviceAccountKey}`,
      // The only one there is; waiting for a lease of its predecessor would cost a restart fifteen seconds.
      "--leader-elect=false",
      "--secure-port=0",
      // Each controller under its own name, so that the roles of the server are put to use too.
      "--use-service-account-credentials=true",
      ...(options.flags ?? []),
    ],
  });
}
