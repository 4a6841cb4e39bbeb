import { type ChildProcess, spawn } from "node:child_process";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import type { PersistentVolumeClaim, Pod } from "@coxswain/api/core/v1";
import type { DeepReadonly } from "@coxswain/api/types";
import { type ConnectedClient, connect, loadKubeconfig } from "@coxswain/client/node";
import { waitFor } from "@coxswain/client/wait";
import { systemRuntime } from "@coxswain/runtime";
import { systemClock } from "@coxswain/runtime/clock";
import { pollUntil } from "@coxswain/runtime/wait";
import { type CoxswainProcess, ownLauncher, startCoxswain } from "@coxswain/tools/clients";
import { busyboxRef } from "@coxswain/tools/images";
import { startTestMachine, type TestMachine } from "@coxswain/tools/nodes";
import { cachedOwnProgram } from "@coxswain/tools/programs";
import { startProcess } from "@coxswain/tools/upstream";
import { afterAll, beforeAll, expect, it } from "vitest";
import { attachVolumes } from "./attach-volumes.test.support.js";
import { type CsiKill, type CsiKillPlan, driverCalls, planCsiKills } from "./plan-csi-kills.test.support.js";

const seeds = Number(process.env["COXSWAIN_CSI_KILLS"] ?? 1);
const rootDir = "/var/lib/kubelet";
const driver = "mock.csi.example.com";
const nodeName = "node";
/** Of each of the driver's calls: half of it before the driver acts, half of it before it answers. */
const callMs = 1000;
const timeoutMs = 120_000;

let machine: TestMachine;
let server: CoxswainProcess;
let client: ConnectedClient;
let kubelet: ReturnType<typeof startProcess>;
let attacher: { stop(): Promise<void> };
let mock: ChildProcess;
/** What the driver printed. */
const lines: string[] = [];
const problems: string[] = [];
const print = (line: string): void => void process.stdout.write(`${line}\n`);

function startKubelet(): void {
  const flags = [
    `--config=${join(machine.folder, "kubelet.json")}`,
    `--kubeconfig=${server.kubeconfig}`,
    `--hostname-override=${nodeName}`,
    "--node-ip=127.0.0.1",
    `--container-runtime-endpoint=${machine.endpoint}`,
  ];
  const logFile = process.env["COXSWAIN_KUBELET_LOG"] ?? join(machine.folder, "kubelet.log");
  const args = [ownLauncher, "kubelet", ...flags];
  kubelet = startProcess({ name: "the kubelet", command: process.execPath, args, logFile });
}

async function killKubelet(): Promise<void> {
  process.kill(kubelet.pid, "SIGKILL");
  await kubelet.ended;
}

beforeAll(async () => {
  machine = await startTestMachine();
  server = await startCoxswain({
    command: "up",
    dataDir: join(machine.folder, "data"),
    args: ["--nodes=0", "--in-memory", "--console=false"],
  });
  client = connect(loadKubeconfig({ path: server.kubeconfig }));
  // As a registrar that runs as a pod has it: by a hostPath of the type DirectoryOrCreate.
  await mkdir(join(rootDir, "plugins_registry"), { recursive: true });
  await writeFile(
    join(machine.folder, "kubelet.json"),
    JSON.stringify({
      apiVersion: "kubelet.config.k8s.io/v1beta1",
      kind: "KubeletConfiguration",
      address: "127.0.0.1",
      cgroupDriver: "cgroupfs",
      cgroupRoot: machine.cgroupRoot,
      failSwapOn: false,
      failCgroupV1: false,
      evictionHard: { "memory.available": "1Mi" },
    }),
  );
  const onError = (error: unknown): void => print(`the attacher: ${String(error)}`);
  attacher = attachVolumes(systemRuntime(), { client, driver, onError });
  await client.storage.v1.csidrivers().create({ metadata: { name: driver }, spec: { attachRequired: true } });
  await client.storage.v1
    .storageclasses()
    .create({ metadata: { name: "mock" }, provisioner: driver, allowVolumeExpansion: true });
  startKubelet();
  const args = ["--name", driver, "--attach-limit", "2", "--delay", `${callMs / 2}ms`];
  mock = spawn(cachedOwnProgram("csi-mock") ?? "", args, { stdio: ["ignore", "pipe", "inherit"] });
  createInterface({ input: mock.stdout as NodeJS.ReadableStream }).on("line", (line) => lines.push(line));
  await until("the driver is registered", () => lines.includes("registered true "));
}, timeoutMs);

afterAll(async () => {
  await attacher?.stop();
  await kubelet?.stop();
  mock?.kill("SIGTERM");
  await client?.close();
  await server?.stop();
}, timeoutMs);

async function until(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
  if (await pollUntil(async () => isSo(), { intervalMs: 20, timeoutMs, clock: systemClock })) return;
  const { items } = await client.core.v1.events("default").list();
  const events = items.slice(-10).map(({ message }) => message);
  throw new Error(`never: ${what}\n${JSON.stringify([lines.slice(-20), events], null, 1)}`);
}

const pods = () => client.core.v1.pods("default");
const claims = () => client.core.v1.persistentvolumeclaims("default");
const volumes = () => client.core.v1.persistentvolumes();
const isRunning = (pod: DeepReadonly<Pod> | undefined): boolean =>
  pod?.status?.containerStatuses?.[0]?.state?.running !== undefined;

