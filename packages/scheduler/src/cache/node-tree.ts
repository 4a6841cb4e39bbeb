import type { Node } from "../pod/objects.js";

/** Names of nodes by zone, so that lists of nodes go round the zones. */
export interface NodeTree {
  add(node: Node): void;
  remove(node: Node): void;
  /** One of each zone in turn, until all are listed. */
  list(): string[];
  readonly size: number;
}

export function createNodeTree(): NodeTree {
  const zones = new Map<string, Set<string>>();
  let size = 0;
  return {
    add(node) {
      const zone = zoneOf(node);
      const names = zones.get(zone) ?? new Set();
      zones.set(zone, names);
      const name = node.metadata?.name ?? "";
      if (!names.has(name)) size++;
      names.add(name);
    },
    remove(node) {
      const zone = zoneOf(node);
      const names = zones.get(zone);
      if (!names?.delete(node.metadata?.name ?? "")) return;
      size--;
      if (names.size === 0) zones.delete(zone);
    },
    list() {
      const all: string[] = [];
      let turns = [...zones.values()].map((names) => names.values());
      while (turns.length > 0)
        turns = turns.filter((names) => {
          const next = names.next();
          if (!next.done) all.push(next.value);
          return !next.done;
        });
      return all;
    },
    get size() {
      return size;
    },
  };
}

/** Region and zone; both empty where the node has no such label. */
export function zoneOf(node: Node): string {
  const labels = node.metadata?.labels ?? {};
  const region = labels["failure-domain.beta.kubernetes.io/region"] ?? labels["topology.kubernetes.io/region"] ?? "";
  const zone = labels["failure-domain.beta.kubernetes.io/zone"] ?? labels["topology.kubernetes.io/zone"] ?? "";
  return region === "" && zone === "" ? "" : `${region}:\u0000:${zone}`;
}
