import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, openSync, rmSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** None outlives the tests. */
const alive = new Set<ChildProcess>();
process.once("exit", () => alive.forEach((child) => child.kill("SIGKILL")));

export interface EtcdMember {
  readonly endpoint: string;
  /** With SIGKILL; resolves when it is gone. */
  kill(): Promise<void>;
  /** With what it kept. */
  restart(): Promise<void>;
}

export interface EtcdCluster {
  readonly members: readonly EtcdMember[];
  readonly endpoints: readonly string[];
  /** Holds data and logs; gone after `stop`. */
  readonly folder: string;
  stop(): Promise<void>;
}

export interface EtcdClusterOptions {
  /** @default 1 */
  readonly size?: number;
  /** Further flags. */
  readonly args?: readonly string[];
  /** Files for TLS on the client side; clients must show a certificate. */
  readonly tls?: { readonly ca: string; readonly certificate: string; readonly key: string };
}

/** Starts members on loopback and waits until they serve. */
export async function startEtcdCluster(
  command: string,
  { size = 1, args = [], tls }: EtcdClusterOptions = {},
): Promise<EtcdCluster> {
  const folder = mkdtempSync(join(tmpdir(), "etcd-"));
  const scheme = tls ? "https" : "http";
  const ports = await freePorts(size * 2);
  const names = Array.from({ length: size }, (_, index) => `m${index}`);
  const peers = names.map((name, index) => `${name}=http://127.0.0.1:${ports[size + index]}`).join(",");
  const members = names.map((name, index) => {
    const client = `${scheme}://127.0.0.1:${ports[index]}`;
    const peer = `http://127.0.0.1:${ports[size + index]}`;
    const tlsArgs = tls
      ? [`--cert-file=${tls.certificate}`, `--key-file=${tls.key}`, "--client-cert-auth", `--trusted-ca-file=${tls.ca}`]
      : [];
    const all = [
      `--name=${name}`,
      `--data-dir=${join(folder, name)}`,
      `--listen-client-urls=${client}`,
      `--advertise-client-urls=${client}`,
      `--listen-peer-urls=${peer}`,
      `--initial-advertise-peer-urls=${peer}`,
      `--initial-cluster=${peers}`,
      "--logger=zap",
      "--log-level=warn",
      ...tlsArgs,
      ...args,
    ];
    return createMember(client, () => {
      const log = openSync(join(folder, `${name}.log`), "a");
      return spawn(command, all, { stdio: ["ignore", log, log] });
    });
  });
  await Promise.all(members.map((member) => member.restart()));
  return {
    members,
    endpoints: members.map(({ endpoint }) => endpoint),
    folder,
    async stop() {
      await Promise.all(members.map((member) => member.kill()));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function createMember(endpoint: string, start: () => ChildProcess): EtcdMember {
  let child: ChildProcess | undefined;
  const { port } = new URL(endpoint);
  return {
    endpoint,
    async kill() {
      if (!child || child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, "exit");
      child.kill("SIGKILL");
      await gone;
    },
    async restart() {
      const started = start();
      child = started;
      alive.add(started.once("exit", () => alive.delete(started)));
      const { connect } = await import("node:net");
      const answers = (): Promise<boolean> =>
        new Promise((resolve) => {
          const socket = connect(Number(port), "127.0.0.1", () => (socket.destroy(), resolve(true)));
          socket.once("error", () => resolve(false));
        });
      for (let tries = 0; tries < 600; tries += 1) {
        if (started.exitCode !== null) throw new Error(`etcd on ${endpoint} ended with ${started.exitCode}`);
        if (await answers()) return;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      throw new Error(`etcd on ${endpoint} does not answer`);
    },
  };
}

/** Asked for together, so that they differ. */
async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, "127.0.0.1"));
  await Promise.all(servers.map((server) => once(server, "listening")));
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}
