import type { Runtime } from "@coxswain/runtime";
import type { Extender } from "../extender/extender.js";
import { addExtenderScores } from "../extender/run-extenders.js";
import type { Cycle } from "../framework/cycle.js";
import { type Diagnosis, fitMessage } from "../framework/diagnosis.js";
import { type ExtensionPointTimer, noTimer } from "../framework/extension-point-timer.js";
import type { Profile } from "../framework/profile.js";
import { runScores } from "../framework/run-scores.js";
import { errorStatus, messageOf, type Status } from "../framework/status.js";
import { choiceText } from "./choice-text.js";
import { type Feasibility, findFeasible, microsPerCheck } from "./find-feasible.js";
import { refusalText } from "./refusal-text.js";
import { clearNomination, failureOf, type ScheduleFailure } from "./schedule-result.js";
import { selectNode } from "./select-node.js";

export interface SchedulePodOptions {
  readonly startIndex: number;
  readonly percentageOfNodesToScore: number;
  readonly extenders: readonly Extender[];
  readonly runtime: Runtime;
  /** @default nothing is measured */
  readonly timer?: ExtensionPointTimer;
}

export type Placement =
  | { readonly kind: "node"; readonly nodeName: string; readonly tried: number }
  | { readonly kind: "failed"; readonly failure: ScheduleFailure; readonly tried: number };

/** Finds the best node for a pod, or returns why there is none and what PostFilter plugins made of it. */
export async function schedulePod(profile: Profile, cycle: Cycle, options: SchedulePodOptions): Promise<Placement> {
  if (cycle.snapshot.nodes.length === 0)
    return failed(0, {
      reason: "Unschedulable",
      message: "no nodes available to schedule pods",
      nomination: clearNomination,
    });
  const { runtime, timer = noTimer } = options;
  const found = await findFeasible(profile, cycle, options);
  const { nodes, tried, failure } = found;
  if (failure) return failed(tried, failureOf(failure));
  const [only] = nodes;
  if (only === undefined) return failed(tried, await postFilter(profile, cycle, { found, timer }));
  if (nodes.length === 1) {
    cycle.choice = "the only node that fits";
    return { kind: "node", nodeName: only.name, tried };
  }
  const scoring = timer.now();
  try {
    const { totals } = runScores(profile, cycle, nodes);
    timer.observe("Score", scoring);
    if (options.extenders.length > 0) await addExtenderScores(options.extenders, cycle.pod.pod, nodes, totals);
    const pause = runtime.scheduler.yield(nodes.length * microsPerCheck);
    if (pause) await pause;
    const best = nodes[selectNode(totals, runtime.random)] ?? only;
    cycle.choice = choiceText(nodes, totals);
    return { kind: "node", nodeName: best.name, tried };
  } catch (error) {
    return failed(tried, failureOf(errorStatus("", error)));
  }
}

const failed = (tried: number, failure: ScheduleFailure): Placement => ({ kind: "failed", failure, tried });

async function postFilter(
  profile: Profile,
  cycle: Cycle,
  { found, timer }: { readonly found: Feasibility; readonly timer: ExtensionPointTimer },
): Promise<ScheduleFailure> {
  const { diagnosis } = found;
  const began = timer.now();
  const { status, nominatedNode } = await runPostFilters(profile, cycle, found);
  timer.observe("PostFilter", began, status);
  if (status) diagnosis.postFilterMessage = messageOf(status);
  const withoutPlugins = profile.plugins.postFilter.length === 0;
  return {
    reason: "Unschedulable",
    message: fitMessage(diagnosis, cycle.snapshot.nodes.length),
    diagnosis,
    byNode: () => refusalText(diagnosis.statuses),
    nomination: withoutPlugins
      ? clearNomination
      : nominatedNode === undefined
        ? undefined
        : { nodeName: nominatedNode },
  };
}

/** The first that makes room, or the reasons of all together. */
async function runPostFilters(
  profile: Profile,
  cycle: Cycle,
  { diagnosis, filters }: { readonly diagnosis: Diagnosis; readonly filters: Feasibility["filters"] },
): Promise<{ readonly status: Status | undefined; readonly nominatedNode?: string }> {
  const reasons: string[] = [];
  let nominatedNode: string | undefined;
  for (const plugin of profile.plugins.postFilter) {
    const result = await plugin.postFilter?.(cycle, { statuses: diagnosis.statuses, filters });
    if (result === undefined) continue;
    if (result.status === undefined || result.status.code === "UnschedulableAndUnresolvable") return result;
    if (result.status.code === "Error") return { status: result.status };
    if (result.nominatedNode !== undefined) nominatedNode = result.nominatedNode;
    for (const reason of result.status.reasons) reasons.push(reason);
  }
  if (profile.plugins.postFilter.length === 0) return { status: undefined };
  return {
    status: { code: "Unschedulable", reasons, plugin: "" },
    ...(nominatedNode !== undefined && { nominatedNode }),
  };
}
