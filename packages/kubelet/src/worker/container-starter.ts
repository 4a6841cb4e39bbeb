import { type CachedContainer, type CachedPod, describePod } from "../objects/cached-pod.js";
import type { StartFailure } from "../pod/container-statuses.js";
import { type CrashBackoff, planRestart } from "../pod/crash-backoff.js";
import type { ContainerKind } from "../runtime/container-runtime.js";
import type { ImagePuller } from "./image-puller.js";
import type { NodeContext } from "./node-context.js";
import { restartCountOf, type StartRequest, startContainer } from "./start-container.js";
import { StartError } from "./start-error.js";

/** Where containers are started: everything of a request but the container. */
export type StartPlace = Omit<StartRequest, "container" | "kind" | "restartCount">;

/** Starts the containers of one pod, and remembers which could not be started, and when they may be tried again. */
export interface ContainerStarter {
  /** Why containers wait, by name. */
  readonly failures: ReadonlyMap<string, StartFailure>;
  /** One after the other. Of init containers, those behind one that could not be started are left out. */
  startAll(
    containers: readonly CachedContainer[],
    kind: ContainerKind,
    place: StartPlace,
    signal: AbortSignal,
  ): Promise<{ readonly hasChanged: boolean; readonly isComplete: boolean }>;
}

export interface ContainerStarterOptions {
  readonly context: NodeContext;
  readonly puller: ImagePuller;
  /** Something is due at this time. */
  wakeAt(at: number): void;
}

export function createContainerStarter({ context, puller, wakeAt }: ContainerStarterOptions): ContainerStarter {
  const { clock } = context.runtime;
  const failures = new Map<string, StartFailure>();
  const backoffs = new Map<string, CrashBackoff>();
  const retries = new Map<string, number>();

  function fail(name: string, failure: StartFailure, retryAt: number): "failed" {
    failures.set(name, failure);
    retries.set(name, retryAt);
    wakeAt(retryAt);
    return "failed";
  }

  async function start(
    container: CachedContainer,
    kind: ContainerKind,
    place: StartPlace,
    signal: AbortSignal,
  ): Promise<"started" | "failed" | "waits"> {
    const { name } = container;
    const { pod, status } = place;
    const retryAt = retries.get(name) ?? 0;
    if (clock.now() < retryAt) {
      wakeAt(retryAt);
      return "waits";
    }
    const latest = status.containers.get(name)?.[0];
    const step = planRestart(pod, { latest, backoff: backoffs.get(name), now: clock.now() });
    if (step.at === "wait") {
      recordBackoff(pod, name);
      return fail(name, step.failure, step.until);
    }
    if (step.backoff) backoffs.set(name, step.backoff);
    try {
      const restartCount = restartCountOf(pod, name, status);
      context.counts.containerStarts(kind);
      await startContainer(context, puller, { ...place, container, kind, restartCount }, signal);
      failures.delete(name);
      retries.delete(name);
      return "started";
    } catch (error) {
      if (!(error instanceof StartError)) throw error;
      context.counts.containerFailed(kind, error.reason);
      return fail(name, { reason: error.reason, message: error.message }, clock.now() + error.retryMs);
    }
  }

  function recordBackoff(pod: CachedPod, name: string): void {
    const message = `Back-off restarting failed container ${name} in pod ${describePod(pod)}`;
    context.record(pod, { type: "Warning", reason: "BackOff", message }, name);
  }

  return {
    failures,
    async startAll(containers, kind, place, signal) {
      let hasChanged = false;
      for (const container of containers) {
        const outcome = await start(container, kind, place, signal);
        if (outcome !== "waits") hasChanged = true;
        if (outcome !== "started" && kind === "init") return { hasChanged, isComplete: false };
      }
      return { hasChanged, isComplete: true };
    },
  };
}
