import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { get as getHttp } from "node:http";
import { get as getHttps } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type ClientConfig, type ConnectedClient, connect } from "@coxswain/client/node";
import { systemClock } from "@coxswain/runtime/clock";
import { systemRandom } from "@coxswain/runtime/random";
import { ownLauncher, runProgram } from "@coxswain/tools/clients";
import { freePorts } from "@coxswain/tools/upstream";
import { createAuthority, createClientIdentity, createServerIdentity, encodePrivateKey } from "@coxswain/wire/x509";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const folder = mkdtempSync(join(tmpdir(), "coxswain-envtest-test-"));
const certDir = join(folder, "certs");
const temporary = join(folder, "tmp");
const now = systemClock.now();
const naming = (commonName: string, organizations: string[] = []) => ({
  subject: { commonName, organizations },
  notBefore: now - 60_000,
  notAfter: now + 86_400_000,
  random: systemRandom,
});
const clientAuthority = createAuthority(naming("envtest-clients"));
const servingAuthority = createAuthority(naming("envtest-servers"));

/** What controller-runtime's envtest puts there before it starts kube-apiserver. */
function fillCertDir(): void {
  mkdirSync(certDir);
  const write = (name: string, text: string): void => writeFileSync(join(certDir, name), text);
  const serving = createServerIdentity(servingAuthority, { ...naming("server"), hosts: ["localhost", "127.0.0.1"] });
  write("apiserver.crt", serving.pem);
  write("apiserver.key", encodePrivateKey(serving.privateKey));
  const accounts = createAuthority(naming("accounts"));
  write("sa-signer.crt", accounts.pem);
  write("sa-signer.key", encodePrivateKey(accounts.privateKey));
  write("client-cert-auth-ca.crt", clientAuthority.pem);
}

function userOf(server: string, name: string, groups: string[]): ClientConfig {
  const identity = createClientIdentity(clientAuthority, naming(name, groups));
  return {
    server,
    certificateAuthority: { data: servingAuthority.pem },
    clientCertificate: { cert: { data: identity.pem }, key: { data: encodePrivateKey(identity.privateKey) } },
  };
}

/** Polls as envtest does: every 100 ms, without a look at the server's certificate, until 200. */
async function untilOk(url: string, program: ChildProcess): Promise<void> {
  const get = url.startsWith("https:") ? getHttps : getHttp;
  for (;;) {
    const status = await new Promise<number | undefined>((resolve) =>
      get(url, { rejectUnauthorized: false, agent: false }, (response) => {
        response.resume();
        resolve(response.statusCode);
      }).on("error", () => resolve(undefined)),
    );
    if (status === 200) return;
    if (program.exitCode !== null) throw new Error(`${program.spawnfile} ended with ${program.exitCode}`);
    await sleep(100);
  }
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await sleep(50);
}

async function endOf(program: ChildProcess): Promise<number | null> {
  const ended = once(program, "exit") as Promise<[number | null]>;
  program.kill("SIGTERM");
  return (await ended)[0];
}

