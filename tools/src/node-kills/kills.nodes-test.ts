import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type CoxswainProcess, ownLauncher, startCoxswain } from "../clients/index.js";
import { busyboxRef } from "../images/index.js";
import { createRestartable, type Restartable, startTestMachine, type TestMachine } from "../nodes/index.js";
import { openApi } from "../proxy-bench/api.js";
import { startProcess } from "../upstream/index.js";
import { createRemainsReader } from "./read-remains.js";
import { runSeeds } from "./run-seeds.js";

/** A small slice; more of it by hand. */
const [seeds = 1, pods = 5] = (process.env["COXSWAIN_NODE_KILLS"] ?? "").split("/").filter(Boolean).map(Number);

let machine: TestMachine;
let server: CoxswainProcess;
let kubelet: Restartable;

beforeAll(async () => {
  machine = await startTestMachine();
  server = await startCoxswain({ dataDir: join(machine.folder, "data"), args: ["--storage=memory"] });
  const config = join(machine.folder, "kubelet.json");
  const content = {
    apiVersion: "kubelet.config.k8s.io/v1beta1",
    kind: "KubeletConfiguration",
    address: "127.0.0.1",
    cgroupDriver: "cgroupfs",
    cgroupRoot: machine.cgroupRoot,
    failSwapOn: false,
    failCgroupV1: false,
    evictionHard: { "memory.available": "1Mi" },
  };
  await writeFile(config, JSON.stringify(content));
  await mkdir("/var/lib/kubelet", { recursive: true });
  const flags = [
    `--config=${config}`,
    `--kubeconfig=${server.kubeconfig}`,
    "--hostname-override=node",
    "--node-ip=127.0.0.1",
    `--container-runtime-endpoint=${machine.endpoint}`,
  ];
  const args = [ownLauncher, "kubelet", ...flags];
  const logFile = process.env["COXSWAIN_KUBELET_LOG"] ?? join(machine.folder, "kubelet.log");
  kubelet = await createRestartable(async () =>
    startProcess({ name: "the kubelet", command: process.execPath, args, logFile }),
  );
});

afterAll(async () => {
  await kubelet?.stop();
  await server?.stop();
});

it("kill -9 of kubelet, containerd and both loses no container and leaves nothing behind", async () => {
  const api = openApi(server.kubeconfig);
  const { problems } = await runSeeds({
    seeds: Array.from({ length: seeds }, (_, i) => i + 1),
    pods,
    api,
    node: { name: "node", kubelet, containerd: machine.containerd },
    image: busyboxRef,
    remains: createRemainsReader({
      holder: process.pid,
      cgroups: machine.cgroups,
      ctr: "/usr/bin/ctr",
    }),
    print: (line) => void process.stdout.write(`${line}\n`),
  });
  api.close();
  expect(problems).toEqual([]);
}, 3_600_000);
