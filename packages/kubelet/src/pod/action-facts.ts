import type { CachedContainer } from "../objects/cached-pod.js";
import type { ContainerRecord, PodRuntimeStatus } from "../runtime/container-runtime.js";
import type { ContainerReset } from "./restart-all.js";

/** Why a running container is killed. Probes may have a grace period of their own. */
export type KillReason = "definition" | "liveness" | "startup" | "unknown" | "resize";

export interface ContainerKill {
  readonly record: ContainerRecord;
  readonly container: CachedContainer;
  readonly message: string;
  readonly reason: KillReason;
}

/** What is to be done about a pod now. */
export interface PodActions {
  /** Everything of the pod ends; with `createSandbox` it starts over. */
  readonly killPod: boolean;
  readonly createSandbox: boolean;
  readonly kill: readonly ContainerKill[];
  /** Killed without grace and removed, one after the other; then all containers start over. */
  readonly reset: readonly ContainerReset[];
  readonly startEphemeral: readonly CachedContainer[];
  /** Init containers and sidecars, in order. */
  readonly startInit: readonly CachedContainer[];
  readonly start: readonly CachedContainer[];
}

export type ProbeVerdict = "success" | "failure" | "unknown";

export interface ActionFacts {
  /** A rule makes all containers start over. */
  readonly restartsAll: boolean;
  readonly runtime: PodRuntimeStatus;
  hashOf(container: CachedContainer): string;
  /** The current result of a run's probe; undefined where there was none yet. */
  probed(record: ContainerRecord, kind: "liveness" | "startup"): ProbeVerdict | undefined;
  /** Whether a change of resources must be brought about by a restart. */
  needsRestartToResize(record: ContainerRecord, container: CachedContainer): boolean;
}
