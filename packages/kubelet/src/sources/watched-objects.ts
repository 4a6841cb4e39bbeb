import { isNotFound } from "@coxswain/apimachinery/status";
import type { Client } from "@coxswain/client";
import type { CachedObject } from "@coxswain/client/informers";
import type { ListerWatcher } from "@coxswain/client/watch";
import type { Runtime } from "@coxswain/runtime";
import { type CachedPod, namespaceOf, uidOf } from "../objects/cached-pod.js";
import { podReferences } from "./pod-references.js";
import type { ReferencedKind, ReferencedObjects } from "./referenced-objects.js";
import { type WatchedObject, watchObject } from "./watched-object.js";

/**
 * Objects that the pods of one real node refer to, each followed by one watch as long as a pod refers to it: a change reaches a volume
 * in the time of a watch event. (Simulated nodes, thousands in a process, read and remember instead.)
 */
export interface WatchedObjects extends ReferencedObjects {
  /** The pod is here, and refers to what its spec now has. */
  register(pod: CachedPod): void;
  /** The pod is gone: what only it referred to is watched no longer. */
  forget(podUid: string): void;
  stop(): Promise<void>;
}

export interface WatchedObjectsOptions {
  /** In the node's name. */
  readonly client: Client;
  readonly runtime: Runtime;
  /** Something that the pod refers to changed. */
  onChange(podUid: string): void;
}

interface Reference {
  readonly watched: WatchedObject;
  readonly pods: Set<string>;
}

const watchedKinds = ["configmaps", "secrets"] as const;

export function createWatchedObjects({ client, runtime, onChange }: WatchedObjectsOptions): WatchedObjects {
  const references = new Map<string, Reference>();
  const keysOfPods = new Map<string, ReadonlySet<string>>();
  const stopping = new Set<Promise<void>>();

  function keep(key: string, podUid: string): void {
    const known = references.get(key);
    if (known) return void known.pods.add(podUid);
    const [kind, namespace, name] = key.split("/") as [(typeof watchedKinds)[number], string, string];
    const pods = new Set([podUid]);
    const watched = watchObject({
      listerWatcher: client.core.v1[kind](namespace) as unknown as ListerWatcher<CachedObject>,
      name,
      kind: kind.slice(0, -1),
      runtime,
      onChange: () => pods.forEach(onChange),
    });
    references.set(key, { watched, pods });
  }

  function drop(key: string, podUid: string): void {
    const known = references.get(key);
    known?.pods.delete(podUid);
    if (!known || known.pods.size > 0) return;
    references.delete(key);
    const stopped = known.watched.stop().finally(() => stopping.delete(stopped));
    stopping.add(stopped);
  }

  function set(podUid: string, keys: ReadonlySet<string>): void {
    for (const key of keys) keep(key, podUid);
    for (const key of keysOfPods.get(podUid) ?? []) if (!keys.has(key)) drop(key, podUid);
    if (keys.size > 0) keysOfPods.set(podUid, keys);
    else keysOfPods.delete(podUid);
  }

  return {
    get size() {
      return references.size;
    },
    register(pod) {
      const named = podReferences(pod);
      const keys = watchedKinds.flatMap((kind) =>
        [...named[kind]].map((name) => `${kind}/${namespaceOf(pod)}/${name}`),
      );
      set(uidOf(pod), new Set(keys));
    },
    forget: (podUid) => set(podUid, new Set()),
    async get(reader, kind, namespace, name) {
      const known = references.get(`${kind}/${namespace}/${name}`);
      return (known ? await known.watched.get() : await read(reader, kind, namespace, name)) as never;
    },
    async stop() {
      for (const podUid of keysOfPods.keys()) set(podUid, new Set());
      await Promise.all(stopping);
    },
  };
}

async function read(client: Client, kind: ReferencedKind, namespace: string, name: string): Promise<unknown> {
  try {
    return await client.core.v1[kind](namespace).get(name);
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}
