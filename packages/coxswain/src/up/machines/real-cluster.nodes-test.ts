import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Node, Pod, PodSpec } from "@coxswain/api/core/v1";
import type { DeepReadonly } from "@coxswain/api/types";
import { type ConnectedClient, connect, loadConfig } from "@coxswain/client/node";
import { podLogLines } from "@coxswain/client/pods";
import { waitFor } from "@coxswain/client/wait";
import { systemClock } from "@coxswain/runtime/clock";
import { pollUntil } from "@coxswain/runtime/wait";
import { ownLauncher, runProgram } from "@coxswain/tools/clients";
import { busyboxRef } from "@coxswain/tools/images";
import {
  compareSnapshots,
  type MachineSnapshot,
  type OtherMachine,
  startOtherMachine,
  takeSnapshot,
  writeSmallImages,
} from "@coxswain/tools/nodes";
import { type Certificate, isSignedBy, readCertificates } from "@coxswain/wire/x509";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

let [home, folder] = ["", ""];
let before: MachineSnapshot;
let client: ConnectedClient;
let machines: OtherMachine[];

/** Answers what it prints. */
async function coxswain(...args: string[]): Promise<string> {
  const result = await runProgram(process.execPath, [ownLauncher, ...args], { env: { COXSWAIN_HOME: home } });
  if (result.code !== 0) throw new Error(`coxswain ${args.join(" ")}: ${result.stdout}${result.stderr}`);
  return result.stdout;
}

const up = (): Promise<string> =>
  coxswain("up", "--runtime=containerd", "--nodes=2", "--bind-address=0.0.0.0", "--detach", "--console=false");

const pods = () => client.core.v1.pods("default");
const timeoutMs = 60_000;

/** A pod that runs a script to its end. Resolves when it ended well; rejects with the pod when it did not. */
async function runScript(name: string, script: string, more: Partial<PodSpec> = {}): Promise<void> {
  const container = { name: "c", image: busyboxRef, command: ["sh", "-c", script] };
  const spec: PodSpec = { restartPolicy: "Never", terminationGracePeriodSeconds: 0, containers: [container], ...more };
  await pods().create({ metadata: { name }, spec });
  const phases = ["Succeeded", "Failed"];
  const ended = await waitFor<Pod>(pods(), name, (pod) => phases.includes(pod?.status?.phase ?? ""), { timeoutMs });
  if (ended?.status?.phase !== "Succeeded") throw new Error(`the pod ${name} failed: ${await logOf(name)}`);
}

type Conditioned = DeepReadonly<Pod> | DeepReadonly<Node> | undefined;

/** A static busybox has no resolver in its libc, and its wget crashes for want of one. */
const get = (address: string): string => `printf 'GET / HTTP/1.0\\r\\n\\r\\n' | nc -w 20 ${address} 80 | grep .`;

async function logOf(pod: string): Promise<string> {
  const lines: string[] = [];
  for await (const line of podLogLines(client, { namespace: "default", pod })) lines.push(line);
  return lines.join("\n");
}

const isReady = (object: Conditioned): boolean =>
  (object?.status?.conditions ?? []).some(({ type, status }) => type === "Ready" && status === "True");

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "real-cluster-"));
  folder = await mkdtemp(join(tmpdir(), "real-machines-"));
  await runProgram("ip", ["link", "set", "lo", "up"]); // as on every machine
  // Before the cluster: it is reached at an address that it finds.
  machines = await Promise.all(
    ["192.0.2", "198.51.100"].map((network, at) => startOtherMachine({ name: `joined-${at}`, network, folder })),
  );
  before = await takeSnapshot(home);
  await up();
  client = connect(loadConfig({ path: join(home, "default", "kubeconfig") }));
  await coxswain("image", "load", await writeSmallImages(folder));
});
afterAll(async () => {
  await client?.close();
  for (const path of [home, folder]) await rm(path, { recursive: true, force: true });
});

