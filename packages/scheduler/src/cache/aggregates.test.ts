import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { createSeededRandom, randomInt } from "@coxswain/runtime/random";
import { describe, expect, it } from "vitest";
import { Aggregates, type Aggregation } from "./aggregates.js";
import type { NodeInfo } from "./node-info.js";

/** Of a node only a number matters here. */
const node = (value: number): NodeInfo => ({ value }) as unknown as NodeInfo;
const valueOf = (info: NodeInfo): number => (info as unknown as { value: number }).value;
const sum: Aggregation<{ total: number }> = {
  create: () => ({ total: 0 }),
  add: (into, info, sign) => void (into.total += sign * valueOf(info)),
};

describe("sums over all nodes", () => {
  for (const nodeCount of [1, 3, 40, 5_000])
    it(`are those of the nodes as they are, however many of ${nodeCount} changed since the last time`, () => {
      const random = createSeededRandom(nodeCount);
      const aggregates = new Aggregates();
      const nodes = Array.from({ length: nodeCount }, (_, at) => node(at));
      for (let step = 0; step < 60; step++) {
        for (let changes = randomInt(step % 7 === 0 ? 2 * nodeCount + 40 : 3, random); changes > 0; changes--) {
          const at = randomInt(nodeCount, random);
          const before = nodes[at] as NodeInfo;
          const after = node(randomInt(1_000, random));
          nodes[at] = after;
          aggregates.changed(before, after, nodeCount);
        }
        const total = nodes.reduce((all, info) => all + valueOf(info), 0);
        expect(aggregates.get(`key ${step % 3}`, sum, nodes).total).toBe(total);
      }
    });

  it("do not hold nodes as they were long ago", async () => {
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("gc") as () => void;
    const aggregates = new Aggregates();
    aggregates.get("key", sum, [node(0)]);
    const old = ((): WeakRef<NodeInfo> => {
      const before = node(0);
      aggregates.changed(before, node(1), 1);
      return new WeakRef(before);
    })();
    for (let time = 0; time < 20; time++) aggregates.changed(node(time), node(time + 1), 1);
    await new Promise((resolve) => setImmediate(resolve)); // a WeakRef holds its target until the end of the task that made it
    collect();
    expect(old.deref()).toBeUndefined();
  });
});
