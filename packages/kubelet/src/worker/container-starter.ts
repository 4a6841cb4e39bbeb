import { type CachedContainer, type CachedPod, describePod } from "../objects/cached-pod.js";
import type { StartFailure } from "../pod/container-statuses.js";
import { type CrashBackoff, planRestart } from "../pod/crash-backoff.js";
import type { ContainerKind } from "../runtime/container-runtime.js";
import type { ImagePuller } from "./image-puller.js";
import type { NodeContext } from "./node-context.js";
import { restartCountOf, type StartRequest, startContainer } from "./start-container.js";
import { StartError } from "./start-error.js";
import type { WorkedPod } from "./worked-pod.js";

/** Where containers are started: everything of a request but the container. */
export type StartPlace = Omit<StartRequest, "container" | "kind" | "restartCount">;

/** What is known of containers that did not start or ended, by name. */
interface Trouble {
  readonly failures: Map<string, StartFailure>;
  readonly backoffs: Map<string, CrashBackoff>;
  readonly retries: Map<string, number>;
}

const noFailures: ReadonlyMap<string, StartFailure> = new Map();

/** Starts the containers of one pod, and remembers which could not be started, and when they may be tried again. */
export class ContainerStarter {
  readonly #context: NodeContext;
  readonly #puller: ImagePuller;
  readonly #worked: Pick<WorkedPod, "wakeAt">;
  /** Most pods have none. */
  #trouble: Trouble | undefined;

  constructor(context: NodeContext, puller: ImagePuller, worked: Pick<WorkedPod, "wakeAt">) {
    this.#context = context;
    this.#puller = puller;
    this.#worked = worked;
  }

  /** Why containers wait, by name. */
  get failures(): ReadonlyMap<string, StartFailure> {
    return this.#trouble?.failures ?? noFailures;
  }

  /** One after the other. Of init containers, those behind one that could not be started are left out. */
  async startAll(
    containers: readonly CachedContainer[],
    kind: ContainerKind,
    place: StartPlace,
    signal: AbortSignal,
  ): Promise<{ readonly hasChanged: boolean; readonly isComplete: boolean }> {
    let hasChanged = false;
    for (const container of containers) {
      const outcome = await this.#start(container, kind, place, signal);
      if (outcome !== "waits") hasChanged = true;
      if (outcome !== "started" && kind === "init") return { hasChanged, isComplete: false };
    }
    return { hasChanged, isComplete: true };
  }

  async #start(
    container: CachedContainer,
    kind: ContainerKind,
    place: StartPlace,
    signal: AbortSignal,
  ): Promise<"started" | "failed" | "waits"> {
    const context = this.#context;
    const { clock } = context.runtime;
    const { name } = container;
    const { pod, status } = place;
    const retryAt = this.#trouble?.retries.get(name) ?? 0;
    if (clock.now() < retryAt) {
      this.#worked.wakeAt(retryAt);
      return "waits";
    }
    const latest = status.containers.get(name)?.[0];
    const step = planRestart(pod, { latest, backoff: this.#trouble?.backoffs.get(name), now: clock.now() });
    if (step.at === "wait") {
      this.#recordBackoff(pod, name);
      return this.#fail(name, step.failure, step.until);
    }
    if (step.backoff) this.#inTrouble().backoffs.set(name, step.backoff);
    try {
      const restartCount = restartCountOf(pod, name, status);
      context.counts.containerStarts(kind);
      await startContainer(context, this.#puller, { ...place, container, kind, restartCount }, signal);
      this.#trouble?.failures.delete(name);
      this.#trouble?.retries.delete(name);
      return "started";
    } catch (error) {
      if (!(error instanceof StartError)) throw error;
      context.counts.containerFailed(kind, error.reason);
      return this.#fail(name, { reason: error.reason, message: error.message }, clock.now() + error.retryMs);
    }
  }

  #inTrouble(): Trouble {
    return (this.#trouble ??= { failures: new Map(), backoffs: new Map(), retries: new Map() });
  }

  #fail(name: string, failure: StartFailure, retryAt: number): "failed" {
    const { failures, retries } = this.#inTrouble();
    failures.set(name, failure);
    retries.set(name, retryAt);
    this.#worked.wakeAt(retryAt);
    return "failed";
  }

  #recordBackoff(pod: CachedPod, name: string): void {
    const message = `Back-off restarting failed container ${name} in pod ${describePod(pod)}`;
    this.#context.record(pod, { type: "Warning", reason: "BackOff", message }, name);
  }
}
