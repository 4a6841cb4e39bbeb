import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { systemRuntime } from "@coxswain/runtime";
import type { KeyValueStore } from "@coxswain/storage";
import { openEtcdStore } from "@coxswain/storage/etcd";
import {
  type CoxswainProcess,
  findKubectl,
  kubectlMinors,
  ownLauncher,
  runProgram,
  startCoxswain,
} from "@coxswain/tools/clients";
import { describeWith } from "@coxswain/tools/needs";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type ApiClient, type ApiObject, connectApi } from "../testing/api-client.js";
import { builtEtcd, type EtcdProcess, hasEtcd, startEtcd } from "../testing/etcd-process.js";

/** How often each kind of damage is done; `npm run tool damage` does it more often. */
const rounds = Number(process.env["COXSWAIN_DAMAGE"] ?? 1);
const command = hasEtcd(builtEtcd) ? builtEtcd : hasEtcd() ? "etcd" : undefined;
const needsEtcd = { found: command, missing: "etcd (apt-get install etcd-server)", timeout: 300_000 + rounds * 60_000 };
const kubectl = findKubectl(kubectlMinors().at(-1) ?? "");
const needsKubectl = {
  found: process.platform === "linux" && command !== undefined && kubectl !== undefined && { command, kubectl },
  missing: "etcd (apt-get install etcd-server), kubectl, and Linux",
  timeout: 300_000,
};

const openRaw = (etcd: EtcdProcess): Promise<KeyValueStore> =>
  openEtcdStore({ endpoints: [etcd.url], runtime: systemRuntime(), compactionIntervalMs: 0 });

async function overwrite(raw: KeyValueStore, key: string, value: Uint8Array): Promise<void> {
  for (;;) {
    const current = await raw.get(key);
    if ((await raw.put({ key, value, expected: current?.revision ?? 0 })).kind === "written") return;
  }
}

/** Waits for what servers do by themselves. */
async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; !(await holds().catch(() => false)); tries += 1) {
    if (tries > 1200) throw new Error(`it did not come to be: ${what}`);
    await sleep(100);
  }
}