describe("up --runtime containerd", () => {
  it("serves a page on a claim of the default class through a service, with its data after a restart of the nodes", async () => {
    const labels = { app: "web" };
    const write = "date >> /data/index.html; exec httpd -f -p 80 -h /data";
    const container = {
      name: "c",
      image: busyboxRef,
      command: ["sh", "-c", write],
      volumeMounts: [{ name: "data", mountPath: "/data" }],
      readinessProbe: { httpGet: { port: 80 }, periodSeconds: 1 },
    };
    await client.core.v1.services("default").create({
      metadata: { name: "web" },
      spec: { selector: labels, ports: [{ port: 80 }] },
    });
    const claim = { accessModes: ["ReadWriteOnce" as const], resources: { requests: { storage: "1Mi" } } };
    await client.apps.v1.statefulsets("default").create({
      metadata: { name: "web" },
      spec: {
        serviceName: "web",
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { terminationGracePeriodSeconds: 0, containers: [container] } },
        volumeClaimTemplates: [{ metadata: { name: "data" }, spec: claim }],
      },
    });
    const web = await waitFor<Pod>(pods(), "web-0", isReady, { timeoutMs });
    const page = `nslookup -type=a web.default.svc.cluster.local && ${get("$WEB_SERVICE_HOST")}`;
    const other = web?.spec?.nodeName === "coxswain-1" ? "coxswain-2" : "coxswain-1";
    await runScript("ask", page, { nodeName: other });
    await coxswain("down");
    await up();
    await waitFor<Pod>(pods(), "web-0", (pod) => isReady(pod) && restarts(pod) > 0, { timeoutMs });
    await runScript("ask-again", `${page} | grep -c UTC | grep -qx 2`, { nodeName: other });
  });

  it("is joined by machines with their system's containerd: over routes, and over VXLAN where they share no link", async () => {
    const joining = (await coxswain("token", "create")).trim().split(" ").slice(1);
    await Promise.all(machines.map((machine) => joinBy(joining, machine)));
    for (const { name } of machines) await waitFor(client.core.v1.nodes(), name, isReady, { timeoutMs });
    const pages = await Promise.all(machines.map(({ name }) => serveOn(name)));
    await runScript("between-joined", get(pages[1] ?? ""), { nodeName: "joined-0" });
    await runScript("from-the-cluster", pages.map(get).join(" && "), { nodeName: "coxswain-1" });
    // The cluster names one of its addresses; who shares that link needs no tunnel to it.
    const routes = await Promise.all(machines.map((machine) => machine.run(["ip", "route", "show", "proto", "205"])));
    expect(routes.map((text) => (text.includes("dev eth0") ? "link" : "tunnel")).sort()).toEqual(["link", "tunnel"]);
  });

  it("has its authority replaced by overlap: its own nodes and those that joined follow, and pods start everywhere afterwards", async () => {
    const names = ["coxswain-1", "coxswain-2", ...machines.map(({ name }) => name)];
    await coxswain("certs", "rotate", "begin");
    await becomes(names, () => trusted(names), 2);
    await coxswain("certs", "rotate", "switch");
    const [, next] = await certificatesIn(fileOf("coxswain-1", "ca.crt", ""));
    await becomes(names, () => signedBy(names, next), true);
    await coxswain("certs", "rotate", "finish");
    await becomes(names, () => trusted(names), 1);
    await client.close();
    client = connect(loadConfig({ path: join(home, "default", "kubeconfig") }));
    await Promise.all(names.map((nodeName) => runScript(`rotated-${nodeName}`, "echo here", { nodeName })));
    // Kubelets know the API server's new certificate, too.
    expect(await Promise.all(names.map((name) => logOf(`rotated-${name}`)))).toEqual(names.map(() => "here"));
  });

  it("leaves the machine as it was after reset", async () => {
    await coxswain("reset", "--yes");
    for (const process of joined.splice(0)) await process.stop();
    for (const machine of machines) await machine.run([process.execPath, ownLauncher, "leave"]);
    expect(compareSnapshots(before, await takeSnapshot(home))).toEqual([]);
    expect(await readdir(home)).toEqual([]);
  });
});

const restarts = (pod: DeepReadonly<Pod> | undefined): number => pod?.status?.containerStatuses?.[0]?.restartCount ?? 0;

/** A pod with a page. Answers its address. */
async function serveOn(nodeName: string): Promise<string> {
  const container = { name: "c", image: busyboxRef, command: ["sh", "-c", "echo hello > index.html; httpd -f -p 80"] };
  const metadata = { name: `page-of-${nodeName}` };
  await pods().create({ metadata, spec: { nodeName, terminationGracePeriodSeconds: 0, containers: [container] } });
  const pod = await waitFor<Pod>(pods(), metadata.name, isReady, { timeoutMs });
  return pod?.status?.podIP ?? "";
}

const isOwn = (name: string): boolean => name.startsWith("coxswain-");
const fileOf = (name: string, own: string, joined: string): string =>
  isOwn(name) ? join(home, "default/machines", name, "etc", own) : join(folder, name, "var-lib/coxswain", joined);
const certificatesIn = async (file: string): Promise<readonly Certificate[]> =>
  readCertificates(await readFile(file, "utf8"));
/** How many authorities the nodes trust. */
const trusted = (names: readonly string[]): Promise<number[]> =>
  Promise.all(names.map(async (name) => (await certificatesIn(fileOf(name, "ca.crt", "ca.crt"))).length));

/** Whether the nodes' client certificates are. */
const signedBy = (names: readonly string[], authority: Certificate | undefined): Promise<boolean[]> =>
  Promise.all(
    names.map(async (name) => {
      const [leaf] = await certificatesIn(fileOf(name, "pki/node.crt", "pki/kubelet-client-current.pem"));
      return leaf !== undefined && authority !== undefined && isSignedBy(leaf, authority);
    }),
  );

/** Until it is so of all nodes; fails with those of which it is not, and their logs. */
async function becomes<T>(names: readonly string[], facts: () => Promise<T[]>, wanted: T): Promise<void> {
  let found: T[] = [];
  const isSo = async (): Promise<boolean> => (found = await facts()).every((fact) => fact === wanted);
  if (await pollUntil(isSo, { intervalMs: 200, timeoutMs, clock: systemClock })) return;
  const logs = await Promise.all(
    names.filter((_, at) => found[at] !== wanted).map((name) => readFile(logFileOf(name), "utf8")),
  );
  throw new Error(`${names.map((name, at) => `${name}: ${found[at]}`).join(", ")}\n${logs.join("\n")}`);
}

const logFileOf = (name: string): string =>
  isOwn(name) ? join(home, "default/machines", name, "logs/node.log") : join(folder, name, "node.log");

const joined: { stop(): Promise<unknown> }[] = [];

/** The printed command on another machine; the unit that it prints is run there, in control groups of the machine's own. */
async function joinBy(joining: readonly string[], machine: OtherMachine): Promise<void> {
  await machine.run(["ctr", "--namespace=k8s.io", "images", "import", join(folder, "images.tar")]);
  const unit = await machine.run([process.execPath, ownLauncher, ...joining, "--print-unit"]);
  const command = /^ExecStart=(.*)$/m.exec(unit)?.[1]?.split(" ") ?? [];
  const file = join(folder, machine.name, "var-lib/coxswain/kubelet.json");
  const config = JSON.parse(await readFile(file, "utf8")) as object;
  await writeFile(file, JSON.stringify({ ...config, cgroupRoot: machine.cgroupRoot }));
  joined.push(machine.start("node", command));
}
