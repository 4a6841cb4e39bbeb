import type { Link } from "./layer-nodes.js";

/** Sweeps over all layers; more change little. */
const sweeps = 10;

/**
 * Pure: the nodes of each layer in an order with few crossings: again and again each node goes to the middle of its neighbours in the
 * layer before, then after it (Sugiyama's barycentres). `links` join neighbouring layers only.
 */
export function orderLayers(layers: readonly (readonly number[])[], links: readonly Link[]): number[][] {
  const before = new Map<number, number[]>();
  const after = new Map<number, number[]>();
  for (const [from, to] of links) {
    after.set(from, [...(after.get(from) ?? []), to]);
    before.set(to, [...(before.get(to) ?? []), from]);
  }
  const ordered = layers.map((layer) => [...layer]);
  const places = new Map<number, number>();
  const note = (layer: readonly number[]): void => {
    for (const [place, node] of layer.entries()) places.set(node, place);
  };
  for (const layer of ordered) note(layer);
  for (let sweep = 0; sweep < sweeps; sweep++) {
    const isDown = sweep % 2 === 0;
    const neighbours = isDown ? before : after;
    for (const layer of isDown ? ordered : ordered.toReversed()) {
      const middles = new Map(layer.map((node) => [node, middle(neighbours.get(node) ?? [], places, node)]));
      layer.sort((a, b) => (middles.get(a) ?? 0) - (middles.get(b) ?? 0));
      note(layer);
    }
  }
  return ordered;
}

function middle(neighbours: readonly number[], places: ReadonlyMap<number, number>, self: number): number {
  if (neighbours.length === 0) return places.get(self) ?? 0;
  return neighbours.reduce((sum, node) => sum + (places.get(node) ?? 0), 0) / neighbours.length;
}
