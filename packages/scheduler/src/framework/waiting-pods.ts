import { formatDurationMs } from "@coxswain/apimachinery/time";
import type { Clock, Timer } from "@coxswain/runtime/clock";
import type { Pod } from "../pod/objects.js";
import { uidOf } from "../pod/objects.js";
import { errorStatus, type Status, unschedulable } from "./status.js";

/** A pod that has a node, and that Permit plugins make wait before it is bound. */
export interface WaitingPod {
  readonly pod: Pod;
  readonly pendingPlugins: readonly string[];
  /** One plugin lets it go. It is bound once all do. */
  allow(plugin: string): void;
  /** Answers whether this ended the waiting. */
  reject(plugin: string, message: string): boolean;
  /** The same, as an error: the pod is tried again by itself. */
  preempt(plugin: string, message: string): boolean;
}

export interface WaitingPods {
  add(pod: Pod, waits: ReadonlyMap<string, number>): void;
  get(uid: string): WaitingPod | undefined;
  list(): readonly WaitingPod[];
  /** Resolves when the pod may be bound, or to why not. At once for a pod that does not wait. */
  wait(uid: string): Promise<Status | undefined>;
}

export function createWaitingPods(clock: Clock): WaitingPods {
  const pods = new Map<string, { readonly waiting: WaitingPod; readonly result: Promise<Status | undefined> }>();
  return {
    add(pod, waits) {
      const timers = new Map<string, Timer>();
      let settle: (status: Status | undefined) => void = () => {};
      let over = false;
      const result = new Promise<Status | undefined>((resolve) => {
        settle = resolve;
      });
      const end = (status: Status | undefined): boolean => {
        if (over) return false;
        over = true;
        for (const timer of timers.values()) timer.cancel();
        settle(status);
        return true;
      };
      const waiting: WaitingPod = {
        pod,
        get pendingPlugins() {
          return [...timers.keys()];
        },
        allow(plugin) {
          timers.get(plugin)?.cancel();
          timers.delete(plugin);
          if (timers.size === 0) end(undefined);
        },
        reject: (plugin, message) => end(unschedulable(plugin, message)),
        preempt: (plugin, message) => end(errorStatus(plugin, new Error(message))),
      };
      for (const [plugin, ms] of waits)
        timers.set(
          plugin,
          clock.setTimer(ms, () => {
            const waited = formatDurationMs(ms);
            waiting.reject(plugin, `rejected due to timeout after waiting ${waited} at plugin ${plugin}`);
          }),
        );
      pods.set(uidOf(pod), { waiting, result });
    },
    get: (uid) => pods.get(uid)?.waiting,
    list: () => [...pods.values()].map(({ waiting }) => waiting),
    async wait(uid) {
      const entry = pods.get(uid);
      if (entry === undefined) return undefined;
      const status = await entry.result;
      pods.delete(uid);
      if (status?.code !== "Error") return status;
      return errorStatus(status.plugin, new Error(`waiting on permit for pod: ${status.reasons.join(", ")}`));
    },
  };
}
