import { describe, expect, it } from "vitest";
import { type Graph, nodeSize } from "../../contract/graph.js";
import { placeGraph } from "./place-graph.js";

const graph = (edges: readonly (readonly [string, string])[], alone: readonly string[] = []): Graph => ({
  nodes: [...new Set([...edges.flat(), ...alone])].map((id) => ({
    id,
    kind: "Pod",
    title: id,
    detail: "",
    tone: "none",
    isSelf: false,
    hash: "",
  })),
  edges: edges.map(([from, to]) => ({ from, to, label: "", isDashed: false })),
  note: "",
});

const cases: readonly { name: string; graph: Graph }[] = [
  { name: "nothing", graph: graph([]) },
  { name: "one node", graph: graph([], ["a"]) },
  { name: "a tree", graph: graph(Array.from({ length: 40 }, (_, at) => ["root", `leaf-${at}`] as const)) },
  {
    name: "a circle",
    graph: graph([
      ["a", "b"],
      ["b", "c"],
      ["c", "a"],
    ]),
  },
  {
    name: "an edge to itself",
    graph: graph([
      ["a", "a"],
      ["a", "b"],
    ]),
  },
  {
    name: "the same edge twice, and one over three layers",
    graph: graph([
      ["a", "b"],
      ["a", "b"],
      ["b", "c"],
      ["c", "d"],
      ["a", "d"],
    ]),
  },
  {
    name: "300 nodes in a tangle",
    graph: graph(Array.from({ length: 600 }, (_, at) => [`n${(at * 7) % 300}`, `n${(at * at + 13) % 300}`] as const)),
  },
];

describe("the places of a graph", () => {
  for (const { name, graph: given } of cases)
    it(`${name}: no two nodes overlap, and all are inside the picture`, () => {
      const { nodes, width, height } = placeGraph(given);
      const isInside = nodes.every(
        ({ x, y }) => x >= 0 && x + nodeSize.width <= width && y >= 0 && y + nodeSize.height <= height,
      );
      const overlapping = nodes.filter(({ x, y }, at) =>
        nodes
          .slice(at + 1)
          .some((other) => Math.abs(other.x - x) < nodeSize.width && Math.abs(other.y - y) < nodeSize.height),
      );
      expect({ isInside, overlapping }).toEqual({ isInside: true, overlapping: [] });
    });

  it("an edge goes from the right side of a node to the left side of the next", () => {
    const { nodes, edges } = placeGraph(graph([["a", "b"]]));
    const [a, b] = nodes;
    expect(edges[0]?.points).toEqual([
      [(a?.x ?? 0) + nodeSize.width, (a?.y ?? 0) + nodeSize.height / 2],
      [b?.x, (b?.y ?? 0) + nodeSize.height / 2],
    ]);
  });

  it("a cause stands left of what it caused", () => {
    const { nodes } = placeGraph(
      graph([
        ["a", "b"],
        ["b", "c"],
        ["a", "c"],
      ]),
    );
    expect(nodes.map(({ x }) => x)).toEqual(nodes.map(({ x }) => x).sort((a, b) => a - b));
  });
});
