import type { ContainerStatus } from "@coxswain/api/core/v1";
import { parseTimeMs } from "@coxswain/apimachinery/time";
import type { NodeAgent } from "../node/node-agent.js";
import { nameOf, namespaceOf, uidOf } from "../objects/cached-pod.js";
import type { ContainerStats, PodStats } from "../runtime/container-runtime.js";

/** What one container uses, and who it is. */
export interface ContainerUsage extends ContainerStats {
  readonly image: string;
  /** Without the runtime's name. */
  readonly id: string;
}

export interface PodUsage extends PodStats {
  readonly name: string;
  readonly namespace: string;
  readonly uid: string;
  readonly startedAt: number;
  readonly containers: readonly ContainerUsage[];
}

/** What the pods of a node use now. */
export async function usageOf(agent: NodeAgent): Promise<PodUsage[]> {
  const usage: PodUsage[] = [];
  const byPod = await agent.context.containers.listStats();
  for (const worker of agent.workers.values()) {
    const stats = byPod.get(worker.uid);
    if (!stats || stats.containers.length === 0) continue;
    const pod = worker.pod();
    const status = worker.wanted() ?? {};
    const { containerStatuses = [], initContainerStatuses = [], ephemeralContainerStatuses = [], startTime } = status;
    const all = [...initContainerStatuses, ...containerStatuses, ...ephemeralContainerStatuses];
    const statuses = new Map(all.map((each) => [each.name, each]));
    usage.push({
      ...stats,
      name: nameOf(pod),
      namespace: namespaceOf(pod),
      uid: uidOf(pod),
      startedAt: startTime === undefined ? stats.at : (parseTimeMs(startTime) ?? stats.at),
      // A runtime may still have what has exited: it uses nothing.
      containers: stats.containers
        .filter(({ name }) => !statuses.get(name)?.state?.terminated)
        .map((each) => withStatus(each, statuses.get(each.name))),
    });
  }
  return usage;
}

/** Not every runtime reports with the usage when a container started. */
function withStatus(stats: ContainerStats, status: ContainerStatus | undefined): ContainerUsage {
  const { containerID = "", image = "", state } = status ?? {};
  const startedAt = stats.startedAt || (parseTimeMs(state?.running?.startedAt ?? "") ?? 0);
  return { ...stats, startedAt, image, id: containerID.slice(containerID.indexOf("://") + 3) };
}

export const total = (containers: readonly ContainerStats[], of: (stats: ContainerStats) => number): number =>
  containers.reduce((sum, stats) => sum + of(stats), 0);
