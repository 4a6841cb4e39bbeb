import type { RequestInfo } from "../request/request-info.js";

type Watched = Pick<RequestInfo, "group" | "resource" | "namespace" | "name">;

/** How many watches there are on what: a write is the more work the more of them hear of it. */
export class WatchCounts {
  readonly #counts = new Map<string, number>();

  /** Call what this returns once when the watch is over. */
  add(watched: Watched): () => void {
    const key = keyOf(watched.group, watched.resource, watched.namespace, watched.name);
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      const left = (this.#counts.get(key) ?? 1) - 1;
      if (left === 0) this.#counts.delete(key);
      else this.#counts.set(key, left);
    };
  }

  /** Those that may hear of a write: of all objects of the kind, of those in the namespace, of this one. */
  interestedIn({ group, resource, namespace, name }: Watched): number {
    if (this.#counts.size === 0) return 0;
    let count = this.#counts.get(keyOf(group, resource, "", "")) ?? 0;
    if (namespace !== "") count += this.#counts.get(keyOf(group, resource, namespace, "")) ?? 0;
    if (name !== "") count += this.#counts.get(keyOf(group, resource, namespace, name)) ?? 0;
    return count;
  }
}

const keyOf = (group: string, resource: string, namespace: string, name: string): string =>
  `${group}/${resource}/${namespace}/${name}`;
