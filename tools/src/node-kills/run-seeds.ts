import { setTimeout as sleep } from "node:timers/promises";
import { eventually } from "../churn/eventually.js";
import type { StartedNode } from "../nodes/index.js";
import type { Api } from "../proxy-bench/api.js";
import { findLeaks, type Leaks } from "./find-leaks.js";
import { type KillStep, type Population, planKills, type Victim } from "./plan-kills.js";
import { livesOn, podOf } from "./pod-shapes.js";
import type { RemainsReader } from "./read-remains.js";
import { isReady, Lives, type SeenPod } from "./watch-lives.js";

export interface RunSeedsOptions {
  readonly seeds: readonly number[];
  readonly pods: number;
  readonly api: Api;
  readonly node: Pick<StartedNode, "name" | "kubelet" | "containerd">;
  /** Of all containers. */
  readonly image: string;
  readonly remains: RemainsReader;
  print(line: string): void;
}

const path = "/api/v1/namespaces/default/pods";
/** On a busy machine fifty pods take minutes. */
const settleMs = 300_000;

/** What the runtime removes by itself is gone after this. */
const forgottenMs = 20_000;

/** As sentences. */
export interface SeedsResult {
  /** What was lost or left behind. */
  readonly problems: readonly string[];
  /** What the runtime has forgotten, and no kubelet can remove. */
  readonly forgotten: readonly string[];
}

export async function runSeeds(options: RunSeedsOptions): Promise<SeedsResult> {
  const { api, print, pods, remains } = options;
  await prepare(api);
  const problems: string[] = [];
  const forgotten = new Set<string>();
  const lives = new Lives();
  const listPods = async (): Promise<SeenPod[]> => ((await api.send("GET", path)) as { items: SeenPod[] }).items;
  const check = async (population: Population, when: string): Promise<void> => {
    let leaks: Leaks = { kubelet: [], runtime: [] };
    await eventually(
      async () => {
        const listed = await listPods();
        leaks = findLeaks(await remains.read(), new Set(listed.map(({ metadata }) => metadata.uid)));
        return whyUnsettled(listed, population) ?? (leaks.kubelet.length > 0 ? "leaks" : undefined);
      },
      { timeoutMs: settleMs, everyMs: 1000 },
    ).catch((error: Error) => {
      problems.push(...(error.message === "leaks" ? leaks.kubelet : [error.message]).map((text) => `${when}: ${text}`));
    });
    const before = forgotten.size;
    if (leaks.runtime.some((text) => !forgotten.has(text))) {
      await sleep(forgottenMs);
      const uids = new Set((await listPods()).map(({ metadata }) => metadata.uid));
      for (const text of findLeaks(await remains.read(), uids).runtime) forgotten.add(text);
    }
    for (const text of [...forgotten].slice(before)) print(`${when}: the runtime has forgotten ${text}`);
    for (const pod of await listPods()) if (livesOn(population.get(pod.metadata.name) ?? "short")) lives.look(pod);
    for (const text of lives.problems()) if (!problems.includes(text)) problems.push(text);
  };
  let population: Population = new Map();
  for (const seed of options.seeds) {
    const began = performance.now();
    const plan = planKills(seed, population, pods);
    const before = problems.length;
    // The kills meet pods that run.
    const first = plan.steps.findIndex((step) => step.do !== "create");
    for (const step of plan.steps.slice(0, first)) await perform(step, options);
    if (population.size === 0) await check(createdBy(plan.steps.slice(0, first)), `before seed ${seed}`);
    for (const step of plan.steps.slice(first)) await perform(step, options);
    population = plan.population;
    await check(population, `seed ${seed}`);
    const found = problems.slice(before);
    const seconds = ((performance.now() - began) / 1000).toFixed(0);
    print(
      `seed ${seed}: ${found.length === 0 ? "nothing lost, nothing left" : "FAILED"}, ${lives.size} containers followed (${seconds} s)`,
    );
    for (const text of found) print(`  ${text}`);
  }
  for (const name of population.keys()) await api.send("DELETE", `${path}/${name}`, {}).catch(ignoreMissing);
  const before = problems.length;
  await check(new Map(), "at the end");
  print(`at the end: ${problems.length === before ? "nothing left" : "FAILED"}`);
  for (const text of problems.slice(before)) print(`  ${text}`);
  return { problems, forgotten: [...forgotten] };
}

const createdBy = (steps: readonly KillStep[]): Population =>
  new Map(steps.flatMap((step) => (step.do === "create" ? [[step.name, step.shape] as const] : [])));

/** Why not all pods that are to be there are as they are to be; undefined: they are, and no others. */
function whyUnsettled(listed: readonly SeenPod[], population: Population): string | undefined {
  const names = new Set(listed.map(({ metadata }) => metadata.name));
  const missing = [...population.keys()].filter((name) => !names.has(name));
  const extra = [...names].filter((name) => !population.has(name));
  const late = listed.filter((pod) => livesOn(population.get(pod.metadata.name) ?? "short") && !isReady(pod));
  const parts = [
    ...(missing.length > 0 ? [`missing: ${missing.join(", ")}`] : []),
    ...(extra.length > 0 ? [`not gone: ${extra.join(", ")}`] : []),
    ...(late.length > 0 ? [`not ready: ${late.map(({ metadata }) => metadata.name).join(", ")}`] : []),
  ];
  return parts.length > 0 ? parts.join("; ") : undefined;
}

async function perform(step: KillStep, { api, node, image }: RunSeedsOptions): Promise<void> {
  const each = (victim: Victim): readonly ("kubelet" | "containerd")[] =>
    victim === "both" ? ["containerd", "kubelet"] : [victim];
  switch (step.do) {
    case "create":
      return void (await api.send("POST", path, podOf(step.name, step.shape, { nodeName: node.name, image })));
    case "delete": {
      const { graceSeconds: gracePeriodSeconds } = step;
      const body = gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds };
      return void (await api.send("DELETE", `${path}/${step.name}`, body).catch(ignoreMissing));
    }
    case "wait":
      return sleep(step.ms);
    case "kill":
      for (const program of each(step.victim)) await node[program].kill();
      return;
    case "start":
      for (const program of each(step.victim)) await node[program].start();
  }
}

function ignoreMissing(error: unknown): void {
  if (!(error as Error).message.includes(": 404 ")) throw error;
}

/** What the pods refer to. */
async function prepare(api: Api): Promise<void> {
  const namespace = "/api/v1/namespaces/default";
  await api.send("POST", `${namespace}/configmaps`, { metadata: { name: "settings" }, data: { key: "value" } });
  await api.send("POST", `${namespace}/secrets`, { metadata: { name: "hidden" }, data: { key: "c2VjcmV0" } });
}
