import { spawn } from "node:child_process";
import { openSync, readFileSync } from "node:fs";
import { get } from "node:http";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { cpuSeconds } from "../bench/servers/cpu-seconds.js";
import type { Api } from "./api.js";
import { moveService, serviceAddress } from "./services.js";

export interface ProxyFigures {
  /** From the start of the process until the rules of all services are in the kernel. */
  readonly startMs: number;
  /** What it reports for its first writing of rules (`sync_full_proxy_rules_duration_seconds`). */
  readonly firstSyncMs: number;
  /** Processor time of the process and of the programs that it ran, until then: what a machine with other work measures best. */
  readonly processorMs: number;
  /** From the answer to a changed endpoint until a connection reaches it; one for each try. */
  readonly changesMs: readonly number[];
  /** Resident memory after that. */
  readonly megabytes: number;
}

export interface ProxyUnderTest {
  readonly name: string;
  readonly command: readonly string[];
  readonly logFile: string;
}

/** Endpoints that changes move to; a server listens at each. */
export const reachable = ["10.250.0.1", "10.250.0.2"] as const;

/** Runs the proxy in this network namespace until everything is measured, and ends it. */
export async function measureProxy(
  { command: [program = "", ...args], logFile }: ProxyUnderTest,
  { api, changed }: { api: Api; changed: readonly number[] },
): Promise<ProxyFigures> {
  const log = openSync(logFile, "w");
  const start = performance.now();
  const child = spawn(program, args, { stdio: ["ignore", log, log] });
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  try {
    await until(async () => {
      if (child.exitCode !== null) throw new Error(`${program} ended; see ${logFile}`);
      return (await metric("kubeproxy_sync_proxy_rules_last_timestamp_seconds", 'ip_family="IPv4"')) > 0;
    }, 300_000);
    const startMs = performance.now() - start;
    const firstSyncMs =
      1000 * (await metric("kubeproxy_sync_full_proxy_rules_duration_seconds_sum", 'ip_family="IPv4"'));
    const processorMs = 1000 * cpuSeconds([child.pid ?? 0], { children: true });
    const changesMs: number[] = [];
    for (const service of changed) changesMs.push(await measureChange(api, service));
    return { startMs, firstSyncMs, processorMs, changesMs, megabytes: residentMegabytes(child.pid ?? 0) };
  } finally {
    child.kill("SIGTERM");
    await Promise.race([exited, sleep(10_000)]);
    child.kill("SIGKILL");
    await exited;
  }
}

/** One endpoint's change, and connections until one gets through. Before it, no connection to the service does. */
async function measureChange(api: Api, at: number): Promise<number> {
  await sleep(1_500); // behind the period in which only one transaction is written
  await moveService(api, at, reachable[at % reachable.length] ?? "");
  const start = performance.now();
  await until(() => isReached(serviceAddress(at)), 300_000, 5);
  return performance.now() - start;
}

const isReached = (address: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ host: address, port: 80 });
    const end = (is: boolean): void => {
      socket.destroy();
      resolve(is);
    };
    socket.setTimeout(50, () => end(false));
    socket.on("connect", () => end(true));
    socket.on("error", () => end(false));
  });

async function until(check: () => Promise<boolean>, timeoutMs: number, everyMs = 20): Promise<void> {
  const end = performance.now() + timeoutMs;
  while (!(await check())) {
    if (performance.now() > end) throw new Error("it took too long");
    await sleep(everyMs);
  }
}

/** The value of a metric of the proxy; 0 while it is not there. */
const metric = (name: string, labels: string): Promise<number> =>
  new Promise((resolve) => {
    get("http://127.0.0.1:10249/metrics", { agent: false }, (answer) => {
      let text = "";
      answer.on("data", (chunk) => (text += String(chunk)));
      answer.on("end", () => {
        const line = text.split("\n").find((one) => one.startsWith(name) && one.includes(labels));
        resolve(Number(line?.split(" ").at(-1) ?? 0));
      });
    }).on("error", () => resolve(0));
  });

const residentMegabytes = (pid: number): number =>
  Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024;
