import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { serverNodeOptions } from "../../node-options.js";
import type { ClusterAccess } from "../../upstream/index.js";
import { answersOk, freePorts, parseKubeconfig, startProcess } from "../../upstream/index.js";
import { cpuSeconds } from "./cpu-seconds.js";
import type { ProbeAnswer } from "./probe.js";
import { residentBytes } from "./resident-memory.js";
import type { BenchServer, StartOptions } from "./server.js";
import { firstPath } from "./server.js";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "../../../..");
const program = join(root, "packages/coxswain/bin/coxswain.js");

/** `coxswain apiserver` as `npm start` starts it, with its default store; certificates of its own making included in the start. */
export async function startOurs({ probed = false, flags = [] }: StartOptions = {}): Promise<BenchServer> {
  if (!existsSync(program))
    throw new Error(`${program} is not there; build first (npm run build), or use --upstream-only`);
  const folder = await mkdtemp(join(tmpdir(), "coxswain-bench-ours-"));
  const kubeconfigFile = join(folder, "kubeconfig");
  const [port] = await freePorts(1);
  // Reading a bundle of extra CAs costs Node tens of milliseconds at every start, and no connection here needs them.
  const { NODE_EXTRA_CA_CERTS: _, ...own } = process.env;
  const probeFile = join(folder, "probe.json");
  const env = probed ? { ...own, COXSWAIN_BENCH_PROBE: probeFile } : own;
  const began = performance.now();
  const server = startProcess({
    name: "coxswain apiserver",
    command: process.execPath,
    args: [
      ...serverNodeOptions(),
      ...(probed ? ["--expose-gc", "--import", new URL("probe.js", import.meta.url).href] : []),
      program,
      "apiserver",
      "--data-dir",
      join(folder, "data"),
      "--secure-port",
      String(port),
      "--write-kubeconfig",
      kubeconfigFile,
      // As upstream's: nobody makes the accounts of pods.
      "--disable-admission-plugins=ServiceAccount",
      ...flags,
    ],
    logFile: join(folder, "server.log"),
    env,
  });
  const stop = async (): Promise<void> => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  };
  let access: ClusterAccess | undefined;
  try {
    const answered = async (): Promise<boolean> => {
      access ??= await readAccess(kubeconfigFile);
      return access !== undefined && answersOk(access, firstPath);
    };
    await server.waitUntil(answered, { timeoutMs: 60_000, intervalMs: 5 });
  } catch (error) {
    await stop();
    throw error;
  }
  const startMs = performance.now() - began;
  const started = {
    access: access!,
    startMs,
    residentBytes: () => residentBytes([server.pid]),
    cpuSeconds: () => cpuSeconds([server.pid]),
    stop,
  };
  return probed ? { ...started, probe: () => askProbe(server.pid, probeFile) } : started;
}

async function askProbe(pid: number, file: string): Promise<ProbeAnswer> {
  await rm(file, { force: true });
  process.kill(pid, "SIGUSR2");
  for (let attempt = 0; attempt < 500; attempt++) {
    if (existsSync(file)) return JSON.parse(await readFile(file, "utf8")) as ProbeAnswer;
    await sleep(20);
  }
  throw new Error("the probe does not answer");
}

/** Undefined while the file is not there, or not there in full. */
async function readAccess(file: string): Promise<ClusterAccess | undefined> {
  try {
    return parseKubeconfig(await readFile(file, "utf8"));
  } catch {
    return undefined; // the caller asks again until the server is ready or its time is up
  }
}
