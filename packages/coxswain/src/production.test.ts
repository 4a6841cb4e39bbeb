import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { request } from "node:https";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { type ConnectedClient, connect, loadKubeconfig } from "@coxswain/client/node";
import { findKubectl, kubectlMinors, ownLauncher, runProgram } from "@coxswain/tools/clients";
import { describeWith } from "@coxswain/tools/needs";
import { afterAll, beforeAll, expect, it } from "vitest";
import { builtEtcd, hasEtcd } from "./testing/etcd-process.js";

const etcd = hasEtcd(builtEtcd) ? builtEtcd : hasEtcd() ? "etcd" : undefined;
const kubectl = findKubectl(kubectlMinors().at(-1) ?? "");
const need = {
  found: process.platform === "linux" && etcd !== undefined && kubectl !== undefined && { etcd, kubectl },
  missing: "etcd (apt-get install etcd-server, or npm run bench once), kubectl, and Linux",
  timeout: 300_000,
};

/** The commands of docs/production.md, block by block. */
const [
  etcds = "",
  apiServers = "",
  balancer = "",
  managers = "",
  nodes = "",
  look = "",
  lose = "",
  scrape = "",
  further = "",
  restore = "",
] = [
  ...readFileSync(fileURLToPath(new URL("../../../docs/production.md", import.meta.url)), "utf8").matchAll(
    /```sh\n(.*?)```/gs,
  ),
].map(([, commands = ""]) => commands);