describeWith("two API servers over one etcd", needsEtcd, (etcdCommand) => {
  const folder = mkdtempSync(join(tmpdir(), "coxswain-damaged-"));
  const secrets = "/api/v1/namespaces/probe/secrets";
  const keyOf = (number: number): string => Buffer.alloc(32, number).toString("base64");
  const secret = (name: string, value: string): unknown => ({
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name },
    data: { value: Buffer.from(value).toString("base64") },
  });
  let etcd: EtcdProcess;
  let raw: KeyValueStore;
  const servers: Server[] = [];

  interface Server {
    readonly index: number;
    process: CoxswainProcess;
    api: ApiClient;
  }
  const fileOf = (index: number): string => join(folder, `encryption-${index}.yaml`);
  /** The first writes. */
  const configure = (index: number, keys: readonly number[]): void =>
    writeFileSync(
      fileOf(index),
      `apiVersion: apiserver.config.k8s.io/v1
kind: EncryptionConfiguration
resources:
- resources: [secrets]
  providers:
  - aesgcm: {keys: [${keys.map((key) => `{name: key${key}, secret: ${keyOf(key)}}`).join(", ")}]}
`,
    );
  const spawnServer = async (index: number): Promise<Pick<Server, "process" | "api">> => {
    const process = await startCoxswain({
      dataDir: join(folder, `server-${index}`),
      args: [
        "--etcd-servers",
        etcd.url,
        "--encryption-provider-config",
        fileOf(index),
        "--encryption-provider-config-automatic-reload",
      ],
    });
    return { process, api: connectApi(process.kubeconfig) };
  };
  const killAndRestart = async (server: Server): Promise<void> => {
    server.api.close();
    await server.process.stop("SIGKILL");
    Object.assign(server, await spawnServer(server.index));
  };
  const reloads = ({ process }: Server): number =>
    process.output().split("the encryption configuration was reloaded").length - 1;
  /** Gives every server these keys, and waits until it has them. */
  const configureAll = async (keys: readonly number[]): Promise<void> => {
    for (const server of servers) {
      const before = reloads(server);
      configure(server.index, keys);
      process.kill(server.process.pid, "SIGHUP");
      await until("a reload", async () => reloads(server) > before);
    }
  };
  const isAlive = async (server: Server, name: string): Promise<void> => {
    expect(await server.api.read("/livez")).toEqual({ code: 200, text: "ok" });
    await server.api.send("POST", secrets, secret(name, name));
    expect(await server.api.send("GET", `${secrets}/${name}`)).toMatchObject({ kind: "Secret" });
    expect((await server.api.read(secrets)).code).toBe(200);
  };
  const unreadableIn = async ({ api }: Server): Promise<string[]> =>
    (await api.read("/metrics")).text
      .split("\n")
      .filter((line) => line.startsWith("coxswain_storage_unreadable_objects{"));

  beforeAll(async () => {
    etcd = await startEtcd({ command: etcdCommand });
    raw = await openRaw(etcd);
    for (const index of [1, 2]) {
      configure(index, [1]);
      servers.push({ index, ...(await spawnServer(index)) });
    }
    const [{ api }] = servers as [Server];
    await api.send("POST", "/api/v1/namespaces", { metadata: { name: "probe" } });
    for (const name of ["a", "b"])
      await api.send("POST", "/api/v1/namespaces/default/configmaps", { metadata: { name }, data: { name } });
  }, 180_000);
  afterAll(async () => {
    for (const { api, process } of servers) {
      api.close();
      await process.stop();
    }
    await raw?.close();
    await etcd?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it("survive garbage in keys of every resource, and recover when it goes", async () => {
    for (let round = 0; round < rounds; round += 1) {
      const keys = (await raw.range({ prefix: "/registry/", keysOnly: true })).records.map(({ key }) => key);
      const byResource = new Map<string, string[]>();
      for (const key of keys) {
        const resource = key.slice(0, key.indexOf("/", "/registry/".length));
        byResource.set(resource, [...(byResource.get(resource) ?? []), key]);
      }
      const damaged = [...byResource.values()]
        .map((all) => all[(round * 7) % all.length]!)
        .filter((key) => !key.includes("/probe") && !key.startsWith("/registry/secrets/"));
      const before = new Map<string, Uint8Array>();
      for (const [index, key] of damaged.entries()) {
        before.set(key, (await raw.get(key))!.value);
        await overwrite(raw, key, garbageOf(index + round, before.get(key)!));
      }
      for (const server of servers) await isAlive(server, `during-${round}-${server.index}`);
      await killAndRestart(servers[round % 2]!);
      for (const server of servers) {
        await isAlive(server, `restarted-${round}-${server.index}`);
        expect((await unreadableIn(server)).length).toBeGreaterThan(5);
      }
      for (const [key, value] of before) await overwrite(raw, key, value);
      for (const server of servers)
        await until("all is readable", async () => (await unreadableIn(server)).length === 0);
    }
  });

  it("survive a value whose key one of them does not have, which serves it once it has", async () => {
    const [one, two] = servers as [Server, Server];
    configure(one.index, [2, 1]);
    process.kill(one.process.pid, "SIGHUP");
    await until("server 1 writes with its new key", async () => {
      await one.api.send("DELETE", `${secrets}/hidden`).catch(() => undefined);
      await one.api.send("POST", secrets, secret("hidden", "v"));
      return isWrittenWith((await raw.get("/registry/secrets/probe/hidden"))!.value, 2);
    });
    await until("server 2 has seen it", async () => (await two.api.read(`${secrets}/hidden`)).code === 500);
    expect(JSON.parse((await two.api.read(`${secrets}/hidden`)).text)).toMatchObject({
      message:
        'Internal error occurred: unable to transform key "/registry/secrets/probe/hidden": no matching key was found for the provided AES transformer (the value was written by provider aesgcm with key "key2")',
    });
    expect((await two.api.read(secrets)).code).toBe(429);
    expect((await two.api.read("/api/v1/namespaces/default/configmaps")).code).toBe(200);
    expect((await two.api.read("/readyz")).code).toBe(200);
    await killAndRestart(two);
    expect((await two.api.read(`${secrets}/hidden`)).code).toBe(500);
    configure(two.index, [2, 1]);
    process.kill(two.process.pid, "SIGHUP");
    await until("server 2 lists again", async () => (await two.api.read(secrets)).code === 200);
    expect(await two.api.send("GET", `${secrets}/hidden`)).toMatchObject({ metadata: { name: "hidden" } });
  });

  it("rotate keys under load with kills, and no acknowledged write is lost or unreadable", async () => {
    /** By name: what may be stored. More than one value where nobody knows whether the last write happened. */
    const written = new Map<string, Set<string>>();
    const over = new AbortController();
    let acknowledged = 0;
    const write = async (server: Server, writer: number): Promise<void> => {
      for (let count = 0; !over.signal.aborted; count += 1) {
        const name = `load-${server.index}-${writer}-${count % 40}`;
        const value = `${Date.now()}-${count}`;
        const known = written.get(name);
        try {
          if (known) await server.api.send("PUT", `${secrets}/${name}`, secret(name, value));
          else await server.api.send("POST", secrets, secret(name, value));
          written.set(name, new Set([value]));
          acknowledged += 1;
        } catch {
          // Killed, or never sent: it may be stored or not. A name that never was acknowledged is not written again.
          if (known) known.add(value);
          await sleep(50);
        }
      }
    };
    const rewriteAll = async ({ api }: Server): Promise<void> => {
      const { items } = await api.send<{ items: ApiObject[] }>("GET", "/api/v1/secrets");
      for (const item of items as (ApiObject & { metadata: { namespace: string } })[])
        await api
          .send("PUT", `/api/v1/namespaces/${item.metadata.namespace}/secrets/${item.metadata.name}`, item)
          .catch(() => undefined); // changed meanwhile: then it has the new key already
    };
    await rewriteAll(servers[0]!);
    await configureAll([2]);
    const writers = servers.flatMap((server) => [0, 1].map((writer) => write(server, writer)));
    let newest = 2;
    for (let round = 0; round < rounds; round += 1) {
      const [old, next] = [newest, newest + 1];
      newest = next;
      await configureAll([old, next]);
      await killAndRestart(servers[round % 2]!);
      await configureAll([next, old]);
      await killAndRestart(servers[(round + 1) % 2]!);
      await rewriteAll(servers[round % 2]!);
      const { records } = await raw.range({ prefix: "/registry/secrets/" });
      expect(records.filter(({ value }) => !isWrittenWith(value, next)).map(({ key }) => key)).toEqual([]);
      await configureAll([next]);
    }
    over.abort();
    await Promise.all(writers);
    expect(acknowledged).toBeGreaterThan(100);
    for (const { api } of servers) {
      const lost: string[] = [];
      for (const [name, values] of written) {
        const { data } = await api.send<{ data: { value: string } }>("GET", `${secrets}/${name}`);
        if (!values.has(Buffer.from(data.value, "base64").toString())) lost.push(name);
      }
      expect(lost).toEqual([]);
      expect((await api.read("/api/v1/secrets")).code).toBe(200);
    }
    console.log(`${acknowledged} writes were acknowledged during ${rounds} rotations and ${rounds * 2} kills`);
  });

  const isWrittenWith = (value: Uint8Array, key: number): boolean =>
    Buffer.from(value).toString("latin1").startsWith(`k8s:enc:aesgcm:v1:key${key}:`);

  /** Nothing, text, half of what was there, what was there with bytes turned over, another kind, or encrypted by somebody else. */
  function garbageOf(index: number, before: Uint8Array): Uint8Array {
    const turned = Uint8Array.from(before, (byte, at) => (at % 5 === 2 ? byte ^ 0x55 : byte));
    const forms = [
      Buffer.from("garbage"),
      Buffer.from(""),
      before.subarray(0, before.length >> 1),
      turned,
      Buffer.from('{"kind":"Nothing","apiVersion":"v1","metadata":{"name":"x"}}'),
      Buffer.from("k8s:enc:aescbc:v1:lost:xxxxxxxxxxxxxxxx"),
    ];
    return forms[index % forms.length]!;
  }
});

describeWith("docs/operations.md, keys of several servers", needsKubectl, (found) => {
  const folder = mkdtempSync(join(tmpdir(), "coxswain-keys-"));
  const network = `127.${100 + (process.pid % 100)}.${(process.pid >> 7) % 250}`;
  const page = readFileSync(fileURLToPath(new URL("../../../../docs/operations.md", import.meta.url)), "utf8");
  const section = page.slice(page.indexOf("### With several servers"));
  const [functions = "", begin = "", replace = ""] = [...section.matchAll(/```sh\n(.*?)```/gs)].map(
    ([, text = ""]) => text,
  );
  let etcd: EtcdProcess;
  let raw: KeyValueStore;

  const run = async (commands: string): Promise<string> => {
    const { code, stdout, stderr } = await runProgram("bash", ["-e"], {
      input: `${functions}\n${commands}`
        .replaceAll("http://127.0.1.1:2379", etcd.url)
        .replaceAll("127.0.1.", `${network}.`),
      cwd: folder,
      env: { PATH: [join(folder, "bin"), process.env["PATH"] ?? ""].join(delimiter), HOME: folder },
    });
    if (code !== 0) throw new Error(`a command failed (${code}): ${stderr}\n${stdout}`);
    return stdout;
  };
  const api = (machine: number): ApiClient => connectApi(join(folder, `machine-${machine}/kubeconfig`));
  const storedWith = async (): Promise<string[]> => {
    const { records } = await raw.range({ prefix: "/registry/secrets/" });
    return [
      ...new Set(
        records.map(
          ({ value }) => /^k8s:enc:secretbox:v1:(\w+):/.exec(Buffer.from(value).toString("latin1"))?.[1] ?? "plain",
        ),
      ),
    ];
  };

  beforeAll(async () => {
    mkdirSync(join(folder, "bin"));
    symlinkSync(ownLauncher, join(folder, "bin/coxswain"));
    symlinkSync(found.kubectl, join(folder, "bin/kubectl"));
    etcd = await startEtcd({ command: found.command });
    raw = await openRaw(etcd);
  });
  afterAll(async () => {
    for (const machine of [1, 2]) {
      const file = join(folder, `machine-${machine}/apiserver.pid`);
      if (existsSync(file)) process.kill(Number(readFileSync(file, "utf8")), "SIGKILL");
    }
    await raw?.close();
    await etcd?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it("are brought in and replaced by the commands as printed, and every server reads every secret", async () => {
    const check = async (...wanted: string[]): Promise<void> => {
      expect(await storedWith()).toEqual(wanted);
      for (const machine of [1, 2]) {
        const client = api(machine);
        expect(await client.send("GET", "/api/v1/namespaces/default/secrets/s")).toMatchObject({ data: { a: "Yg==" } });
        expect((await client.read("/api/v1/secrets")).code).toBe(200);
        client.close();
      }
    };
    await run("everywhere identity");
    const client = api(1);
    await client.send("POST", "/api/v1/namespaces/default/secrets", { metadata: { name: "s" }, data: { a: "Yg==" } });
    client.close();
    await check("plain");
    await run(begin);
    await check("key1");
    await run(replace);
    await check("key2");
  });
});
