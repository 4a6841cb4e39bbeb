import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { ownLauncher } from "../../clients/index.js";
import { serverNodeOptions } from "../../node-options.js";
import { freePorts, parseKubeconfig, startProcess } from "../../upstream/index.js";
import type { ProbeAnswer } from "../servers/probe.js";
import { residentBytes } from "../servers/resident-memory.js";
import type { StartOptions } from "../servers/server.js";
import { treeSeconds } from "../servers/tree-seconds.js";
import type { BenchCluster } from "./bench-cluster.js";

const probeModule = new URL("../servers/probe.js", import.meta.url).href;

export interface OurCluster extends BenchCluster {
  /** Delays of the event loop since the last time, and what is alive; of a cluster that was started `probed`. */
  probe(): Promise<ProbeAnswer>;
  readonly dataDir: string;
}

/** `coxswain up` as `npm start` starts it, with its default store. */
export async function startOurCluster(
  nodes: number,
  { probed = false, flags = [] }: StartOptions = {},
): Promise<OurCluster> {
  const folder = await mkdtemp(join(tmpdir(), "coxswain-bench-up-"));
  const kubeconfig = join(folder, "kubeconfig");
  const probeFile = join(folder, "probe.json");
  const [port] = await freePorts(1);
  const { NODE_EXTRA_CA_CERTS: _, ...env } = process.env;
  const beganMs = performance.now();
  const up = startProcess({
    name: "coxswain up",
    command: process.execPath,
    args: [
      ...serverNodeOptions(),
      ...(probed ? ["--expose-gc", "--import", probeModule] : []),
      ownLauncher,
      "up",
      `--data-dir=${join(folder, "data")}`,
      `--secure-port=${port}`,
      `--write-kubeconfig=${kubeconfig}`,
      `--nodes=${nodes}`,
      ...flags,
    ],
    logFile: join(folder, "up.log"),
    env: { ...env, ...(probed && { COXSWAIN_BENCH_PROBE: probeFile }) },
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
    dataDir: join(folder, "data"),
    residentBytes: () => residentBytes([up.pid]),
    cpuSeconds: () => treeSeconds(up.pid),
    async probe() {
      await rm(probeFile, { force: true });
      process.kill(up.pid, "SIGUSR2");
      while (!existsSync(probeFile)) await sleep(20);
      return JSON.parse(await readFile(probeFile, "utf8")) as ProbeAnswer;
    },
    stop,
  };
}
