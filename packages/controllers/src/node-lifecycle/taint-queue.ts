/** Nodes of a zone that wait for a taint, and how fast they get it: at most one at once. Times are in milliseconds. */
export interface TaintQueue {
  add(node: string): void;
  remove(node: string): void;
  /** The node that may be tainted now; it leaves the queue. Otherwise how long to wait; undefined: for nothing. */
  take(nowMs: number): { readonly node: string } | { readonly waitMs: number } | undefined;
  /** Nodes a second; 0: none. A waiting node then waits as long as the new rate asks. */
  setRate(perSecond: number, nowMs: number): void;
}

export function createTaintQueue(perSecond: number): TaintQueue {
  const nodes = new Set<string>();
  let rate = perSecond;
  let lastMs = Number.NEGATIVE_INFINITY;
  const waitMs = (nowMs: number): number => (rate <= 0 ? Number.POSITIVE_INFINITY : lastMs + 1000 / rate - nowMs);
  return {
    add: (node) => void nodes.add(node),
    remove: (node) => void nodes.delete(node),
    take(nowMs) {
      const [node] = nodes;
      if (node === undefined) return undefined;
      const wait = waitMs(nowMs);
      if (wait > 0) return Number.isFinite(wait) ? { waitMs: Math.ceil(wait) } : undefined;
      nodes.delete(node);
      lastMs = nowMs;
      return { node };
    },
    setRate(next, nowMs) {
      if (next === rate) return;
      if (waitMs(nowMs) > 0) lastMs = nowMs;
      rate = next;
    },
  };
}
