import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Api, connectApi } from "../clusters/api.js";
import { startOurCluster } from "../clusters/our-cluster.js";
import { deploy } from "../rows/cluster-work.js";
import { type HistoryFigure, middle } from "./figure.js";

const replicas = 1_000;
const changesPath = "/apis/history.coxswain.dev/v1alpha1/changes";
/** Longer than what was recorded waits to be written. */
const flushedMs = 5_000;

/**
 * From the command to a cluster that is ready, by turns with and without history. Processor time stands next to it: it is the same on a
 * machine on which others work.
 */
export async function measureStart(rounds: number): Promise<HistoryFigure[]> {
  const [on, off]: [number[], number[]] = [[], []];
  const [cpuOn, cpuOff]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round++)
    for (const history of round % 2 === 0 ? [true, false] : [false, true]) {
      const cluster = await startOurCluster(3, { flags: [`--history=${history}`] });
      (history ? on : off).push(performance.now() - cluster.beganMs);
      (history ? cpuOn : cpuOff).push(cluster.cpuSeconds() * 1000);
      await cluster.stop();
    }
  const later = middle(on) - middle(off);
  return [
    {
      what: "`up` is ready later with history",
      budget: "≤ 10 ms",
      measured: `${later.toFixed(0)} ms (${middle(on).toFixed(0)} and ${middle(off).toFixed(0)} ms; the fastest ${Math.min(...on).toFixed(0)} and ${Math.min(...off).toFixed(0)}); processor time ${middle(cpuOn).toFixed(0)} and ${middle(cpuOff).toFixed(0)} ms, least ${Math.min(...cpuOn).toFixed(0)} and ${Math.min(...cpuOff).toFixed(0)}`,
      isMet: later <= 10,
    },
  ];
}

/** A rollout of 1,000 pods: bytes of the chronicle's files for each change; then why those pods are there. */
export async function measureRollout(signal: AbortSignal): Promise<HistoryFigure[]> {
  const cluster = await startOurCluster(100);
  const api = connectApi(cluster.access, signal);
  try {
    await deploy(api, replicas);
    await sleep(flushedMs);
    const bytes = (): number => bytesBelow(join(cluster.dataDir, "history"));
    const [before, revision] = [bytes(), await newestRevision(api)];
    await rollOut(api);
    await sleep(flushedMs);
    const grown = bytes() - before;
    const changes = await changesSince(api, revision);
    const each = grown / changes;
    const why = await timeWhy(api);
    return [
      {
        what: "disk of a change, over a rollout of 1,000 pods",
        budget: "≤ 250 bytes",
        measured: `${each.toFixed(0)} bytes (${changes} changes, ${(grown / 1e6).toFixed(1)} MB)`,
        isMet: each <= 250,
      },
      {
        what: "`why` of a pod of that rollout",
        budget: "≤ 50 ms",
        measured: `${middle(why).toFixed(0)} ms in the median of ${why.length}, ${Math.max(...why).toFixed(0)} at most`,
        isMet: middle(why) <= 50,
      },
    ];
  } finally {
    api.close();
    await cluster.stop();
  }
}

const bytesBelow = (folder: string): number =>
  readdirSync(folder).reduce((sum, file) => sum + statSync(join(folder, file)).size, 0);

interface ChangeList {
  readonly metadata: { readonly resourceVersion: string; readonly continue?: string };
  readonly items: readonly { readonly revision: number }[];
}

const newestRevision = async (api: Api): Promise<number> =>
  Number(((await api.send("GET", `${changesPath}?limit=1`)).body as ChangeList).metadata.resourceVersion);

async function changesSince(api: Api, revision: number): Promise<number> {
  let count = 0;
  for (let next = ""; ; ) {
    const path = `${changesPath}?limit=2000${next === "" ? "" : `&continue=${encodeURIComponent(next)}`}`;
    const { items, metadata } = (await api.send("GET", path)).body as ChangeList;
    const later = items.filter((each) => each.revision > revision).length;
    count += later;
    next = metadata.continue ?? "";
    if (later < items.length || next === "") return count;
  }
}

async function rollOut(api: Api): Promise<void> {
  const path = "/apis/apps/v1/namespaces/default/deployments/web";
  const container = { name: "main", image: "nginx:2" };
  const patch = { spec: { template: { spec: { containers: [container] } } } };
  await api.send("PATCH", path, patch, "application/strategic-merge-patch+json");
  await api.until<{ status?: { updatedReplicas?: number; readyReplicas?: number; replicas?: number } }>(
    path,
    ({ status = {} }) =>
      [status.updatedReplicas, status.readyReplicas, status.replicas].every((each) => each === replicas),
    200,
  );
}

async function timeWhy(api: Api): Promise<number[]> {
  const { body } = await api.send("GET", "/api/v1/namespaces/default/pods?limit=20");
  const times: number[] = [];
  for (const { metadata } of (body as { items: { metadata: { name: string } }[] }).items) {
    const object = { apiVersion: "v1", kind: "Pod", namespace: "default", name: metadata.name };
    const began = performance.now();
    await api.create("/apis/history.coxswain.dev/v1alpha1/explanations", {
      apiVersion: "history.coxswain.dev/v1alpha1",
      kind: "Explanation",
      spec: { object },
    });
    times.push(performance.now() - began);
  }
  return times;
}
