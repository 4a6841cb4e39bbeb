import type { Runtime } from "@coxswain/runtime";
import type { ContainerRuntime, RuntimePod } from "../runtime/container-runtime.js";
import { removePod } from "../worker/collect-dead.js";
import type { PodHost } from "../worker/pod-host.js";

/** What is on a node, by the uids of the pods that it belongs to. */
export interface NodeRemains {
  readonly runtime: readonly RuntimePod[];
  /** Volumes, control groups, directories of logs. */
  readonly host: readonly string[];
}

export interface OrphanPlan {
  /** To be stopped and removed in the runtime, then on the node. */
  readonly pods: readonly string[];
  /** Only on the node. */
  readonly traces: readonly string[];
}

/**
 * Pure: what belongs to no pod of the API server. Of the runtime, only what this node's kubelet made: another kubelet may use the
 * same runtime. What is below the node's own directories is its own.
 */
export function planOrphans(nodeName: string, remains: NodeRemains, known: ReadonlySet<string>): OrphanPlan {
  const pods = remains.runtime.filter(({ uid, node }) => node === nodeName && !known.has(uid)).map(({ uid }) => uid);
  // A pod of another kubelet in the same runtime may have its files here.
  const held = new Set([...known, ...remains.runtime.map(({ uid }) => uid)]);
  return { pods, traces: [...new Set(remains.host)].filter((uid) => !held.has(uid)) };
}

export interface SweepOptions {
  readonly nodeName: string;
  readonly containers: ContainerRuntime;
  readonly host: Pick<PodHost, "release" | "discard">;
  /** Pods that have something on the node besides containers. */
  hostUids(): Promise<readonly string[]>;
  readonly log: Runtime["log"];
}

/** So many pods are removed at once: stopping one takes seconds, most of which are waiting. */
const sideBySide = 10;

/**
 * Removes what pods left that are gone: of an earlier kubelet, of an earlier cluster, of a deletion that nobody saw.
 * @param known is asked after what there is was read: a pod that begins meanwhile has something on the node and is no orphan
 * @returns whether all of it is gone; the runtime may be away
 */
export async function sweepOrphans(options: SweepOptions, known: () => ReadonlySet<string>): Promise<boolean> {
  const { containers, host, log, nodeName } = options;
  const remains = { runtime: await containers.listPods(), host: await options.hostUids() };
  const { pods, traces } = planOrphans(nodeName, remains, known());
  const attempt = async (podUid: string, isInRuntime: boolean): Promise<boolean> => {
    try {
      if (isInRuntime) await stopAll(containers, podUid);
      await host.release(podUid);
      if (isInRuntime) await removePod(containers, await containers.podStatus(podUid));
      await host.discard(podUid);
      log.info("removed what was left of a pod", { podUid });
      return true;
    } catch (error) {
      log.warn("what is left of a pod could not be removed and is tried again", { podUid, error });
      return false;
    }
  };
  const all = [...pods.map((uid) => [uid, true] as const), ...traces.map((uid) => [uid, false] as const)];
  let isClean = true;
  for (let at = 0; at < all.length; at += sideBySide) {
    const tried = await Promise.all(all.slice(at, at + sideBySide).map(([uid, isRunning]) => attempt(uid, isRunning)));
    isClean &&= tried.every(Boolean);
  }
  return isClean;
}

/** Nobody waits for what no pod has any more: upstream's grace for orphans is one second. */
async function stopAll(containers: ContainerRuntime, uid: string): Promise<void> {
  const status = await containers.podStatus(uid);
  const running = [...status.containers.values()].flat().filter(({ state }) => state === "running");
  await Promise.all(running.map(({ id }) => containers.stopContainer(id, 1)));
  for (const { id } of status.sandboxes) await containers.stopPodSandbox(id);
}
