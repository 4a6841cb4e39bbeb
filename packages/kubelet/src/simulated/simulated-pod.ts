import type { FileTree } from "../languages/shell/file-tree.js";
import type { CachedPod } from "../objects/cached-pod.js";
import type { ContainerRecord, PodRuntimeStatus, SandboxRecord } from "../runtime/container-runtime.js";
import type { Behaviour } from "./behaviour.js";
import type { CatchUpClock } from "./catch-up-clock.js";
import type { ContainerLog } from "./container-log.js";
import type { ContainerShell } from "./container-shell.js";
import { type OwnConfig, ownConfig, type SimulatedConfig } from "./own-config.js";
import type { PortServer } from "./port-server.js";
import type { SimulatedProcess } from "./process.js";

export interface SimulatedPod {
  /** As the API server has it now. Nothing else here holds the pod: an older state of it would be 3 KB more. */
  pod: CachedPod;
  /** The newest first. */
  sandboxes: SandboxRecord[];
  readonly containers: Map<string, SimulatedContainer[]>;
  /** Volumes that live as long as the pod. */
  readonly volumes: Map<string, FileTree>;
}

export const configOf = ({ home, config }: Pick<SimulatedContainer, "home" | "config">): SimulatedConfig => ({
  pod: home.pod,
  ...config,
});

export interface SimulatedContainer {
  config: OwnConfig;
  /** Of a container that an earlier process started: what the pod's status does not have of its configuration is read when it is needed. */
  completed: Promise<void> | undefined;
  readonly isAdopted: boolean;
  /** Of a program that does again what it did in an earlier process. */
  replay: CatchUpClock | undefined;
  readonly behaviour: Behaviour;
  readonly home: SimulatedPod;
  record: ContainerRecord;
  process: SimulatedProcess | undefined;
  /** Made when something is run in it: most containers never run anything. */
  shell: ContainerShell | undefined;
  log: ContainerLog | undefined;
  /** Made for the first connection: what listens in a container whose program is known. */
  server: PortServer | undefined;
  readonly exited: (() => void)[];
}

/** A container that does not run yet. */
export const newContainer = (
  made: Pick<SimulatedContainer, "behaviour" | "home" | "record"> & {
    readonly config: OwnConfig;
    readonly isAdopted?: boolean;
  },
): SimulatedContainer => ({
  isAdopted: false,
  replay: undefined,
  ...made,
  config: ownConfig(made.config),
  completed: undefined,
  process: undefined,
  shell: undefined,
  log: undefined,
  server: undefined,
  exited: [],
});

export function statusOf({ sandboxes, containers }: SimulatedPod): PodRuntimeStatus {
  const records = new Map<string, readonly ContainerRecord[]>();
  for (const [name, runs] of containers)
    records.set(
      name,
      runs.map(({ record }) => record),
    );
  return { sandboxes, containers: records };
}

/** What runs in a container sees its files as they are now. */
export async function refreshMounts({ config }: SimulatedContainer): Promise<void> {
  for (const { source } of config.mounts)
    if (source.kind === "files" || source.kind === "persistent") await source.refresh();
}
