import type { Event } from "@coxswain/api/core/v1";
import type { Client } from "@coxswain/client";
import {
  createEventBroadcaster,
  type EventBroadcaster,
  type EventSink,
  type RecordedEvent,
} from "@coxswain/client/events";
import type { Runtime } from "@coxswain/runtime";
import { type CachedPod, findContainer, initContainersOf, nameOf, namespaceOf, uidOf } from "../objects/cached-pod.js";

/** Records events in the names of nodes. */
export interface NodeEvents {
  recordPod(nodeName: string, pod: CachedPod, event: RecordedEvent, container?: string): void;
  recordNode(nodeName: string, event: RecordedEvent): void;
  stop(): Promise<void>;
}

export interface NodeEventsOptions {
  clientFor(nodeName: string): Client;
  readonly runtime: Runtime;
  /** False: nothing is recorded. */
  readonly enabled: boolean;
}

/** Each sends one event after the other; thousands of nodes share them, and every node always has the same. */
const broadcasterCount = 16;

export function createNodeEvents(options: NodeEventsOptions): NodeEvents {
  const { clientFor, runtime, enabled } = options;
  const broadcasters = new Map<number, EventBroadcaster>();
  const eventsOf = ({ source, metadata }: Event) =>
    clientFor(source?.host ?? "").core.v1.events(metadata?.namespace ?? "default");
  const sink: EventSink<Event> = {
    create: (event, signal) => eventsOf(event).create(event, { signal }),
    patch: (event, patch, signal) =>
      eventsOf(event).patch(event.metadata?.name ?? "", { strategic: patch as Record<string, unknown> }, { signal }),
  };
  function broadcasterOf(nodeName: string): EventBroadcaster {
    let sum = 0;
    for (let i = 0; i < nodeName.length; i++) sum = (sum * 31 + nodeName.charCodeAt(i)) % 65_521;
    const slot = sum % broadcasterCount;
    let broadcaster = broadcasters.get(slot);
    if (!broadcaster) {
      const onError = (error: unknown): void => runtime.log.debug("an event was not recorded", { error });
      broadcaster = createEventBroadcaster({ sink, onError, runtime });
      broadcasters.set(slot, broadcaster);
    }
    return broadcaster;
  }
  const recorderOf = (host: string) => broadcasterOf(host).recorder({ component: "kubelet", host });
  return {
    recordPod(nodeName, pod, event, container) {
      if (!enabled) return;
      const reference = {
        kind: "Pod",
        apiVersion: "v1",
        namespace: namespaceOf(pod),
        name: nameOf(pod),
        uid: uidOf(pod),
        ...(pod.metadata?.resourceVersion && { resourceVersion: pod.metadata.resourceVersion }),
        ...(container !== undefined && { fieldPath: fieldPathOf(pod, container) }),
      };
      recorderOf(nodeName).event(reference, event);
    },
    recordNode(name, event) {
      if (enabled) recorderOf(name).event({ kind: "Node", apiVersion: "v1", name, uid: name }, event);
    },
    async stop() {
      await Promise.all([...broadcasters.values()].map((broadcaster) => broadcaster.stop()));
    },
  };
}

function fieldPathOf(pod: CachedPod, name: string): string {
  const list = initContainersOf(pod).some((container) => container.name === name)
    ? "initContainers"
    : findContainer(pod, name) && pod.spec?.containers.some((container) => container.name === name)
      ? "containers"
      : "ephemeralContainers";
  return `spec.${list}{${name}}`;
}