/** The volume of a seed is one of the three that the driver begins with. */
async function createPod(name: string, handle: string): Promise<void> {
  const size = { storage: "1Gi" };
  await volumes().create({
    metadata: { name },
    spec: {
      accessModes: ["ReadWriteOnce"],
      capacity: size,
      storageClassName: "mock",
      persistentVolumeReclaimPolicy: "Retain",
      claimRef: { namespace: "default", name },
      csi: { driver, volumeHandle: handle, fsType: "ext4" },
    },
  });
  await claims().create({
    metadata: { name },
    spec: { accessModes: ["ReadWriteOnce"], resources: { requests: size }, volumeName: name, storageClassName: "mock" },
  });
  const script = "trap exit TERM; while :; do sleep 1; done";
  const volumeMounts = [{ name: "v", mountPath: "/v" }];
  await pods().create({
    metadata: { name },
    spec: {
      terminationGracePeriodSeconds: 1,
      containers: [{ name: "main", image: busyboxRef, command: ["sh", "-c", script], volumeMounts }],
      volumes: [{ name: "v", persistentVolumeClaim: { claimName: name } }],
    },
  });
}

/** Waits until the call has begun, kills the kubelet in the middle of it, and starts it again. */
async function killIn({ call, afterMs, awayMs }: CsiKill, from: number, meanwhile = async () => {}): Promise<void> {
  await until(`${call} has begun`, () => lines.slice(from).some((line) => line.startsWith(`began ${call} `)));
  await delay(afterMs);
  await killKubelet();
  await meanwhile();
  await delay(awayMs);
  startKubelet();
}

async function runSeed(seed: number, { kills, isForgotten }: CsiKillPlan): Promise<void> {
  const name = `seed-${seed}`;
  const handle = String(1 + (seed % 3));
  const from = lines.length;
  const [stage, publish, expand, unpublish, unstage] = kills as readonly [CsiKill, CsiKill, CsiKill, CsiKill, CsiKill];
  await createPod(name, handle);
  await killIn(stage, from);
  await killIn(publish, from);
  await waitFor<Pod>(pods(), name, isRunning, { timeoutMs });
  const { status } = await pods().get(name);
  const container = status?.containerStatuses?.[0]?.containerID;
  // As external-resizer does it, once the driver's controller has made the volume larger.
  await claims().patch(name, { merge: { spec: { resources: { requests: { storage: "2Gi" } } } } });
  await volumes().patch(name, { merge: { spec: { capacity: { storage: "2Gi" } } } });
  await killIn(expand, from, async () => {
    if (isForgotten) await pods().delete(name, { gracePeriodSeconds: 0 });
  });
  if (!isForgotten) {
    const grew = (claim: DeepReadonly<PersistentVolumeClaim> | undefined): boolean =>
      claim?.status?.capacity?.["storage"] === "2Gi";
    await waitFor<PersistentVolumeClaim>(claims(), name, grew, { timeoutMs });
    const after = (await pods().get(name)).status?.containerStatuses?.[0];
    if (after?.containerID !== container) problems.push(`${name}: the container was started anew`);
    await pods().delete(name);
  }
  await killIn(unpublish, from);
  await killIn(unstage, from);
  await until(`nothing is left of ${name}`, async () => (await whatIsLeft(name, lines.slice(from))).length === 0);
  await claims().delete(name);
  await volumes().delete(name);
}

/** As sentences. */
async function whatIsLeft(name: string, calls: readonly string[]): Promise<string[]> {
  const lastOf = (call: string): number =>
    calls.findLastIndex((line) => line.startsWith(`${call} `) && line.endsWith(" OK"));
  const left: string[] = [];
  if (lastOf("NodeUnpublishVolume") < lastOf("NodePublishVolume")) left.push("published by the driver");
  if (lastOf("NodeUnstageVolume") < lastOf("NodeStageVolume")) left.push("staged by the driver");
  const { items } = await client.storage.v1.volumeattachments().list();
  left.push(...items.map(({ metadata }) => `attachment ${metadata?.name}`));
  const { status } = await client.core.v1.nodes().get(nodeName);
  left.push(...(status?.volumesInUse ?? []).map((volume) => `in use ${volume}`));
  left.push(...(status?.volumesAttached ?? []).map((volume) => `attached ${volume.name}`));
  left.push(...(await readdir(join(rootDir, "plugins/kubernetes.io/csi", driver)).catch(() => [])));
  left.push(...(await readdir(join(rootDir, "pods"))).map((uid) => `directory of pod ${uid}`));
  const mounts = await readFile("/proc/self/mounts", "utf8");
  left.push(...mounts.split("\n").filter((line) => line.includes("kubernetes.io~csi")));
  const found = await pods().list({ fieldSelector: `metadata.name=${name}` });
  return [...left, ...found.items.map(() => `pod ${name}`)];
}

it(`in ${seeds} lives of a volume, each call was cut once, and nothing was left`, {
  timeout: (seeds + 1) * 300_000,
}, async () => {
  for (let seed = 1; seed <= seeds; seed++) {
    const plan = planCsiKills(seed, callMs);
    await runSeed(seed, plan);
    print(
      `seed ${seed}${plan.isForgotten ? ", forgotten" : ""}: ${plan.kills.map(({ call, afterMs }) => `${call} after ${afterMs} ms`).join(", ")}`,
    );
  }
  print(
    `${seeds * driverCalls.length} kills, ${lines.filter((line) => line.endsWith(" OK")).length} calls of the driver`,
  );
  expect(problems).toEqual([]);
});
