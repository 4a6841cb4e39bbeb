import type { Runtime } from "@coxswain/runtime";
import type { NodeInfo } from "../cache/node-info.js";
import type { Extender } from "../extender/extender.js";
import { filterByExtenders } from "../extender/run-extenders.js";
import type { Cycle } from "../framework/cycle.js";
import { addPluginStatus, createDiagnosis, type Diagnosis } from "../framework/diagnosis.js";
import { type ExtensionPointTimer, noTimer } from "../framework/extension-point-timer.js";
import type { NodeFilters } from "../framework/plugin.js";
import type { Profile } from "../framework/profile.js";
import { goList, runPreFilters } from "../framework/run-pre-filters.js";
import { isRejected, messageOf, type Status, unresolvable } from "../framework/status.js";

export interface FindFeasibleOptions {
  /** Where among the nodes of the snapshot to begin. */
  readonly startIndex: number;
  /** In percent of all nodes; 0: by the size of the cluster. */
  readonly percentageOfNodesToScore: number;
  readonly extenders: readonly Extender[];
  readonly runtime: Runtime;
  /** @default nothing is measured */
  readonly timer?: ExtensionPointTimer;
}

export interface Feasibility {
  /** The nodes that passed: all, or enough of them. */
  readonly nodes: readonly NodeInfo[];
  readonly diagnosis: Diagnosis;
  readonly filters: NodeFilters;
  /** How many nodes were tried: the next pod begins behind them. */
  readonly tried: number;
  /** What went wrong; then the nodes' results are not valid. */
  readonly failure?: Status;
}

/** What filtering or scoring a node costs. */
export const microsPerCheck = 5;

/** The nodes that a pod can run on. Pure, but for the event loop that it leaves to others now and then. */
export async function findFeasible(profile: Profile, cycle: Cycle, options: FindFeasibleOptions): Promise<Feasibility> {
  const { snapshot, pod } = cycle;
  const { timer = noTimer } = options;
  const began = timer.now();
  const diagnosis = createDiagnosis();
  const { status, nodeNames, pluginsWithNodes, filters } = runPreFilters(profile, cycle);
  timer.observe("PreFilter", began, status);
  for (const plugin of pluginsWithNodes) diagnosis.unschedulablePlugins.add(plugin);
  const none = { nodes: [], diagnosis, filters, tried: 0 };
  if (status !== undefined) {
    if (!isRejected(status)) return { ...none, failure: status };
    diagnosis.statuses.setAbsent(status);
    diagnosis.preFilterMessage = messageOf(status);
    addPluginStatus(diagnosis, status);
    return none;
  }
  const search = { profile, cycle, filters, diagnosis, options };
  const nominated = pod.pod.status?.nominatedNodeName;
  const first = nominated ? snapshot.get(nominated) : undefined;
  if (first !== undefined) {
    // What goes wrong here goes wrong again below, where it is reported.
    const found = await passingNodes([first], search);
    if (found.failure === undefined && found.nodes.length > 0) return { ...none, nodes: found.nodes };
  }
  let candidates: readonly NodeInfo[] = snapshot.nodes;
  if (nodeNames !== undefined) {
    candidates = [...nodeNames].map((name) => snapshot.get(name)).filter((info) => info !== undefined);
    diagnosis.statuses.setAbsent(unresolvable("", `node(s) didn't satisfy plugin(s) ${goList(pluginsWithNodes)}`));
  }
  const filtering = timer.now();
  const { tried, ...found } = await passingNodes(candidates, search);
  timer.observe("Filter", filtering, found.failure);
  return { ...none, ...found, tried };
}

interface Search {
  readonly profile: Profile;
  readonly cycle: Cycle;
  readonly filters: NodeFilters;
  readonly diagnosis: Diagnosis;
  readonly options: FindFeasibleOptions;
}

interface Passed {
  readonly nodes: readonly NodeInfo[];
  readonly tried: number;
  readonly failure?: Status;
}

async function passingNodes(candidates: readonly NodeInfo[], search: Search): Promise<Passed> {
  const { cycle, filters, diagnosis, options } = search;
  const wanted = enough(search, candidates.length);
  const nodes: NodeInfo[] = [];
  for (let at = 0; at < candidates.length && nodes.length < wanted; at++) {
    const node = candidates[(options.startIndex + at) % candidates.length] as NodeInfo;
    const status = filters.checkWithNominated(node);
    if (status === undefined) nodes.push(node);
    else if (status.code === "Error") return { nodes, tried: 0, failure: status };
    else {
      diagnosis.statuses.set(node.name, status);
      addPluginStatus(diagnosis, status);
    }
    const pause = options.runtime.scheduler.yield(microsPerCheck);
    if (pause) await pause;
  }
  const tried = nodes.length + diagnosis.statuses.size;
  if (options.extenders.length === 0) return { nodes, tried };
  const { failure, nodes: left } = await filterByExtenders(options.extenders, cycle.pod.pod, nodes, diagnosis.statuses);
  if (failure) return { nodes: [], tried, failure };
  if (left.length !== nodes.length) diagnosis.unschedulablePlugins.add("Extender");
  return { nodes: left, tried };
}

function enough({ profile, options }: Search, nodeCount: number): number {
  const scored = profile.plugins.score.length > 0 || options.extenders.some(({ prioritizes }) => prioritizes);
  if (!scored && !options.extenders.some(({ filters }) => filters)) return 1;
  return feasibleNodesToFind(profile.percentageOfNodesToScore ?? options.percentageOfNodesToScore, nodeCount);
}

/** Upstream's numbers (pkg/scheduler/schedule_one.go, minFeasibleNodesToFind). */
const minFeasibleNodes = 100;
const minPercentage = 5;

/** How many nodes that pass are enough: a large cluster is not scored in full. */
export function feasibleNodesToFind(percentageOfNodesToScore: number, nodeCount: number): number {
  if (nodeCount < minFeasibleNodes) return nodeCount;
  const percentage = percentageOfNodesToScore || Math.max(50 - Math.trunc(nodeCount / 125), minPercentage);
  return Math.max(Math.trunc((nodeCount * percentage) / 100), minFeasibleNodes);
}
