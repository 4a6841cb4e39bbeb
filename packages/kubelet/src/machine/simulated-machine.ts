import type { NodeStats } from "../runtime/container-runtime.js";
import type { Machine, MachineFacts } from "./machine.js";

/** What simulated nodes report, whatever they run on; as large as KWOK's nodes. */
export function simulatedFacts(ids: { readonly machine: string; readonly boot: string }): MachineFacts {
  return {
    architecture: "amd64",
    kernelVersion: "6.1.0-simulated",
    osImage: "Coxswain simulated node",
    machineId: ids.machine,
    systemUuid: ids.machine,
    bootId: ids.boot,
    processors: 32,
    memoryBytes: 256 * 1024 ** 3,
    swapBytes: 0,
    hugePages: [
      { sizeBytes: 2 * 1024 ** 2, count: 0 },
      { sizeBytes: 1024 ** 3, count: 0 },
    ],
    cgroupVersion: 2,
  };
}

/** A machine whose usage is what a simulated runtime computes from rules and running containers. */
export function createSimulatedMachine(facts: MachineFacts, stats: () => Promise<NodeStats>): Machine {
  return {
    facts: () => Promise.resolve(facts),
    async memory() {
      const { capacityBytes, availableBytes } = (await stats()).memory;
      const usageBytes = capacityBytes - availableBytes;
      return { capacityBytes, availableBytes, usageBytes, workingSetBytes: usageBytes };
    },
    fileSystem: async () => (await stats()).nodeFs,
    processes: async () => (await stats()).processes,
    processorNanoseconds: () => Promise.resolve(0),
  };
}
