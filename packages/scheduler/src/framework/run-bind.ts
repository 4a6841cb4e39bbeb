import type { Cycle } from "./cycle.js";
import type { Plugin } from "./plugin.js";
import type { Profile } from "./profile.js";
import { pluginFailed } from "./run-reserve.js";
import { errorStatus, isRejected, type Status } from "./status.js";

/** What the PreBind plugins will do for a pod. */
export interface PreBindPlan {
  /** In order; those of one group run together. Empty: nothing will be done. */
  readonly groups: readonly (readonly Plugin[])[];
  readonly failure?: Status;
}

export function planPreBind(profile: Profile, cycle: Cycle, nodeName: string): PreBindPlan {
  const groups: Plugin[][] = [];
  let parallel: Plugin[] | undefined;
  for (const plugin of profile.plugins.preBind) {
    const result = plugin.preBindPreFlight?.(cycle, nodeName) ?? { kind: "work", parallel: false };
    if (result.kind === "failed")
      return {
        groups: [],
        failure: errorStatus(
          plugin.name,
          new Error(`running PreBindPreFlight "${plugin.name}": ${result.status.reasons.join(", ")}`),
        ),
      };
    if (result.kind === "skip") continue;
    if (!result.parallel) {
      groups.push([plugin]);
      parallel = undefined;
    } else if (parallel) parallel.push(plugin);
    else {
      parallel = [plugin];
      groups.push(parallel);
    }
  }
  return { groups };
}

export async function runPreBind(
  plan: PreBindPlan,
  cycle: Cycle,
  { nodeName, signal }: { nodeName: string; signal: AbortSignal },
): Promise<Status | undefined> {
  const run = async (plugin: Plugin): Promise<Status | undefined> => {
    const status = await plugin.preBind?.(cycle, nodeName, signal);
    if (status === undefined) return undefined;
    return isRejected(status) ? { ...status, plugin: plugin.name } : pluginFailed("PreBind", plugin.name, status);
  };
  for (const group of plan.groups) {
    const failure = (await Promise.all(group.map(run))).find((status) => status !== undefined);
    if (failure) return failure;
  }
  return undefined;
}

/** The first plugin that does not pass binds. */
export async function runBind(
  profile: Profile,
  cycle: Cycle,
  { nodeName, signal }: { nodeName: string; signal: AbortSignal },
): Promise<Status | undefined> {
  for (const plugin of profile.plugins.bind) {
    const status = await plugin.bind?.(cycle, nodeName, signal);
    if (status === "skip") continue;
    if (status === undefined) return undefined;
    return isRejected(status) ? { ...status, plugin: plugin.name } : pluginFailed("Bind", plugin.name, status);
  }
  return errorStatus("", new Error("no Bind plugin took the pod"));
}
