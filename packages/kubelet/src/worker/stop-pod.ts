import {
  type CachedContainer,
  type CachedPod,
  findContainer,
  initContainersOf,
  isSidecar,
} from "../objects/cached-pod.js";
import type { KillReason } from "../pod/action-facts.js";
import type { ContainerReset } from "../pod/restart-all.js";
import { graceOfKill, leastGraceSeconds } from "../pod/termination.js";
import type { ContainerRecord, PodRuntimeStatus } from "../runtime/container-runtime.js";
import { runHook } from "./hooks.js";
import type { NodeContext } from "./node-context.js";

export interface KillRequest {
  readonly pod: CachedPod;
  readonly container: CachedContainer;
  readonly record: ContainerRecord;
  /** @default "Stopping container <name>" */
  readonly message?: string;
  readonly reason?: KillReason;
  /** Instead of the values of pod and container, in seconds. */
  readonly graceSeconds?: number;
  /** Resolves when it is the container's turn: sidecars outlive the others. */
  readonly turn?: Promise<void>;
}

/** Ends one container: its pre-stop hook, then the stop signal, then, when the grace period is over, a kill. */
export async function killContainer(context: NodeContext, request: KillRequest, signal: AbortSignal): Promise<void> {
  const { containers } = context;
  const { clock } = context.runtime;
  const { pod, container, record } = request;
  const message = request.message || `Stopping container ${container.name}`;
  context.record(pod, { type: "Normal", reason: "Killing", message }, container.name);
  const grace = request.graceSeconds ?? graceOfKill(pod, container, request.reason);
  const began = clock.now();
  const left = (): number => grace - Math.floor((clock.now() - began) / 1000);
  const hook = container.lifecycle?.preStop;
  if (hook && grace > 0) {
    const limit = new AbortController();
    const timer = clock.setTimer(grace * 1000, () => limit.abort());
    const failure = await runHook(
      context,
      { pod, container, id: record.id, hook },
      AbortSignal.any([signal, limit.signal]),
    );
    timer.cancel();
    // One that is not over when the grace period is has not failed (pkg/kubelet/kuberuntime/kuberuntime_container.go, executePreStopHook).
    if (failure !== undefined && !limit.signal.aborted)
      context.record(
        pod,
        { type: "Warning", reason: "FailedPreStopHook", message: "PreStopHook failed" },
        container.name,
      );
  }
  if (request.turn && left() > 0) await Promise.race([request.turn, expired(context, left(), signal)]);
  // A pod that is deleted by force is killed outright.
  const seconds = grace === 0 ? 0 : Math.max(left(), leastGraceSeconds);
  signal.throwIfAborted();
  await containers.stopContainer(record.id, seconds, signal);
}

function expired({ runtime: { clock } }: NodeContext, seconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = clock.setTimer(seconds * 1000, resolve);
    signal.addEventListener("abort", () => (timer.cancel(), resolve()), { once: true });
  });
}

/** Kills a container without grace and removes it; its log stays until the pod is deleted (`ContainersToReset` of kuberuntime_manager.go). */
export async function resetContainer(
  context: NodeContext,
  { pod, container, record, kill }: ContainerReset & { readonly pod: CachedPod },
  signal: AbortSignal,
): Promise<void> {
  if (kill) await killContainer(context, { pod, container, record, message: "killing", graceSeconds: 0 }, signal);
  await context.containers.removeContainer(record.id, { keepsLog: true });
}

/**
 * Ends all containers of a pod and its sandboxes. Regular containers end together; sidecars follow in the reverse order of
 * their start, with what is left of the grace period. An abort leaves the rest as it is.
 */
export async function killPod(
  context: NodeContext,
  request: { pod: CachedPod; status: PodRuntimeStatus; graceSeconds?: number },
  signal: AbortSignal,
): Promise<void> {
  const { pod, status, graceSeconds } = request;
  const sidecars = initContainersOf(pod).filter(isSidecar);
  const running: { container: CachedContainer; record: ContainerRecord }[] = [];
  for (const [name, [record]] of status.containers) {
    const container = findContainer(pod, name);
    if (container && record?.state === "running") running.push({ container, record });
  }
  const rank = (container: CachedContainer): number => sidecars.indexOf(container);
  const grace = graceSeconds === undefined ? {} : { graceSeconds };
  const regular = running.filter(({ container }) => rank(container) < 0);
  let before = Promise.all(
    regular.map(({ container, record }) => killContainer(context, { pod, container, record, ...grace }, signal)),
  ).then(() => {});
  const kills = [before];
  const last = running
    .filter(({ container }) => rank(container) >= 0)
    .sort((a, b) => rank(b.container) - rank(a.container));
  for (const { container, record } of last) {
    before = killContainer(context, { pod, container, record, ...grace, turn: before }, signal);
    kills.push(before);
  }
  await Promise.all(kills);
  for (const { id, state } of status.sandboxes) if (state === "ready") await context.containers.stopPodSandbox(id);
}

/** The grace period became shorter while containers are being stopped. */
export async function stopSooner({ containers }: NodeContext, uid: string, seconds: number): Promise<void> {
  const status = await containers.podStatus(uid);
  for (const [record] of status.containers.values())
    if (record?.state === "running") void containers.stopContainer(record.id, seconds);
}
