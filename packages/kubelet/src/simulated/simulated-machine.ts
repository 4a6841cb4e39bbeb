import type { Scheduler } from "@coxswain/runtime/scheduler";
import type { Budget } from "../languages/budget.js";
import { createProcessorShare, roundsBetween } from "../languages/processor-share.js";
import { createMachine, type Machine } from "../languages/shell/cgroup.js";
import { createDisk } from "../languages/shell/file-tree.js";
import { createLogSpace, type LogSpace } from "./log-space.js";
import type { PodNetwork } from "./pod-network.js";
import { createMemoryVolumes, type PersistentVolumes } from "./volumes/persistent-volumes.js";

/** What the simulated containers of all nodes of a process have together. */
export interface SimulatedMachine extends Machine {
  /** Bytes of all files. */
  readonly disk: Budget;
  readonly logs: LogSpace;
  readonly volumes: PersistentVolumes;
  /** Undefined: containers reach nothing but their own pods. */
  readonly network: PodNetwork | undefined;
}

export const createSimulatedMachine = (
  scheduler: Pick<Scheduler, "nextIteration">,
  { volumes = createMemoryVolumes(), network }: { volumes?: PersistentVolumes; network?: PodNetwork } = {},
): SimulatedMachine => ({
  ...createMachine(createProcessorShare(roundsBetween(scheduler))),
  disk: createDisk(),
  logs: createLogSpace(),
  volumes,
  network,
});
