import {
  actions,
  type ClusterEvent,
  clusterEvent,
  type EventResource,
  eventMatches,
  isWildcard,
} from "../framework/cluster-event.js";
import type { EventRegistration, Plugin } from "../framework/plugin.js";
import { type AwaitedEvent, type Profile, pluginsOf } from "../framework/profile.js";
import type { QueuedPod } from "../framework/queued-pod.js";
import { schedulerNameOf } from "../pod/objects.js";

/** What to do with a pod when something has happened. */
export type Requeue = "skip" | "after-backoff" | "immediately";

/** Which events the plugins of all profiles await, and whether one is worth another try of a pod. */
export interface QueueingHints {
  isOfInterest(event: ClusterEvent): boolean;
  /** The plugins that await it, in any profile. */
  pluginsAwaiting(event: ClusterEvent): ReadonlySet<string>;
  /** The events that one plugin awaits. */
  eventsOf(plugin: string): readonly ClusterEvent[];
  requeueOf(pod: QueuedPod, happened: { event: ClusterEvent; old: unknown; object: unknown }): Requeue;
  /** Every resource that is awaited, with the actions. */
  readonly resources: ReadonlyMap<EventResource, number>;
}

export function createQueueingHints(
  profiles: Iterable<Profile>,
  onError: (error: unknown) => void = () => {},
): QueueingHints {
  const byProfile = new Map<string, readonly AwaitedEvent[]>();
  for (const profile of profiles) byProfile.set(profile.schedulerName, awaitedBy(profile));
  const all = [...byProfile.values()].flat();
  const resources = new Map<EventResource, number>();
  for (const { event } of all) resources.set(event.resource, (resources.get(event.resource) ?? 0) | event.action);
  const awaiting = new Map<string, ReadonlySet<string>>();

  function pluginsAwaiting(event: ClusterEvent): ReadonlySet<string> {
    const key = `${event.resource} ${event.action}`;
    let plugins = awaiting.get(key);
    if (plugins === undefined) {
      plugins = new Set(all.filter((awaited) => eventMatches(awaited.event, event)).map(({ plugin }) => plugin));
      awaiting.set(key, plugins);
    }
    return plugins;
  }

  const isWorthIt = (awaited: AwaitedEvent, pod: QueuedPod, old: unknown, object: unknown): boolean => {
    try {
      return awaited.hint?.(pod.info, old, object) ?? true;
    } catch (error) {
      // A hint that fails must not keep the pod waiting.
      onError(error);
      return true;
    }
  };

  return {
    resources,
    pluginsAwaiting,
    isOfInterest: (event) => isWildcard(event) || pluginsAwaiting(event).size > 0,
    eventsOf: (plugin) => all.filter((awaited) => awaited.plugin === plugin).map(({ event }) => event),
    requeueOf(pod, { event, old, object }) {
      const { unschedulablePlugins, pendingPlugins } = pod;
      if (unschedulablePlugins.size === 0 && pendingPlugins.size === 0) return "after-backoff";
      if (isWildcard(event))
        return object === undefined || (object as { metadata?: { uid?: string } }).metadata?.uid === pod.info.uid
          ? "after-backoff"
          : "skip";
      let verdict: Requeue = "skip";
      for (const awaited of byProfile.get(schedulerNameOf(pod.info.pod)) ?? []) {
        if (!unschedulablePlugins.has(awaited.plugin) && !pendingPlugins.has(awaited.plugin)) continue;
        if (!eventMatches(awaited.event, event) || !isWorthIt(awaited, pod, old, object)) continue;
        if (pendingPlugins.has(awaited.plugin)) return "immediately";
        if (pendingPlugins.size === 0) return "after-backoff";
        verdict = "after-backoff";
      }
      return verdict;
    },
  };
}

/** A plugin without event registrations may be helped by any event. */
const everything: readonly EventRegistration[] = (
  [
    "Pod",
    "Node",
    "PersistentVolume",
    "PersistentVolumeClaim",
    "CSINode",
    "CSIDriver",
    "CSIStorageCapacity",
    "StorageClass",
    "ResourceClaim",
    "DeviceClass",
  ] as const
).map((resource) => ({ event: clusterEvent(resource, actions.all) }));

/** The rejections of extenders count as those of one plugin, of which nothing more is known. */
const extenderPlugin: Plugin = { name: "Extender" };

/**
 * A plugin that awaits new nodes without awaiting changes of taints gets those as well: a node is added with a taint that keeps
 * pods away until it is ready, and its plugins do not see it before that is gone.
 */
function awaitedBy(profile: Profile): readonly AwaitedEvent[] {
  return [extenderPlugin, ...pluginsOf(profile)].flatMap((plugin) => {
    const awaited = (plugin.events ?? everything).map((event): AwaitedEvent => ({ ...event, plugin: plugin.name }));
    const ofNodes = awaited.filter(({ event }) => event.resource === "Node");
    const addsOnly =
      ofNodes.some(({ event }) => (event.action & actions.add) !== 0) &&
      !ofNodes.some(({ event }) => (event.action & actions.updateNodeTaint) !== 0);
    if (addsOnly) awaited.push({ event: clusterEvent("Node", actions.updateNodeTaint), plugin: plugin.name });
    return awaited;
  });
}
