import type { RequestInfo } from "../request/request-info.js";

type Watched = Pick<RequestInfo, "group" | "resource" | "namespace" | "name">;

/** Number of watches by what they watch: a write costs more the more watches its event is sent to. */
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

  /** Watches that may get the event of a write: on the kind, on the namespace, on the object. */
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
