import type { DeepReadonly } from "@coxswain/api";
import type { Service } from "@coxswain/api/core/v1";
import { parseTimeMs } from "@coxswain/apimachinery/time";
import { keyOf } from "@coxswain/client/informers";
import { type CachedPod, podCondition } from "../pods/pod-state.js";

/** The annotation with the time of the change of a pod or service that made the controller write, for measuring how long that took. */
export const triggerTimeAnnotation = "endpoints.kubernetes.io/last-change-trigger-time";

/** Remembers which changes were seen, so that only later ones count. */
export interface TriggerTimes {
  /** When the oldest change happened that no earlier call has seen; undefined: there is none, or its time is unknown. */
  next(service: DeepReadonly<Service>, pods: readonly CachedPod[]): string | undefined;
  forget(serviceKey: string): void;
}

interface Seen {
  readonly service: number;
  readonly pods: ReadonlyMap<string, number>;
}

export function createTriggerTimes(): TriggerTimes {
  const seen = new Map<string, Seen>();
  return {
    next(service, pods) {
      const key = keyOf(service);
      const before = seen.get(key);
      const { creationTimestamp } = service.metadata ?? {};
      const created = msOf(creationTimestamp);
      const times = new Map<string, number>();
      let oldest: { readonly ms: number; readonly text: string } | undefined;
      const consider = (ms: number, text: string | null | undefined, last: number): void => {
        if (text && ms > last && (oldest === undefined || ms < oldest.ms)) oldest = { ms, text };
      };
      for (const pod of pods) {
        const changed = podCondition(pod, "Ready")?.lastTransitionTime;
        const ms = msOf(changed);
        if (ms === 0) continue;
        const name = pod.metadata?.name ?? "";
        times.set(name, ms);
        consider(ms, changed, before?.pods.get(name) ?? 0);
      }
      consider(created, creationTimestamp, before?.service ?? 0);
      seen.set(key, { service: created, pods: times });
      return before === undefined ? (creationTimestamp ?? undefined) : oldest?.text;
    },
    forget: (key) => void seen.delete(key),
  };
}

const msOf = (time: string | null | undefined): number => (time ? (parseTimeMs(time) ?? 0) : 0);

/** The annotations with this trigger time, or without any. */
export function withTriggerTime(
  annotations: Readonly<Record<string, string>> | undefined,
  time: string | undefined,
): Record<string, string> {
  const { [triggerTimeAnnotation]: _, ...others } = annotations ?? {};
  return time === undefined ? others : { ...others, [triggerTimeAnnotation]: time };
}
