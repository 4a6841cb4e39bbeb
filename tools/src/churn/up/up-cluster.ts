import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { ProbeAnswer } from "../../bench/servers/probe.js";
import { type CoxswainProcess, runProgram, startCoxswain } from "../../clients/index.js";
import type { Cluster } from "../../kwok/cluster.js";
import { freePorts } from "../../upstream/index.js";

/** `coxswain up` as a process that may be killed and started again on its data. */
export interface UpCluster {
  readonly kubectl: Cluster["kubectl"];
  /** SIGKILL, then the same command again; resolves when the cluster is ready. */
  restart(): Promise<void>;
  /** Bytes that are alive after a collection. */
  liveBytes(): Promise<number>;
  /** Whether the process still runs. */
  readonly isRunning: boolean;
  /** What it has printed since it was started last. */
  output(): string;
  stop(): Promise<void>;
}

export interface UpOptions {
  /** For data; must exist. */
  readonly folder: string;
  readonly nodes: number;
  readonly kubectl: string;
  /** Whether `liveBytes` will be called; needs a build of these tools. @default false */
  readonly probed?: boolean;
  /** The launcher of another build. */
  readonly coxswain?: string | undefined;
}

const probe = new URL("../../bench/servers/probe.js", import.meta.url).href;

export async function startUp({ folder, nodes, kubectl, probed = false, coxswain }: UpOptions): Promise<UpCluster> {
  const [port = 0] = await freePorts(1);
  const probeFile = join(folder, "probe.json");
  let isRunning = false;
  const start = async (): Promise<CoxswainProcess> => {
    const started = await startCoxswain({
      command: "up",
      dataDir: join(folder, "data"),
      port,
      args: [`--nodes=${nodes}`],
      ...(probed && { nodeArgs: ["--expose-gc", "--import", probe], env: { COXSWAIN_BENCH_PROBE: probeFile } }),
      ...(coxswain === undefined ? {} : { launcher: coxswain }),
    });
    isRunning = true;
    void started.ended.then(() => (isRunning = false));
    return started;
  };
  let running = await start();
  const ask: Cluster["kubectl"] = async (args, input = "") => {
    const result = await runProgram(kubectl, ["--kubeconfig", running.kubeconfig, ...args], { input });
    if (result.code !== 0) throw new Error(`kubectl ${args.join(" ")}: ${result.stderr.trim()}`);
    return result.stdout;
  };
  return {
    kubectl: ask,
    async restart() {
      await running.stop("SIGKILL");
      running = await start();
    },
    async liveBytes() {
      rmSync(probeFile, { force: true });
      process.kill(running.pid, "SIGUSR2");
      while (!existsSync(probeFile)) await sleep(20);
      return (JSON.parse(readFileSync(probeFile, "utf8")) as ProbeAnswer).liveBytes;
    },
    get isRunning() {
      return isRunning;
    },
    output: () => running.output(),
    stop: async () => void (await running.stop()),
  };
}
