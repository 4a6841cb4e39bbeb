import { afterEach, describe, expect, it } from "vitest";
import { startTestNodes, type TestNodes } from "../test-nodes.test.support.js";
import { conditionEvents } from "./node-object.js";

describe("events about conditions", () => {
  const all = (status: string, ready: string) => [
    { type: "MemoryPressure", status },
    { type: "DiskPressure", status },
    { type: "PIDPressure", status },
    { type: "Ready", status: ready },
  ];
  const sufficient = ["NodeHasSufficientMemory", "NodeHasNoDiskPressure", "NodeHasSufficientPID"];
  const rows = [
    { name: "a new node has no pressure", before: [], pressures: [], reasons: sufficient },
    { name: "nothing changed", before: all("False", "True"), pressures: [], reasons: [] },
    {
      name: "pressure begins",
      before: all("False", "True"),
      pressures: ["DiskPressure"],
      reasons: ["NodeHasDiskPressure"],
    },
    {
      name: "the node controller did not see it for long",
      before: all("Unknown", "Unknown"),
      pressures: [],
      reasons: [...sufficient, "NodeReady"],
    },
  ] as const;
  for (const { name, before, pressures, reasons } of rows)
    it(name, () => expect(conditionEvents(before, { pressures, problems: [] })).toEqual(reasons));
});

describe("events about a node", () => {
  let cluster: TestNodes | undefined;
  afterEach(async () => {
    await cluster?.stop();
    cluster = undefined;
  });

  it("are those of a kubelet that starts, in its order", async () => {
    cluster = await startTestNodes({ nodes: 1 });
    await cluster.settle();
    expect(await cluster.events("node-0")).toEqual([
      "Starting",
      "NodeHasSufficientMemory",
      "NodeHasNoDiskPressure",
      "NodeHasSufficientPID",
      "NodeAllocatableEnforced",
      "NodeReady",
    ]);
    const { items } = await cluster.client.core.v1.events("default").list();
    expect(items.find(({ reason }) => reason === "NodeReady")?.message).toBe("Node node-0 status is now: NodeReady");
  });

  it("report that it is closed to pods, and open again", async () => {
    cluster = await startTestNodes({ nodes: 1 });
    for (const [unschedulable, reason] of [
      [true, "NodeNotSchedulable"],
      [false, "NodeSchedulable"],
    ] as const) {
      await cluster.client.core.v1.nodes().patch("node-0", { merge: { spec: { unschedulable } } });
      await cluster.advance(11_000);
      expect((await cluster.events("node-0")).at(-1)).toBe(reason);
    }
  });
});