/** The scripts are of a POSIX shell. */
describe.skipIf(process.platform === "win32")("coxswain envtest", { timeout: 120_000 }, () => {
  const env = { COXSWAIN_CACHE_DIR: join(folder, "cache"), TMPDIR: temporary, COXSWAIN_ENVTEST_CONTROLLERS: "usual" };
  const started: ChildProcess[] = [];
  const clients: ConnectedClient[] = [];
  let assets = "";
  let server = "";
  let client: ConnectedClient;
  const start = (name: string, flags: Record<string, string>): ChildProcess => {
    const args = Object.entries(flags).map(([flag, value]) => `--${flag}=${value}`);
    const child = spawn(join(assets, name), args, { env: { ...process.env, ...env }, stdio: "inherit" });
    started.push(child);
    return child;
  };
  const as = (name: string, groups: string[]): ConnectedClient => {
    const connected = connect(userOf(server, name, groups));
    clients.push(connected);
    return connected;
  };

  beforeAll(async () => {
    fillCertDir();
    mkdirSync(temporary);
    const printed = await runProgram(process.execPath, [ownLauncher, "envtest", "--print-path"], { env });
    assets = printed.stdout.trimEnd();
    const [clientPort = 0, peerPort = 0, securePort = 0] = await freePorts(3);
    const etcdUrl = `http://127.0.0.1:${clientPort}`;
    server = `https://127.0.0.1:${securePort}`;
    const etcd = start("etcd", {
      "advertise-client-urls": etcdUrl,
      "data-dir": join(folder, "etcd"),
      "listen-client-urls": etcdUrl,
      "listen-peer-urls": `http://127.0.0.1:${peerPort}`,
      "unsafe-no-fsync": "true",
    });
    await untilOk(`${etcdUrl}/health`, etcd);
    const apiserver = start("kube-apiserver", {
      "allow-privileged": "true",
      "authorization-mode": "RBAC",
      "bind-address": "127.0.0.1",
      "cert-dir": certDir,
      "client-ca-file": join(certDir, "client-cert-auth-ca.crt"),
      "disable-admission-plugins": "ServiceAccount",
      "etcd-servers": etcdUrl,
      "secure-port": String(securePort),
      "service-account-issuer": `${server}/`,
      "service-account-key-file": join(certDir, "sa-signer.crt"),
      "service-account-signing-key-file": join(certDir, "sa-signer.key"),
      "service-cluster-ip-range": "10.0.0.0/24",
    });
    await untilOk(`${server}/healthz`, apiserver);
    client = as("admin", ["system:masters"]);
    await until(async () =>
      (await client.core.v1.namespaces().list()).items.some((n) => n.metadata?.name === "default"),
    );
  }, 120_000);

  afterAll(async () => {
    for (const connected of clients) await connected.close();
    for (const program of started) if (program.exitCode === null) program.kill("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  });

  it("shows the flags that envtest looks for in --help, and not the one that 1.24 removed", async () => {
    const help = async (name: string): Promise<string> => (await runProgram(join(assets, name), ["--help"])).stdout;
    expect(await help("etcd")).toMatch(/^\s*--unsafe-no-fsync\b/m);
    expect(await help("kube-apiserver")).toMatch(/^\s*--cert-dir\b/m);
    expect(await help("kube-apiserver")).not.toMatch(/^\s*--(insecure-port|data-dir|storage)\b/m);
  });

  it("knows users by certificates of the client authority, and lets RBAC decide", async () => {
    const review = await client.authentication.v1.selfsubjectreviews().create({});
    expect(review.status?.userInfo?.username).toBe("admin");
    await expect(as("nobody", []).core.v1.namespaces().list()).rejects.toThrow(/User "nobody" cannot list/);
  });

  it("leaves no keys on disk while it serves, so that SIGKILL leaves none either", () =>
    expect(readdirSync(temporary, { recursive: true })).toEqual([]));

  it("empties and removes a deleted namespace", async () => {
    await client.core.v1.namespaces().create({ metadata: { name: "passing" } });
    await client.core.v1.configmaps("passing").create({ metadata: { name: "inside" } });
    await client.core.v1.namespaces().delete("passing");
    await until(
      async () => !(await client.core.v1.namespaces().list()).items.some((n) => n.metadata?.name === "passing"),
    );
    expect((await client.core.v1.configmaps("passing").list()).items).toEqual([]);
  });

  it("collects a ConfigMap whose owner is deleted", async () => {
    const maps = client.core.v1.configmaps("default");
    const owner = await maps.create({ metadata: { name: "owner" } });
    const reference = { apiVersion: "v1", kind: "ConfigMap", name: "owner", uid: owner.metadata?.uid ?? "" };
    await maps.create({ metadata: { name: "owned", ownerReferences: [reference] } });
    await maps.delete("owner");
    await until(async () => !(await maps.list()).items.some((map) => map.metadata?.name === "owned"));
  });

  it("makes service accounts, whose tokens are signed by the key of the certificate directory", async () => {
    await until(async () => (await client.core.v1.serviceaccounts("default").list()).items.length === 1);
    const secrets = client.core.v1.secrets("default");
    const annotations = { "kubernetes.io/service-account.name": "default" };
    await secrets.create({ metadata: { name: "token", annotations }, type: "kubernetes.io/service-account-token" });
    await until(async () => (await secrets.get("token")).data?.["token"] !== undefined);
    const token = Buffer.from((await secrets.get("token")).data?.["token"] ?? "", "base64").toString();
    const review = await client.authentication.v1.tokenreviews().create({ spec: { token } });
    expect(review.status?.user?.username).toBe("system:serviceaccount:default:default");
  });

  it("leaves Deployments to the test, which sets their status", async () => {
    const labels = { app: "web" };
    const deployments = client.apps.v1.deployments("default");
    await deployments.create({
      metadata: { name: "web" },
      spec: {
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [{ name: "web", image: "web" }] } },
      },
    });
    expect((await client.apps.v1.replicasets("default").list()).items).toEqual([]);
    expect((await deployments.get("web")).status?.observedGeneration).toBeUndefined();
  });

  const refused = [
    { name: "kube-apiserver", args: ["--no-such-flag=1"], code: 1, text: "Error: unknown flag: --no-such-flag\n" },
    { name: "kube-apiserver", args: ["--data-dir=/x"], code: 1, text: "Error: unknown flag: --data-dir\n" },
    { name: "kube-apiserver", args: ["--secure-port=0"], code: 1, text: "Error: --etcd-servers must be specified\n" },
    { name: "etcd", args: ["-no-such-flag"], code: 2, text: "etcd: flag provided but not defined: -no-such-flag\n" },
    { name: "etcd", args: ["--listen-client-urls=https://a:1"], code: 2, text: /^etcd: --listen-client-urls must be/ },
  ];
  for (const { name, args, code, text } of refused)
    it(`${name} refuses ${args.join(" ")}`, async () => {
      const result = await runProgram(join(assets, name), args, { env });
      expect(result.code).toBe(code);
      if (typeof text === "string") expect(result.stderr).toBe(text);
      else expect(result.stderr).toMatch(text);
    });

  it("kubectl is the installed one, also with the directory in front of PATH", async () => {
    const bin = join(folder, "bin");
    mkdirSync(bin);
    writeFileSync(join(bin, "kubectl"), '#!/bin/sh\necho "installed $*"\n');
    chmodSync(join(bin, "kubectl"), 0o755);
    const run = (path: string) => runProgram(join(assets, "kubectl"), ["get", "a b"], { env: { PATH: path } });
    expect((await run(`${assets}:${bin}`)).stdout).toBe("installed get a b\n");
    expect(await run(assets)).toMatchObject({ code: 127, stderr: expect.stringContaining("no kubectl in PATH") });
  });

  it("SIGTERM ends both, also while a client watches, and nothing is left in the temporary directory", async () => {
    const stream = await client.core.v1.configmaps("default").watch();
    const watched = (async () => {
      for await (const _ of stream);
    })().catch(() => undefined); // how a watch ends with its server is tested elsewhere
    const [etcd, apiserver] = started;
    expect(await endOf(apiserver!)).toBe(0);
    expect(await endOf(etcd!)).toBe(0);
    await watched;
    expect(readdirSync(temporary)).toEqual([]);
    expect(existsSync(join(certDir, "apiserver.crt"))).toBe(true);
  });
});
