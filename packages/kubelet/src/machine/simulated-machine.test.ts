import { describe, expect, it } from "vitest";
import { createSimulatedMachine, simulatedFacts } from "./simulated-machine.js";

describe("a simulated machine", () => {
  const disk = { capacityBytes: 10, availableBytes: 4, inodes: 3, inodesFree: 1 };
  const machine = createSimulatedMachine(simulatedFacts({ machine: "m", boot: "b" }), () =>
    Promise.resolve({
      memory: { capacityBytes: 100, availableBytes: 30, podBytes: 20 },
      nodeFs: disk,
      processes: { max: 9, running: 5 },
    }),
  );

  it("has facts that do not depend on what it runs on", async () =>
    expect(await machine.facts()).toMatchObject({ machineId: "m", systemUuid: "m", bootId: "b", processors: 32 }));

  it("uses what its runtime computes", async () => {
    expect(await machine.memory()).toEqual({
      capacityBytes: 100,
      availableBytes: 30,
      usageBytes: 70,
      workingSetBytes: 70,
    });
    expect(await machine.fileSystem("/anything")).toEqual(disk);
    expect(await machine.processes()).toEqual({ max: 9, running: 5 });
  });
});
