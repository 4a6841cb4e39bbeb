import { join } from "node:path";
import { ensureProgram } from "./build.js";
import { freePorts } from "./free-port.js";
import { startProcess } from "./managed-process.js";

export interface EtcdServerOptions {
  /** Holds the data and the log; must exist. */
  folder: string;
  /** Whether writes are synced to disk, as they must be where speed is compared. @default true */
  sync?: boolean;
}

export interface EtcdServer {
  /** For example `http://127.0.0.1:2379`. */
  readonly url: string;
  readonly pid: number;
  stop(): Promise<void>;
}

/** Starts one etcd on loopback, without TLS, and waits until it answers. */
export async function startEtcd(options: EtcdServerOptions): Promise<EtcdServer> {
  const command = await ensureProgram("etcd");
  const [clientPort, peerPort] = await freePorts(2);
  const url = `http://127.0.0.1:${clientPort}`;
  const peer = `http://127.0.0.1:${peerPort}`;
  const etcd = startProcess({
    name: "etcd",
    command,
    logFile: join(options.folder, "etcd.log"),
    args: [
      `--data-dir=${join(options.folder, "etcd")}`,
      `--listen-client-urls=${url}`,
      `--advertise-client-urls=${url}`,
      `--listen-peer-urls=${peer}`,
      `--initial-advertise-peer-urls=${peer}`,
      `--initial-cluster=default=${peer}`,
      "--log-level=warn",
      ...(options.sync === false ? ["--unsafe-no-fsync"] : []),
    ],
  });
  try {
    const answers = async (): Promise<boolean> => {
      const answer = await fetch(`${url}/readyz`).catch(() => undefined);
      await answer?.arrayBuffer();
      return answer?.ok ?? false;
    };
    await etcd.waitUntil(answers, { timeoutMs: 30_000, intervalMs: 20 });
  } catch (error) {
    await etcd.stop();
    throw error;
  }
  return { url, pid: etcd.pid, stop: () => etcd.stop() };
}
