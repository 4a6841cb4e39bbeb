import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { Agent, request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseFlags } from "@coxswain/component/flags";
import { type CoxswainProcess, ownLauncher, runProgram, startCoxswain } from "@coxswain/tools/clients";
import { describeWith } from "@coxswain/tools/needs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connectApi } from "../testing/api-client.js";
import { etcdServingFrom, serveEtcdFlags } from "./serve-etcd-flags.js";

const configMaps = "/api/v1/namespaces/default/configmaps";
const configMap = (name: string): unknown => ({ apiVersion: "v1", kind: "ConfigMap", metadata: { name } });
const base64 = (text: string): string => Buffer.from(text).toString("base64");

describe("the store of a server by etcd's protocol", { timeout: 60_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), "coxswain-serve-etcd-"));
  const pki = join(folder, "pki");
  let server: CoxswainProcess;
  /** `--endpoints=https://127.0.0.1:PORT --cacert=… --cert=… --key=…` */
  let flags: string[];
  beforeAll(async () => {
    server = await startCoxswain({ dataDir: folder, args: ["--serve-etcd=https://127.0.0.1:0"] });
    flags = /etcdctl (--endpoints=[^"\n]*)/.exec(server.output())?.[1]?.trim().split(" ") ?? [];
    const api = connectApi(server.kubeconfig);
    await api.send("POST", configMaps, configMap("seen"));
    api.close();
  });
  afterAll(async () => {
    await server.stop();
    rmSync(folder, { recursive: true });
  });

  const range = (client: { cert: string; key: string } | undefined): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const asked = request(
        `${flags[0]?.replace("--endpoints=", "")}/v3/kv/range`,
        {
          method: "POST",
          agent: new Agent({ ALPNProtocols: ["h2", "http/1.1"] }), // as curl offers them
          ca: readFileSync(join(pki, "etcd/ca.crt")),
          ...(client && { cert: readFileSync(client.cert), key: readFileSync(client.key) }),
        },
        (response) => {
          let text = "";
          response.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
          response.once("end", () => resolve(JSON.parse(text)));
        },
      );
      asked.once("error", reject);
      asked.end(JSON.stringify({ key: base64("/registry/configmaps/default/seen"), keys_only: true }));
    });

  it("a client with a certificate of pki/etcd reads keys by the JSON gateway", async () => {
    const answer = await range({ cert: join(pki, "etcd/client.crt"), key: join(pki, "etcd/client.key") });
    expect(answer).toMatchObject({ count: "1", kvs: [{ key: base64("/registry/configmaps/default/seen") }] });
  });

  it("nobody else connects, not even the cluster's administrator", async () => {
    await expect(range(undefined)).rejects.toThrow(/certificate|ECONNRESET|hang up/i);
    await expect(range({ cert: join(pki, "admin.crt"), key: join(pki, "admin.key") })).rejects.toThrow(
      /unknown ca|certificate|ECONNRESET|hang up/i,
    );
  });

  const found = ["etcdctl"].find((name) => spawnSync(name, ["version"]).status === 0);
  describeWith("etcdctl", { found, missing: "etcdctl (apt-get install etcd-client)" }, (etcdctl) => {
    const run = async (...args: string[]): Promise<string> => {
      const { code, stdout, stderr } = await runProgram(etcdctl, [...flags, ...args], { env: { ETCDCTL_API: "3" } });
      if (code !== 0) throw new Error(`etcdctl ${args.join(" ")}: ${stderr}`);
      return stdout;
    };

    it("get shows what the cluster holds", async () => {
      const { kvs } = JSON.parse(await run("get", "/registry", "--prefix", "-w", "json")) as { kvs: { key: string }[] };
      const keys = kvs.map(({ key }) => Buffer.from(key, "base64").toString());
      expect(keys).toContain("/registry/configmaps/default/seen");
    });

    it("endpoint status, member list and leases answer", async () => {
      expect(await run("endpoint", "status")).toContain("127.0.0.1");
      expect(await run("member", "list")).toContain("coxswain");
      expect(await run("lease", "list")).toContain("leases");
    });
  });
});

describe("coxswain store serve", { timeout: 90_000 }, () => {
  it("two API servers share the store of one machine, also after it was killed", async () => {
    const folder = mkdtempSync(join(tmpdir(), "coxswain-store-serve-"));
    const socket = join(folder, "etcd.sock");
    let store = await startStore(folder, socket);
    expect(statSync(socket).mode & 0o777).toBe(0o600);
    const servers = [];
    for (const name of ["one", "two"])
      servers.push(await startCoxswain({ dataDir: join(folder, name), args: [`--etcd-servers=unix://${socket}`] }));
    const [one, two] = servers.map(({ kubeconfig }) => connectApi(kubeconfig));
    try {
      await one!.send("POST", configMaps, configMap("shared"));
      expect(await two!.send("GET", `${configMaps}/shared`)).toMatchObject({ kind: "ConfigMap" });
      store.kill("SIGKILL");
      await once(store, "exit");
      store = await startStore(folder, socket);
      const sent = (method: string, path: string, body?: unknown) => () =>
        two!.send<{ kind: string }>(method, path, body).then(
          ({ kind }) => kind,
          (error: Error) => error.message,
        );
      await expect.poll(sent("GET", `${configMaps}/shared`), { timeout: 30_000 }).toBe("ConfigMap");
      await expect
        .poll(sent("POST", configMaps, { apiVersion: "v1", kind: "ConfigMap", metadata: { generateName: "later-" } }), {
          timeout: 30_000,
        })
        .toBe("ConfigMap");
    } finally {
      one!.close();
      two!.close();
      for (const server of servers) await server.stop();
      store.kill("SIGTERM");
      await once(store, "exit");
      rmSync(folder, { recursive: true });
    }
  });

  const refused: [name: string, args: string[], message: RegExp][] = [
    ["plain TCP", ["--serve-etcd=http://127.0.0.1:2379"], /https:\/\/ or unix:\/\//],
    ["another scheme", ["--serve-etcd=ftp://x"], /must be https/],
    ["a part of the files", ["--serve-etcd=https://127.0.0.1:0", "--serve-etcd-cert-file=x"], /go together/],
    ["files for a socket", ["--serve-etcd=unix:///tmp/x", "--serve-etcd-cert-file=x"], /no TLS/],
    ["files without an address", ["--serve-etcd-key-file=x"], /is for --serve-etcd/],
  ];
  for (const [name, args, message] of refused)
    it(`${name} is refused`, () => {
      const parsed = parseFlags(serveEtcdFlags, args);
      if (parsed.kind === "help") throw new Error("no flag of these asks for help");
      expect(() => etcdServingFrom(parsed.options, parsed.given)).toThrow(message);
    });
});

/** Resolves when it serves. */
async function startStore(folder: string, socket: string) {
  const args = ["store", "serve", "--data-dir", join(folder, "data"), `--serve-etcd=unix://${socket}`];
  const child = spawn(process.execPath, [ownLauncher, ...args], { stdio: ["ignore", "pipe", "inherit"] });
  await once(child.stdout, "data");
  return child;
}
