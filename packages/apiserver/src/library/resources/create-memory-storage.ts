import type { DeepReadonly } from "@coxswain/api";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import { pageOf } from "./page-of.js";
import type { Change, ObjectKey, ResourceStorage } from "./resource-storage.js";

/** A storage in memory: gone with the process, and an example of every function of the interface. */
export function createMemoryStorage<T extends KubernetesObject>(): ResourceStorage<T> {
  const objects = new Map<string, DeepReadonly<T>>();
  const log: (Change<T> & { readonly revision: number })[] = [];
  const listeners = new Set<() => void>();
  let revision = 1;

  /** The object with the next resourceVersion, in the log and with those who watch. */
  function write(type: Change<T>["type"], given: DeepReadonly<T>): string {
    revision += 1;
    const key = keyOf(given.metadata);
    const object = { ...given, metadata: { ...given.metadata, resourceVersion: String(revision) } } as DeepReadonly<T>;
    log.push({ type, object, previous: objects.get(key), revision });
    if (type === "DELETED") objects.delete(key);
    else objects.set(key, object);
    for (const listener of listeners) listener();
    return String(revision);
  }

  return {
    get: async (key) => objects.get(keyOf(key)),
    list: async (query) => pageOf(objects.values(), query, String(revision)),
    create: async (object) => (objects.has(keyOf(object.metadata)) ? undefined : write("ADDED", object)),
    async update(object, expected) {
      const current = objects.get(keyOf(object.metadata));
      return current?.metadata?.resourceVersion === expected ? write("MODIFIED", object) : undefined;
    },
    async delete(key, expected) {
      const current = objects.get(keyOf(key));
      return current?.metadata?.resourceVersion === expected ? write("DELETED", current) : undefined;
    },
    watch({ namespace, from }, onChange, { signal }) {
      let next = log.findIndex((change) => change.revision > Number(from));
      if (next < 0) next = log.length;
      const send = (): void => {
        for (const change of log.slice(next))
          if (namespace === "" || change.object.metadata?.namespace === namespace) onChange(change);
        next = log.length;
      };
      send();
      listeners.add(send);
      return new Promise((resolve) =>
        signal.addEventListener("abort", () => {
          listeners.delete(send);
          resolve();
        }),
      );
    },
  };
}

const keyOf = ({ namespace = "", name = "" }: Partial<ObjectKey> = {}): string => `${namespace}/${name}`;
