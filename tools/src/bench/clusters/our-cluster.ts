import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ownLauncher } from "../../clients/index.js";
import { serverNodeOptions } from "../../node-options.js";
import { freePorts, parseKubeconfig, startProcess } from "../../upstream/index.js";
import { residentBytes } from "../servers/resident-memory.js";
import type { BenchCluster } from "./bench-cluster.js";
import { cpuSeconds } from "./cpu-seconds.js";

/** `coxswain up` as `npm start` starts it, with its default store. */
export async function startOurCluster(nodes: number): Promise<BenchCluster> {
  const folder = await mkdtemp(join(tmpdir(), "coxswain-bench-up-"));
  const kubeconfig = join(folder, "kubeconfig");
  const [port] = await freePorts(1);
  const { NODE_EXTRA_CA_CERTS: _, ...env } = process.env;
  const beganMs = performance.now();
  const up = startProcess({
    name: "coxswain up",
    command: process.execPath,
    args: [
      ...serverNodeOptions(),
      ownLauncher,
      "up",
      `--data-dir=${join(folder, "data")}`,
      `--secure-port=${port}`,
      `--write-kubeconfig=${kubeconfig}`,
      `--nodes=${nodes}`,
    ],
    logFile: join(folder, "up.log"),
    env,
  });
  const stop = async (): Promise<void> => {
    await up.stop();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    // It appears when the cluster is ready, whole.
    await up.waitUntil(async () => existsSync(kubeconfig), { timeoutMs: 300_000, intervalMs: 5 });
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    access: parseKubeconfig(await readFile(kubeconfig, "utf8")),
    beganMs,
    residentBytes: () => residentBytes([up.pid]),
    cpuSeconds: () => cpuSeconds([up.pid]),
    stop,
  };
}
