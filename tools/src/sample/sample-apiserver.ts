import { mkdirSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { ensureProgram } from "../upstream/build.js";
import { freePorts } from "../upstream/free-port.js";
import { type ManagedProcess, startProcess } from "../upstream/managed-process.js";

export interface SampleApiserverOptions {
  /** Holds its certificate and its log; must exist. */
  readonly folder: string;
  /** Where etcd listens. */
  readonly etcdUrl: string;
  /** Of the server in front of it: who may ask is decided there. */
  readonly kubeconfig: string;
}

export interface SampleApiserver extends Pick<ManagedProcess, "stop"> {
  readonly port: number;
}

/** Starts upstream's example of an aggregated API server, which serves flunders, and waits until it listens. */
export async function startSampleApiserver(options: SampleApiserverOptions): Promise<SampleApiserver> {
  const { folder, etcdUrl, kubeconfig } = options;
  const command = await ensureProgram("sample-apiserver");
  const [port = 0] = await freePorts(1);
  const certificates = join(folder, "sample-certificates");
  mkdirSync(certificates);
  const server = startProcess({
    name: "sample-apiserver",
    command,
    logFile: join(folder, "sample-apiserver.log"),
    args: [
      `--etcd-servers=${etcdUrl}`,
      "--bind-address=127.0.0.1",
      `--secure-port=${port}`,
      `--cert-dir=${certificates}`,
      `--kubeconfig=${kubeconfig}`,
      `--authentication-kubeconfig=${kubeconfig}`,
      `--authorization-kubeconfig=${kubeconfig}`,
    ],
  });
  try {
    await server.waitUntil(() => listens(port), { timeoutMs: 60_000, intervalMs: 50 });
  } catch (error) {
    await server.stop();
    throw error;
  }
  return { port, stop: () => server.stop() };
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}
