import type { Cycle } from "./cycle.js";
import type { Profile } from "./profile.js";
import { errorStatus, isRejected, type Status } from "./status.js";

/** A plugin's error, as the framework reports it. */
export const pluginFailed = (point: string, plugin: string, { reasons, error }: Status): Status =>
  errorStatus(plugin, new Error(`running ${point} plugin "${plugin}": ${reasons.join(", ")}`, { cause: error }));

/** The plugins in order, until one refuses. */
export function runReserve(profile: Profile, cycle: Cycle, nodeName: string): Status | undefined {
  for (const plugin of profile.plugins.reserve) {
    const status = plugin.reserve?.(cycle, nodeName);
    if (status === undefined) continue;
    return isRejected(status) ? { ...status, plugin: plugin.name } : pluginFailed("Reserve", plugin.name, status);
  }
  return undefined;
}

/** All of them, the last first. */
export function runUnreserve(profile: Profile, cycle: Cycle, nodeName: string): void {
  for (const plugin of [...profile.plugins.reserve].reverse()) plugin.unreserve?.(cycle, nodeName);
}

export interface Permitted {
  readonly status?: Status;
  /** How long each plugin makes the pod wait at most, in milliseconds. */
  readonly waits: ReadonlyMap<string, number>;
}

/** Upstream's limit (pkg/scheduler/framework/runtime/framework.go, maxTimeout). */
const maxWaitMs = 15 * 60_000;

export function runPermit(profile: Profile, cycle: Cycle, nodeName: string): Permitted {
  const waits = new Map<string, number>();
  for (const plugin of profile.plugins.permit) {
    const answer = plugin.permit?.(cycle, nodeName);
    if (answer === undefined) continue;
    if (answer.code === "Wait") waits.set(plugin.name, Math.min(answer.timeoutMs, maxWaitMs));
    else if (isRejected(answer)) return { status: { ...answer, plugin: plugin.name }, waits };
    else return { status: pluginFailed("Permit", plugin.name, answer), waits };
  }
  return { waits };
}
