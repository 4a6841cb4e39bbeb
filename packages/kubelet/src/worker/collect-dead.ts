import type { ContainerRuntime, PodRuntimeStatus } from "../runtime/container-runtime.js";

export interface DeadParts {
  readonly containers: readonly string[];
  readonly sandboxes: readonly string[];
}

/**
 * Pure: what nobody asks about any more: of each container all runs that are over but the newest of them, which `logs --previous` is
 * about (upstream's --maximum-dead-containers-per-container is one), and sandboxes before the newest that are empty then.
 * Upstream's `pkg/kubelet/kuberuntime/kuberuntime_gc.go`, `evictContainers` and `evictSandboxes`.
 */
export function planDead({ sandboxes, containers }: PodRuntimeStatus): DeadParts {
  const runs = [...containers.values()];
  const dead = runs.flatMap(([newest, ...older]) => {
    const previous = newest?.state === "exited" ? undefined : older.find(({ state }) => state === "exited");
    return older.filter((each) => each.state !== "running" && each !== previous);
  });
  const gone = new Set(dead.map(({ id }) => id));
  const used = new Set(runs.flatMap((all) => all.filter(({ id }) => !gone.has(id)).map(({ sandboxId }) => sandboxId)));
  const empty = sandboxes.slice(1).filter(({ id, state }) => state !== "ready" && !used.has(id));
  return { containers: [...gone], sandboxes: empty.map(({ id }) => id) };
}

export const collectDead = (containers: ContainerRuntime, status: PodRuntimeStatus): Promise<void> =>
  remove(containers, planDead(status));

/** Everything that the runtime has of a pod whose containers have stopped: containers first, then sandboxes. */
export const removePod = (containers: ContainerRuntime, status: PodRuntimeStatus): Promise<void> =>
  remove(containers, {
    containers: [...status.containers.values()].flatMap((runs) => runs.map(({ id }) => id)),
    sandboxes: status.sandboxes.map(({ id }) => id),
  });

async function remove(containers: ContainerRuntime, dead: DeadParts): Promise<void> {
  for (const id of dead.containers) await containers.removeContainer(id);
  for (const id of dead.sandboxes) await containers.removePodSandbox(id);
}
