import type { ConfigMap, PersistentVolumeClaim, Secret, Service } from "@coxswain/api/core/v1";
import type { DeepReadonly } from "@coxswain/api/types";
import type { Clock } from "@coxswain/apimachinery/clock";
import { isNotFound } from "@coxswain/apimachinery/status";
import type { Client } from "@coxswain/client";

interface Referenced {
  configmaps: ConfigMap;
  secrets: Secret;
  persistentvolumeclaims: PersistentVolumeClaim;
  services: Service;
}
export type ReferencedKind = keyof Referenced;

/**
 * Objects that pods refer to, read by the pod's own node and remembered for a minute for all nodes of the process: a
 * thousand pods of one namespace cause one read of its root certificates. What is missing is not remembered.
 */
export interface ReferencedObjects {
  /** Undefined where there is none. */
  get<K extends ReferencedKind>(
    client: Client,
    kind: K,
    namespace: string,
    name: string,
  ): Promise<DeepReadonly<Referenced[K]> | undefined>;
}

/** How long an object may be old. Upstream's caches follow watches, or live for a minute. */
const ttlMs = 60_000;
/** Beyond this, what is old is dropped. */
const maxKept = 1000;

export function createReferencedObjects({ clock }: { clock: Clock }): ReferencedObjects {
  const kept = new Map<string, { readonly at: number; readonly object: Promise<unknown> }>();

  async function read(client: Client, kind: ReferencedKind, namespace: string, name: string): Promise<unknown> {
    try {
      return await client.core.v1[kind](namespace).get(name);
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  return {
    async get(client, kind, namespace, name) {
      const key = `${kind}/${namespace}/${name}`;
      const known = kept.get(key);
      if (known && clock.now() - known.at < ttlMs) return (await known.object) as never;
      if (kept.size > maxKept) for (const [old, { at }] of kept) if (clock.now() - at >= ttlMs) kept.delete(old);
      const object = read(client, kind, namespace, name);
      kept.set(key, { at: clock.now(), object });
      const forget = (): void => void (kept.get(key)?.object === object && kept.delete(key));
      object.then((found) => found === undefined && forget(), forget);
      return (await object) as never;
    },
  };
}
