import { Aggregates, type Aggregation } from "./aggregates.js";
import type { NodeInfo } from "./node-info.js";

/** The nodes as they were at one instant. Nothing in it changes while a pod is being scheduled. */
export interface Snapshot {
  /** In the order in which nodes are tried: round the zones. */
  readonly nodes: readonly NodeInfo[];
  get(name: string): NodeInfo | undefined;
  /** Whether a pod on some node uses this claim (namespace/name). */
  isClaimUsed(key: string): boolean;
  /** A sum over all nodes, kept from one pod to the next. `key` stands for the aggregation. The sum must not be changed. */
  aggregate<T>(key: string, aggregation: Aggregation<T>): T;
}

/** A snapshot that follows a cache: only what changed since the last `update` is copied. */
export class UpdatableSnapshot implements Snapshot {
  nodes: NodeInfo[] = [];
  #places = new Map<string, number>();
  #usedClaims: Set<string> | undefined;
  readonly #aggregates = new Aggregates();

  get(name: string): NodeInfo | undefined {
    const place = this.#places.get(name);
    return place === undefined ? undefined : this.nodes[place];
  }

  isClaimUsed(key: string): boolean {
    this.#usedClaims ??= new Set(this.nodes.flatMap((info) => [...info.claimUses.keys()]));
    return this.#usedClaims.has(key);
  }

  aggregate<T>(key: string, aggregation: Aggregation<T>): T {
    return this.#aggregates.get(key, aggregation, this.nodes);
  }

  /** The nodes are other ones, or in another order. */
  replaceAll(nodes: NodeInfo[]): void {
    this.#aggregates.clear();
    this.nodes = nodes;
    this.#places = new Map(nodes.map((info, place) => [info.name, place]));
    this.#usedClaims = undefined;
  }

  /** One node changed. Answers false for a node that is not in the snapshot. */
  replace(info: NodeInfo): boolean {
    const place = this.#places.get(info.name);
    const before = place === undefined ? undefined : this.nodes[place];
    if (place === undefined || before === undefined) return false;
    this.nodes[place] = info;
    this.#aggregates.changed(before, info, this.nodes.length);
    if (before.claimUses.size > 0 || info.claimUses.size > 0) this.#usedClaims = undefined;
    return true;
  }
}
