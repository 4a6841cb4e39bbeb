import { largest, smallest } from "@coxswain/apimachinery/append";
import { type Graph, type GraphPicture, nodeSize } from "../../contract/graph.js";
import { type Link, layersOf, withoutCircles } from "./layer-nodes.js";
import { orderLayers } from "./order-layers.js";

const gap = { between: 90, below: 18, edge: 14, margin: 16 } as const;
/** Passes in which nodes move to the middle of their neighbours. */
const passes = 24;

/** Pure: places for a graph, in layers from left to right. A few hundred nodes take some milliseconds. */
export function placeGraph(graph: Graph): GraphPicture {
  const numbers = new Map(graph.nodes.map(({ id }, at) => [id, at]));
  const edges = graph.edges.flatMap((edge) => {
    const link = [numbers.get(edge.from), numbers.get(edge.to)] as const;
    return link[0] === undefined || link[1] === undefined ? [] : [{ edge, link: link as Link }];
  });
  const forward = withoutCircles(
    graph.nodes.length,
    edges.map(({ link }) => link),
  );
  const layers = layersOf(graph.nodes.length, forward);
  const { all, links, ways } = withStops(layers, forward);
  const byLayer: number[][] = [];
  for (const [node, layer] of all.entries()) (byLayer[layer] ??= []).push(node);
  const isStop = (node: number): boolean => node >= graph.nodes.length;
  const ys = placeRows(orderLayers(byLayer, links), links, isStop);
  const xOf = (node: number): number => gap.margin + (all[node] ?? 0) * (nodeSize.width + gap.between);
  const yOf = (node: number): number => (ys.get(node) ?? 0) + gap.margin;
  const wayOf = new Map(ways.map((way) => [`${way[0]}>${way.at(-1)}`, way]));
  return {
    nodes: graph.nodes.map((node, at) => ({ ...node, x: xOf(at), y: yOf(at) })),
    edges: edges.flatMap(({ edge, link: [from, to] }) => {
      const way = wayOf.get(`${from}>${to}`) ?? wayOf.get(`${to}>${from}`);
      if (!way) return []; // to itself
      const points = way.flatMap((node, at): [number, number][] => {
        const x = xOf(node);
        const y = yOf(node) + (isStop(node) ? 0 : nodeSize.height / 2);
        if (isStop(node))
          return [
            [x, y],
            [x + nodeSize.width, y],
          ];
        return [[at === 0 ? x + nodeSize.width : x, y]];
      });
      return [{ ...edge, points: way[0] === from ? points : points.toReversed() }];
    }),
    width: largest(all, 0) * (nodeSize.width + gap.between) + nodeSize.width + 2 * gap.margin,
    height:
      largest(
        all.map((_, node) => yOf(node) + (isStop(node) ? 0 : nodeSize.height)),
        0,
      ) + gap.margin,
    note: graph.note,
  };
}

/** An edge over several layers gets a stop in each of them, so that it goes round what stands there. */
function withStops(layers: readonly number[], links: readonly Link[]) {
  const all = [...layers];
  const short: Link[] = [];
  const ways = links.map(([from, to]) => {
    const way = [from];
    for (let layer = (layers[from] ?? 0) + 1; layer < (layers[to] ?? 0); layer++) way.push(all.push(layer) - 1);
    way.push(to);
    for (let at = 1; at < way.length; at++) short.push([way[at - 1] ?? 0, way[at] ?? 0]);
    return way;
  });
  return { all, links: short, ways };
}

/** Rows of each layer: near their neighbours, in their order, with space between them. */
function placeRows(
  ordered: readonly (readonly number[])[],
  links: readonly Link[],
  isStop: (node: number) => boolean,
): ReadonlyMap<number, number> {
  const heightOf = (node: number): number => (isStop(node) ? gap.edge : nodeSize.height + gap.below);
  const neighbours = new Map<number, number[]>();
  for (const [from, to] of links) {
    neighbours.set(from, [...(neighbours.get(from) ?? []), to]);
    neighbours.set(to, [...(neighbours.get(to) ?? []), from]);
  }
  const ys = new Map<number, number>();
  for (const layer of ordered) {
    let y = 0;
    for (const node of layer) {
      ys.set(node, y);
      y += heightOf(node);
    }
  }
  for (let pass = 0; pass < passes; pass++)
    for (const layer of pass % 2 === 0 ? ordered : ordered.toReversed()) {
      const wanted = layer.map((node) => middleOf(node, neighbours.get(node) ?? [], ys, isStop));
      spread(layer, wanted, heightOf).forEach((y, at) => ys.set(layer[at] ?? 0, y));
    }
  const first = smallest([...ys.values()]);
  for (const [node, y] of ys) ys.set(node, y - first);
  return ys;
}

function middleOf(
  node: number,
  neighbours: readonly number[],
  ys: ReadonlyMap<number, number>,
  isStop: (node: number) => boolean,
): number {
  const centre = (one: number): number => (ys.get(one) ?? 0) + (isStop(one) ? 0 : nodeSize.height / 2);
  if (neighbours.length === 0) return ys.get(node) ?? 0;
  const mean = neighbours.reduce((sum, one) => sum + centre(one), 0) / neighbours.length;
  return mean - (isStop(node) ? 0 : nodeSize.height / 2);
}

/** Places as near to the wanted ones as the order and the heights allow: those that would overlap are moved as one block. */
function spread(layer: readonly number[], wanted: readonly number[], heightOf: (node: number) => number): number[] {
  interface Block {
    start: number;
    height: number;
    members: number;
  }
  const blocks: Block[] = [];
  for (const [at, node] of layer.entries()) {
    let block: Block = { start: wanted[at] ?? 0, height: heightOf(node), members: 1 };
    for (let last = blocks.at(-1); last && last.start + last.height > block.start; last = blocks.at(-1)) {
      blocks.pop();
      const members = last.members + block.members;
      const start = (last.start * last.members + (block.start - last.height) * block.members) / members;
      block = { start, height: last.height + block.height, members };
    }
    blocks.push(block);
  }
  const found: number[] = [];
  for (const { start, members } of blocks) {
    let y = start;
    for (let count = 0; count < members; count++) {
      found.push(y);
      y += heightOf(layer[found.length - 1] ?? 0);
    }
  }
  return found;
}