describeWith("docs/production.md", need, (found) => {
  const folder = mkdtempSync(join(tmpdir(), "coxswain-production-"));
  const work = join(folder, "work");
  // Addresses that nobody else on this machine is likely to use.
  const network = `127.${100 + (process.pid % 100)}.${(process.pid >> 7) % 250}`;
  const clients: ConnectedClient[] = [];
  const pids = (pattern: RegExp): number[] =>
    (existsSync(work) ? (readdirSync(work, { recursive: true }) as string[]) : [])
      .filter((file) => pattern.test(file))
      .map((file) => Number(readFileSync(join(work, file), "utf8")));

  async function run(commands: string): Promise<string> {
    const { code, stdout, stderr } = await runProgram("bash", ["-e"], {
      input: commands.replaceAll("127.0.1.", `${network}.`),
      cwd: work,
      env: {
        PATH: [join(folder, "bin"), process.env["PATH"] ?? ""].join(delimiter),
        KUBECONFIG: join(work, "admin.kubeconfig"),
        HOME: folder,
      },
    });
    if (code !== 0) throw new Error(`a command failed (${code}): ${stderr}\n${stdout}\n${commands}`);
    return stdout;
  }
  /** A client of one API server, or of the load balancer (4). */
  function clientOf(machine: number): ConnectedClient {
    const config = loadKubeconfig({ path: join(work, "admin.kubeconfig") });
    const client = connect({ ...config, server: `https://${network}.${machine}:6443` });
    clients.push(client);
    return client;
  }
  /** Which of the processes behind these addresses hold the lease, by their own metrics; undefined: nobody answers there. */
  const leads = (machine: number, port: number): Promise<boolean | undefined> =>
    new Promise((resolve) => {
      const pki = (file: string): Buffer => readFileSync(join(work, "machine-2/pki", file));
      const asked = request(
        {
          host: `${network}.${machine}`,
          port,
          path: "/metrics",
          rejectUnauthorized: false,
          cert: pki("admin.crt"),
          key: pki("admin.key"),
        },
        (answer) => {
          let text = "";
          answer.on("data", (chunk) => (text += String(chunk)));
          answer.on("end", () => resolve(/^leader_election_master_status\{.*\} 1$/m.test(text)));
        },
      );
      asked.on("error", () => resolve(undefined));
      asked.end();
    });
  const leaders = async (port: number): Promise<(boolean | undefined)[]> => [
    await leads(1, port),
    await leads(2, port),
  ];
  const componentPorts = [10_257, 10_259];
  async function until(holds: () => Promise<boolean>): Promise<void> {
    while (!(await holds())) await sleep(100);
  }

  beforeAll(() => {
    mkdirSync(join(folder, "bin"), { recursive: true });
    mkdirSync(work);
    if (found.etcd !== "etcd") symlinkSync(found.etcd, join(folder, "bin/etcd"));
    symlinkSync(found.kubectl, join(folder, "bin/kubectl"));
    const command = join(folder, "bin/coxswain");
    writeFileSync(command, `#!/bin/sh\nexec "${process.execPath}" "${ownLauncher}" "$@"\n`);
    chmodSync(command, 0o755);
  });
  afterAll(async () => {
    for (const pid of pids(/\.pid$/)) {
      try {
        process.kill(pid, "SIGKILL");
      } catch {
        // it was killed before
      }
    }
    await Promise.all(clients.map((client) => client.close()));
    await sleep(200); // they may still write while they die
    rmSync(folder, { recursive: true, force: true });
  });

  it("starts a cluster of several processes in which one of each leads", async () => {
    await run(etcds + apiServers + balancer + managers + nodes);
    expect(await run(look)).toContain('deployment "web" successfully rolled out');
    for (const port of componentPorts) {
      await until(async () => (await leaders(port)).filter(Boolean).length === 1);
      expect((await leaders(port)).filter(Boolean)).toHaveLength(1);
    }
  });

  it("loses no acknowledged write and ends the rollout when a machine is killed", async () => {
    const kept: string[] = [];
    const over = new AbortController();
    const write = async (writer: number): Promise<void> => {
      const configMaps = clientOf(4).core.v1.configmaps("default");
      for (let index = 0; !over.signal.aborted; index++) {
        const name = `write-${writer}-${index}`;
        // What fails may have been written or not; what is acknowledged must be there.
        await configMaps.create({ metadata: { name } }).then(
          () => kept.push(name),
          () => sleep(20),
        );
      }
    };
    const writers = [0, 1, 2].map(write);
    await until(async () => kept.length > 20);
    const before = kept.length;
    expect(await run(lose)).toContain('deployment "web" successfully rolled out');
    expect(kept.length).toBeGreaterThan(before);
    over.abort();
    await Promise.all(writers);
    for (const machine of [2, 3]) {
      const there = new Set(
        (await clientOf(machine).core.v1.configmaps("default").list()).items.map(({ metadata }) => metadata?.name),
      );
      expect(kept.filter((name) => !there.has(name))).toEqual([]);
    }
    const pods = (await clientOf(3).core.v1.pods("default").list()).items;
    expect(pods.map(({ spec, status }) => [spec?.containers[0]?.image, status?.phase])).toEqual(
      Array.from({ length: 6 }, () => ["nginx:2", "Running"]),
    );
    for (const port of componentPorts) expect(await leaders(port)).toEqual([undefined, true]);
  });

  it("takes the machine back: it has what was written meanwhile, and the leaders stay", async () => {
    const onlyFirst = (commands: string): string => commands.replace(/for n in 1 [^;]*;/, "for n in 1;");
    const startFirst = apiServers.slice(0, apiServers.indexOf("until"));
    await run(`rm machine-1/kubeconfig machine-1/*.pid\n${onlyFirst(etcds)}${startFirst}`);
    await until(async () => existsSync(join(work, "machine-1/kubeconfig")));
    await run(onlyFirst(managers));
    const names = async (machine: number): Promise<string[]> =>
      (await clientOf(machine).core.v1.configmaps("default").list()).items.map(({ metadata }) => metadata?.name ?? "");
    expect(await names(1)).toEqual(await names(3));
    for (const port of componentPorts) {
      await until(async () => (await leads(1, port)) !== undefined);
      expect(await leaders(port)).toEqual([false, true]);
    }
    await run("kubectl scale deployment/web --replicas=4\nkubectl rollout status deployment/web");
  });

  it("is scraped with the token of a service account", async () => {
    await run(scrape);
    expect(readFileSync(join(work, "apiserver.metrics"), "utf8")).toContain("apiserver_request_total{");
    expect(readFileSync(join(work, "controller-manager.metrics"), "utf8")).toContain("leader_election_master_status{");
  });

  it("is joined by one more machine of the control plane, whose keys live two hours and are encrypted", async () => {
    const deletion = further.indexOf("kubectl delete");
    expect(await run(further.slice(0, deletion))).toContain("web");
    const secrets = clientOf(6).core.v1.secrets("kube-system");
    const { metadata, data = {} } = await secrets.get("kubeadm-certs");
    expect(Buffer.from(data["ca.key"] ?? "", "base64").toString("latin1")).not.toContain("PRIVATE");
    const owner = (await secrets.get(metadata?.ownerReferences?.[0]?.name ?? "")).data ?? {};
    const text = (key: string): string => Buffer.from(owner[key] ?? "", "base64").toString();
    expect(text("description")).toBe("Proxy for managing TTL for the kubeadm-certs secret");
    expect(Object.keys(owner).filter((key) => key.startsWith("usage-"))).toEqual([]);
    expect((Date.parse(text("expiration")) - Date.now()) / 3_600_000).toBeCloseTo(2, 0);
    await run(further.slice(deletion));
    const again = readFileSync(join(work, "join-command"), "utf8").trim();
    await expect(run(`${again} --data-dir machine-7`)).rejects.toThrow("the keys of the control plane are not there");
  });

  it("is restored from a backup", async () => {
    const definition = apiServers.slice(0, apiServers.indexOf("api_server 1"));
    expect(await run(definition + restore)).toContain("kept");
  });
});
