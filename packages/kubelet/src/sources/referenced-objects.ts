import type { ConfigMap, Secret, Service } from "@coxswain/api/core/v1";
import type { DeepReadonly } from "@coxswain/api/types";
import { isNotFound } from "@coxswain/apimachinery/status";
import type { Client } from "@coxswain/client";
import type { Clock } from "@coxswain/runtime/clock";

interface Referenced {
  configmaps: ConfigMap;
  secrets: Secret;
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
  /** How many are remembered. What is older than a minute goes with the next read. */
  readonly size: number;
}

/** How long an object may be old. Upstream's caches follow watches, or live for a minute. */
const ttlMs = 60_000;

export function createReferencedObjects({ clock }: { clock: Clock }): ReferencedObjects {
  const kept = new Map<string, { readonly at: number; readonly object: Promise<unknown> }>();

  /** A Map is in the order of insertion, and what is read again is inserted anew: the first is the oldest. */
  function dropOld(): void {
    for (const [key, { at }] of kept) {
      if (clock.now() - at < ttlMs) return;
      kept.delete(key);
    }
  }

  async function read(client: Client, kind: ReferencedKind, namespace: string, name: string): Promise<unknown> {
    try {
      return await client.core.v1[kind](namespace).get(name);
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  return {
    get size() {
      return kept.size;
    },
    async get(client, kind, namespace, name) {
      const key = `${kind}/${namespace}/${name}`;
      const known = kept.get(key);
      if (known && clock.now() - known.at < ttlMs) return (await known.object) as never;
      dropOld();
      const object = read(client, kind, namespace, name);
      kept.set(key, { at: clock.now(), object });
      const forget = (): void => void (kept.get(key)?.object === object && kept.delete(key));
      object.then((found) => found === undefined && forget(), forget);
      return (await object) as never;
    },
  };
}
