import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { createServer } from "node:net";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { type Contestant, type Measured, prefix, valueBytes } from "./contestant.js";

const execute = promisify(execFile);
const etcd = join(
  process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"),
  "coxswain",
  "upstream",
  "v1.36.4",
  "bin",
  "etcd",
);

/** Why etcd cannot take part; undefined if it can. */
export async function etcdMissing(): Promise<string | undefined> {
  if (!existsSync(etcd)) return `there is no etcd at ${etcd}`;
  return execute("go", ["version"]).then(
    () => undefined,
    () => "there is no Go to build its client with",
  );
}

/** A single etcd on loopback and a client of its own, written in Go, in another process. */
export async function startEtcd(directory: string): Promise<Contestant> {
  const load = join(tmpdir(), "coxswain-etcd-load");
  await execute("go", ["build", "-o", load, "."], { cwd: fileURLToPath(new URL("../etcd-load", import.meta.url)) });
  const [client, peer] = await Promise.all([freePort(), freePort()]);
  const endpoint = `127.0.0.1:${client}`;
  let child!: ChildProcess;
  const start = (): void => {
    const urls = [
      "--listen-client-urls",
      `http://${endpoint}`,
      "--advertise-client-urls",
      `http://${endpoint}`,
      "--listen-peer-urls",
      `http://127.0.0.1:${peer}`,
    ];
    child = spawn(
      etcd,
      [
        "--data-dir",
        directory,
        "--log-level",
        "fatal",
        "--quota-backend-bytes",
        String(8 * 1024 ** 3),
        ...urls,
        "--initial-advertise-peer-urls",
        `http://127.0.0.1:${peer}`,
        "--initial-cluster",
        `default=http://127.0.0.1:${peer}`,
      ],
      { stdio: ["ignore", "ignore", "inherit"] },
    );
  };
  const call = async (path: string, body: object): Promise<unknown> => {
    const response = await fetch(`http://${endpoint}/v3/${path}`, { method: "POST", body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return response.json();
  };
  const answering = async (): Promise<void> => {
    for (;;) {
      const answered = await call("kv/range", { key: Buffer.from(`${prefix}000000`).toString("base64") }).then(
        () => true,
        () => false,
      );
      if (answered) return;
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
  };
  const stop = async (): Promise<void> => {
    const ended = once(child, "exit");
    child.kill("SIGTERM");
    await ended;
  };
  start();
  await answering();
  return {
    name: "etcd",
    async run(work) {
      const number = (name: string, value: number | undefined): string[] =>
        value === undefined ? [] : [`-${name}`, String(value)];
      const {
        clients = work.do === "fill" ? 100 : 1,
        seconds,
        count,
      } = work as { clients?: number; seconds?: number; count?: number };
      const { stdout } = await execute(load, [
        "-endpoint",
        endpoint,
        "-work",
        work.do,
        "-prefix",
        prefix,
        ...number("size", valueBytes),
        ...number("clients", clients),
        ...number("seconds", seconds),
        ...number("count", count),
      ]);
      return stdout === "" ? undefined : (JSON.parse(stdout) as Measured);
    },
    async reopen() {
      await stop();
      const before = performance.now();
      start();
      await answering();
      return performance.now() - before;
    },
    async compactedBytes() {
      const { header } = (await call("kv/range", { key: "AA==", count_only: true })) as {
        header: { revision: string };
      };
      await call("kv/compaction", { revision: header.revision, physical: true });
      await call("maintenance/defragment", {});
      let bytes = 0;
      for (const file of await readdir(directory, { recursive: true, withFileTypes: true }))
        if (file.isFile()) bytes += (await stat(join(file.parentPath, file.name))).size;
      return bytes;
    },
    stop,
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, "close");
  return port;
}
