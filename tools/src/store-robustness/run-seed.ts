import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { runProgram } from "../clients/run-program.js";
import { startOwnStore } from "../conformance/own-store.js";
import type { EtcdServer } from "../upstream/index.js";
import type { Fault, RunPlan } from "./plan-run.js";
import { makeSmallDisk, type SmallDisk } from "./small-disk.js";
import { type RunningTraffic, startTraffic } from "./start-traffic.js";
import { StoreLog } from "./store-log.js";

/** What etcd's validators found, and what they looked at. */
export interface Verdict {
  readonly counts: Readonly<Record<string, number>>;
  /** Their words; undefined: accepted. */
  readonly problem: string | undefined;
}

/** Of traffic at the end, after the last fault. */
const afterMs = 1000;

/** The store with all that a run does to it. */
class StoreUnderFaults {
  readonly log: StoreLog;
  readonly #folder: string;
  readonly #disk: SmallDisk;
  readonly #compacts: boolean;
  #store: EtcdServer | undefined;

  constructor(folder: string, disk: SmallDisk, { compacts }: RunPlan) {
    this.#folder = folder;
    this.#disk = disk;
    this.#compacts = compacts;
    this.log = new StoreLog(join(disk.folder, "data"));
  }

  async start(): Promise<EtcdServer> {
    this.#store = await startOwnStore({ folder: this.#folder, dataDir: join(this.#disk.folder, "data") });
    return this.#store;
  }

  stop = async (): Promise<void> => this.#store?.stop();

  async inject({ kind, lastsMs }: Fault, traffic: RunningTraffic): Promise<void> {
    const pid = this.#store?.pid ?? -1;
    if (kind === "full" || kind === "kill-full") this.#disk.fill();
    if (kind === "pause") process.kill(pid, "SIGSTOP");
    if (kind === "kill") process.kill(pid, "SIGKILL");
    if (kind === "stop") await this.stop();
    await sleep(lastsMs);
    if (kind === "kill-full") process.kill(pid, "SIGKILL");
    if (kind === "full" || kind === "kill-full") this.#disk.free();
    if (kind === "pause") process.kill(pid, "SIGCONT");
    if (kind === "full" || kind === "pause") return;
    await this.stop();
    if (this.#compacts) await this.log.readOn();
    await this.start();
    if (this.#compacts) traffic.allowCompaction(this.log.revision);
  }
}

/** Who decides, and how long that may take. */
export interface Validators {
  readonly program: string;
  readonly minutes: number;
}

/** One run: traffic with the faults of the plan, then the verdict. */
export async function runSeed(validators: Validators, plan: RunPlan, folder: string): Promise<Verdict> {
  mkdirSync(folder);
  const disk = makeSmallDisk(join(folder, "disk"));
  const store = new StoreUnderFaults(folder, disk, plan);
  const report = join(folder, "report");
  let traffic: RunningTraffic | undefined;
  try {
    const { url } = await store.start();
    traffic = await startTraffic({
      program: validators.program,
      endpoint: url,
      traffic: plan.traffic,
      seed: plan.seed,
      report,
    });
    for (const fault of plan.faults) {
      await sleep(fault.afterMs);
      await store.inject(fault, traffic);
    }
    await sleep(afterMs);
    await traffic.finish();
    await store.stop();
    await store.log.readOn();
  } finally {
    traffic?.kill();
    await store.stop();
    disk.remove();
  }
  const log = join(folder, "log.json");
  writeFileSync(log, JSON.stringify(store.log));
  return validate(validators, plan, report, log);
}

async function validate(
  { program, minutes }: Validators,
  { traffic }: RunPlan,
  report: string,
  log: string,
): Promise<Verdict> {
  const args = ["validate", "--report", report, "--log", log, "--traffic", traffic, "--timeout", `${minutes}m`];
  const { code, stdout, stderr } = await runProgram(program, args);
  const counts = /^\{.*\}$/m.exec(stdout)?.[0];
  return {
    counts: counts === undefined ? {} : (JSON.parse(counts) as Record<string, number>),
    problem: code === 0 ? undefined : `${stderr}${stdout}`.trim().slice(0, 4000),
  };
}
