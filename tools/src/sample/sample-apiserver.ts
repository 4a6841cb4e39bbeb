import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { ensureProgram } from "../upstream/build.js";
import { type SampleApiserver, startListening } from "./start-listening.js";

export interface SampleApiserverOptions {
  /** Holds its certificate and its log; must exist. */
  readonly folder: string;
  /** Where etcd listens. */
  readonly etcdUrl: string;
  /** Of the server in front of it: who may ask is decided there. */
  readonly kubeconfig: string;
}

/** Starts upstream's example of an aggregated API server, which serves flunders, and waits until it listens. */
export async function startSampleApiserver(options: SampleApiserverOptions): Promise<SampleApiserver> {
  const { folder, etcdUrl, kubeconfig } = options;
  const certificates = join(folder, "sample-certificates");
  mkdirSync(certificates);
  return startListening({
    command: await ensureProgram("sample-apiserver"),
    logFile: join(folder, "sample-apiserver.log"),
    args: (port) => [
      `--etcd-servers=${etcdUrl}`,
      "--bind-address=127.0.0.1",
      `--secure-port=${port}`,
      `--cert-dir=${certificates}`,
      `--kubeconfig=${kubeconfig}`,
      `--authentication-kubeconfig=${kubeconfig}`,
      `--authorization-kubeconfig=${kubeconfig}`,
    ],
  });
}
