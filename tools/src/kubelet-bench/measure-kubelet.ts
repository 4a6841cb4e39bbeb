import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Api } from "../proxy-bench/api.js";
import { processUsage } from "./process-usage.js";
import type { PodWatch } from "./watch-pods.js";

export interface KubeletFigures {
  /** From the request that binds a pod to the event that it runs, one pod after the other, in milliseconds. */
  readonly startMs: readonly number[];
  readonly megabytes: number;
  /** Processor time at rest, in per cent of one. */
  readonly idlePercent: number;
  /** Many at once: until all run, and the kubelet's processor time for each. */
  readonly burst: { readonly ms: number; readonly cpuMsPerPod: number };
  /** Of our event loop meanwhile; undefined: upstream's kubelet has none. */
  readonly loopDelay: { readonly p99: number; readonly max: number } | undefined;
}

export interface MeasureOptions {
  readonly api: Api;
  readonly watch: PodWatch;
  readonly nodeName: string;
  /** Of the kubelet. */
  pid(): number;
  /** How many rest on the node; how many start at once. */
  readonly pods: number;
  readonly burst: number;
  readonly restSeconds: number;
  /** Where our processes write the delay of their event loops. */
  readonly loopFolder: string | undefined;
  print(line: string): void;
}

const path = "/api/v1/namespaces/default/pods";

export async function measureKubelet(options: MeasureOptions): Promise<KubeletFigures> {
  const { watch, pods, burst, restSeconds, loopFolder, print } = options;
  const [first = "", ...names] = Array.from({ length: pods + 1 }, (_, at) => `rest-${at}`);
  await start(options, first); // its image is pulled
  await remove(options, [first]);
  const startMs: number[] = [];
  for (const name of names) startMs.push(await start(options, name));
  print(`  ${names.length} pods run`);
  await sleep(15_000);
  const before = await processUsage(options.pid());
  await sleep(restSeconds * 1000);
  const after = await processUsage(options.pid());
  const idlePercent = ((after.seconds - before.seconds) / restSeconds) * 100;
  await remove(options, names);
  if (loopFolder !== undefined) await writeFile(join(loopFolder, "mark"), "");
  await sleep(1000);
  const many = Array.from({ length: burst }, (_, at) => `burst-${at}`);
  const [cpu, began] = [(await processUsage(options.pid())).seconds, performance.now()];
  await Promise.all(many.map((name) => create(options, name)));
  await Promise.all(many.map((name) => watch.until(name, "Running")));
  const ms = performance.now() - began;
  await sleep(1000);
  const cpuMs = ((await processUsage(options.pid())).seconds - cpu) * 1000;
  const loopDelay = loopFolder === undefined ? undefined : await readDelay(loopFolder, options.pid());
  await remove(options, many);
  return {
    startMs,
    megabytes: after.megabytes,
    idlePercent,
    burst: { ms, cpuMsPerPod: cpuMs / burst },
    loopDelay,
  };
}

async function readDelay(folder: string, pid: number): Promise<{ p99: number; max: number }> {
  return JSON.parse(await readFile(join(folder, `${pid}.json`), "utf8")) as { p99: number; max: number };
}

async function start(options: MeasureOptions, name: string): Promise<number> {
  const began = performance.now();
  await create(options, name);
  return (await options.watch.until(name, "Running")) - began;
}

const create = ({ api, nodeName }: MeasureOptions, name: string): Promise<unknown> =>
  api.send("POST", path, {
    metadata: { name },
    spec: {
      nodeName,
      terminationGracePeriodSeconds: 0,
      containers: [
        {
          name: "main",
          image: "registry.k8s.io/e2e-test-images/busybox:1.37.0-1",
          command: ["sleep", "100000"],
        },
      ],
    },
  });

async function remove({ api, watch }: MeasureOptions, names: readonly string[]): Promise<void> {
  for (const name of names) await api.send("DELETE", `${path}/${name}`, {});
  await Promise.all(names.map((name) => watch.until(name, "gone")));
}
