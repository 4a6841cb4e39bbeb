import type { Client } from "@coxswain/client";
import { digestOf } from "./digest.js";

/** So many objects are remembered for each cluster, about 200 bytes each. One that is forgotten costs one request that changes nothing. */
const most = 20_000;

/** What the last apply to an object sent, and what the object was afterwards. */
interface Applied {
  readonly making: string;
  readonly outcome: string;
}

/**
 * Lets an apply be left out that would change nothing: the same configuration was applied before, and the object still is what that
 * made of it. Only the server knows which fields an apply changes, so this compares its own answers.
 */
export class AppliedObjects {
  readonly #applied = new Map<string, Applied>();

  /** `making`: a digest of the configuration and its sources. */
  isAsApplied(key: string, making: string, present: object): boolean {
    const last = this.#applied.get(key);
    return last !== undefined && last.making === making && last.outcome === outcomeOf(present);
  }

  note(key: string, making: string, present: object): void {
    this.#applied.delete(key);
    this.#applied.set(key, { making, outcome: outcomeOf(present) });
    if (this.#applied.size <= most) return;
    for (const oldest of this.#applied.keys()) {
      this.#applied.delete(oldest);
      return;
    }
  }
}

const byClient = new WeakMap<Client, AppliedObjects>();

/** Those of one cluster of one manager. */
export function appliedThrough(client: Client): AppliedObjects {
  let applied = byClient.get(client);
  if (applied === undefined) byClient.set(client, (applied = new AppliedObjects()));
  return applied;
}

/** What changes by itself: versions, and the record of who wrote what when. */
const passing = new Set(["resourceVersion", "generation", "managedFields"]);
const notContent = new Set(["metadata", "status", "kind", "apiVersion"]);

function outcomeOf(object: object): string {
  const without = (of: object, names: ReadonlySet<string>) => Object.entries(of).filter(([name]) => !names.has(name));
  const { metadata = {} } = object as { metadata?: object };
  return digestOf(JSON.stringify([without(metadata, passing), without(object, notContent)]));
}
