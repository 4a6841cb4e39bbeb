import type { EventHandler } from "@coxswain/client/informers";
import type { Logger } from "@coxswain/runtime/log";
import { actions, clusterEvent, type EventResource, events } from "../framework/cluster-event.js";
import type { CachedNode, CachedPod } from "../framework/cluster-objects.js";
import { nodeChanges, podChanges } from "../framework/object-changes.js";
import { type Pod, priorityOf, schedulerNameOf, uidOf } from "../pod/objects.js";
import type { SchedulerCore } from "../schedule/scheduler-core.js";
import { awaitedKinds, type SchedulerInformers } from "./informers.js";

export interface EventHandlerOptions {
  readonly core: Pick<SchedulerCore, "cache" | "queue" | "profiles" | "waitingPods">;
  readonly informers: SchedulerInformers;
  /** What plugins await, with the actions. */
  readonly awaited: ReadonlyMap<EventResource, number>;
  readonly log: Logger;
}

/** Keeps the cache and the queue as the server's objects are. */
export function addEventHandlers({ core, informers, awaited }: EventHandlerOptions): void {
  informers.handle("nodes", nodeHandler(core));
  informers.handle("pods", podHandler(core));
  for (const [resource, action] of awaited) {
    const kind = awaitedKinds.get(resource);
    if (kind) informers.handle(kind, awaitedHandler(core, resource, action));
  }
}

function nodeHandler({ cache, queue }: Pick<SchedulerCore, "cache" | "queue">): EventHandler<CachedNode> {
  return {
    onAdd(node) {
      cache.addNode(node);
      queue.moveAll({ event: events.nodeAdd, object: node });
    },
    onUpdate(old, node) {
      cache.updateNode(old, node);
      if (!queue.isListening) return;
      for (const event of nodeChanges(old, node)) queue.moveAll({ event, old, object: node });
    },
    onDelete(node) {
      queue.moveAll({ event: events.nodeDelete, old: node });
      cache.removeNode(node);
    },
  };
}

function podHandler(core: EventHandlerOptions["core"]): EventHandler<CachedPod> {
  const { cache, queue, profiles, waitingPods } = core;
  const isAssigned = (pod: Pod): boolean => Boolean(pod.spec?.nodeName);
  const isOurs = (pod: Pod): boolean => profiles.has(schedulerNameOf(pod));

  function addAssigned(pod: Pod): void {
    cache.addPod(pod);
    queue.moveAll({ event: events.assignedPodAdd, object: pod });
  }

  function deleteAssigned(pod: Pod): void {
    cache.removePod(uidOf(pod));
    queue.moveAll({ event: events.assignedPodDelete, old: pod });
  }

  /** A pod that was promised a node is gone before it was bound. */
  function deleteAssumed(pod: Pod): void {
    const nodeName = cache.nodeOf(uidOf(pod)) ?? "";
    if (!waitingPods.get(uidOf(pod))?.reject("", "removed")) cache.forget(uidOf(pod));
    queue.moveAll({ event: events.assignedPodDelete, old: { ...pod, spec: { ...pod.spec, nodeName } } });
  }

  /** Room was kept for it: pods that it went before may have it now. */
  const freeNomination = (pod: Pod): void =>
    queue.moveAll({ event: events.assignedPodDelete, old: pod }, (other) => priorityOf(other) <= priorityOf(pod));

  function updatePending(old: Pod, pod: Pod): void {
    if (old.metadata?.resourceVersion === pod.metadata?.resourceVersion) return;
    if (cache.isAssumed(uidOf(pod))) {
      if (pod.metadata?.deletionTimestamp !== undefined && old.metadata?.deletionTimestamp === undefined)
        deleteAssumed(pod);
      return;
    }
    queue.update(old, pod);
    const nominated = old.status?.nominatedNodeName;
    if (nominated && nominated !== pod.status?.nominatedNodeName) freeNomination(old);
  }

  function onAdd(pod: Pod): void {
    if (isAssigned(pod)) addAssigned(pod);
    else if (isOurs(pod)) queue.add(pod);
  }

  return {
    onAdd,
    onDelete,
    onUpdate(old, pod) {
      if (uidOf(old) !== uidOf(pod)) {
        // Deleted and created again under its name, between two looks.
        onDelete(old);
        onAdd(pod);
      } else if (isAssigned(old)) {
        cache.updatePod(pod);
        if (!queue.isListening) return;
        for (const event of podChanges(old, pod)) queue.moveAll({ event, old, object: pod });
      } else if (isAssigned(pod)) {
        addAssigned(pod);
        if (isOurs(old)) queue.delete(old);
      } else if (isOurs(old)) updatePending(old, pod);
    },
  };

  function onDelete(pod: Pod): void {
    if (isAssigned(pod)) {
      deleteAssigned(pod);
      return;
    }
    if (!isOurs(pod)) return;
    queue.delete(pod);
    if (cache.isAssumed(uidOf(pod))) deleteAssumed(pod);
    else if (cache.nodeOf(uidOf(pod)) !== undefined) deleteAssigned(pod);
    else if (pod.status?.nominatedNodeName) freeNomination(pod);
  }
}

function awaitedHandler(
  { queue }: Pick<SchedulerCore, "queue">,
  resource: EventResource,
  awaited: number,
): EventHandler<unknown> {
  const handler: EventHandler<unknown> = {};
  if (awaited & actions.add) {
    const event = clusterEvent(resource, actions.add);
    handler.onAdd = (object) => queue.moveAll({ event, object });
  }
  if (awaited & actions.update) {
    const event = clusterEvent(resource, actions.update);
    handler.onUpdate = (old, object) => queue.moveAll({ event, old, object });
  }
  if (awaited & actions.delete) {
    const event = clusterEvent(resource, actions.delete);
    handler.onDelete = (old) => queue.moveAll({ event, old });
  }
  return handler;
}
