import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { closeSync, mkdtempSync, openSync, rmSync } from "node:fs";
import { type AddressInfo, connect, createServer } from "node:net";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

export interface EtcdProcess {
  readonly url: string;
  stop(): Promise<void>;
}

export const hasEtcd = (command = "etcd"): boolean => spawnSync(command, ["--version"]).status === 0;

/** The one that is built for comparisons, if it is. */
export const builtEtcd = join(
  process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"),
  "coxswain/upstream/v1.36.4/bin/etcd",
);

export interface EtcdProcessOptions {
  /** @default the distribution's */
  readonly command?: string;
  /** Files for TLS; clients must show a certificate of the same authority. @default no TLS */
  readonly tls?: { readonly ca: string; readonly certificate: string; readonly key: string };
}

/** An etcd with data of its own, on loopback; resolves when it takes connections. */
export async function startEtcd({ command = "etcd", tls }: EtcdProcessOptions = {}): Promise<EtcdProcess> {
  const folder = mkdtempSync(join(tmpdir(), "coxswain-etcd-"));
  const [client, peer] = [
    `${tls ? "https" : "http"}://127.0.0.1:${await freePort()}`,
    `http://127.0.0.1:${await freePort()}`,
  ];
  const secure = tls
    ? [`--cert-file=${tls.certificate}`, `--key-file=${tls.key}`, `--trusted-ca-file=${tls.ca}`, "--client-cert-auth"]
    : [];
  const log = openSync(join(folder, "log"), "w");
  const child = spawn(
    command,
    [
      `--data-dir=${folder}/data`,
      `--listen-client-urls=${client}`,
      `--advertise-client-urls=${client}`,
      `--listen-peer-urls=${peer}`,
      `--initial-advertise-peer-urls=${peer}`,
      `--initial-cluster=default=${peer}`,
      ...secure,
    ],
    { stdio: ["ignore", log, log] },
  );
  closeSync(log);
  const kill = (): void => void child.kill("SIGKILL");
  process.once("exit", kill);
  for (let tries = 0; !(await answers(Number(new URL(client).port))); tries += 1) {
    if (child.exitCode !== null || tries > 500) throw new Error(`etcd does not start; see ${folder}/log`);
    await sleep(20);
  }
  return {
    url: client,
    async stop() {
      process.off("exit", kill);
      kill();
      if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => (socket.destroy(), resolve(true)));
    socket.once("error", () => resolve(false));
  });

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}
