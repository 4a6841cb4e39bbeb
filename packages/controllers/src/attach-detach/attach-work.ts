import type { EventRecorder, RecordedEvent } from "@coxswain/client/events";
import type { Clock } from "@coxswain/runtime/clock";
import type { Counter } from "@coxswain/runtime/metrics";
import { referenceOf } from "../pods/pod-control.js";
import type { Attachable } from "./attachable.js";
import type { AttachMemory } from "./memory.js";
import { type NodePlan, planVolume } from "./plan.js";
import type { AttachWorld } from "./world.js";
import type { AttachWrites } from "./writes.js";

/** Its items are names of volumes. */
export const volumeQueue = "volumes_to_attach";
export const podKind = { group: "", version: "v1", kind: "Pod" };

/** What the work on volumes and on nodes shares. */
export interface AttachWork {
  readonly clock: Clock;
  readonly world: AttachWorld;
  readonly memory: AttachMemory;
  readonly writes: AttachWrites;
  readonly recorder: EventRecorder;
  readonly limits: { readonly maxWaitMs: number; readonly isForceDisabled: boolean };
  /** Counts volumes that were taken from nodes which may use them. */
  readonly forced: Counter;
  /** The status of the node is looked at again. */
  wakeNode(name: string): void;
}

export function plansOf({ clock, world, memory, limits }: AttachWork, volume: Attachable): Map<string, NodePlan> {
  const nowMs = clock.now();
  const facts = world.facts(volume, memory);
  memory.keepDetachRequests(
    volume.name,
    facts.filter((each) => each.attachment && each.pods.length === 0).map(({ node }) => node),
    nowMs,
  );
  return planVolume(volume, world.facts(volume, memory), { ...limits, nowMs });
}

/** To all pods that wait for the volume on that node. */
export function report({ world, recorder }: AttachWork, event: RecordedEvent, volume: Attachable, node: string): void {
  for (const pod of world.podsNeeding(volume, node)) recorder.event(referenceOf(pod, podKind), event);
}
