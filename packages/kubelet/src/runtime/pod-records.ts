import type { ResourceRequirements } from "@coxswain/api/core/v1";
import type { DeepReadonly } from "@coxswain/api/types";

export interface SandboxRecord {
  readonly id: string;
  readonly attempt: number;
  readonly state: "ready" | "notReady";
  /** Empty for pods in the node's own network. */
  readonly ips: readonly string[];
  /** Milliseconds since 1970, as all times here. */
  readonly createdAt: number;
}

/** One run of a container. */
export interface ContainerRecord {
  readonly id: string;
  readonly sandboxId: string;
  readonly name: string;
  /** How often it ran before. */
  readonly attempt: number;
  readonly state: "created" | "running" | "exited" | "unknown";
  readonly image: string;
  /** See `ImageRecord.id`. */
  readonly imageId: string;
  readonly imageRef: string;
  readonly specHash: string;
  readonly resources: DeepReadonly<ResourceRequirements>;
  readonly createdAt: number;
  readonly startedAt?: number;
  readonly finishedAt?: number;
  readonly exitCode?: number;
  /** Of the exit: "Completed", "Error", "OOMKilled". */
  readonly reason?: string;
  readonly message?: string;
  /** Who its first process runs as, where the runtime reports it. */
  readonly user?: { readonly uid: number; readonly gid: number; readonly supplementalGroups: readonly number[] };
  /** What `stopContainer` sends first, as `SIGTERM`; undefined: not reported. */
  readonly stopSignal?: string;
}

export interface PodRuntimeStatus {
  /** The newest first. */
  readonly sandboxes: readonly SandboxRecord[];
  /** By container name; the newest run first. */
  readonly containers: ReadonlyMap<string, readonly ContainerRecord[]>;
}

export const noRuntimeStatus: PodRuntimeStatus = { sandboxes: [], containers: new Map() };

/** The sandbox that counts: the newest one. */
export const sandboxOf = ({ sandboxes }: PodRuntimeStatus): SandboxRecord | undefined => sandboxes[0];

/** A pod of which the runtime has something. */
export interface RuntimePod {
  readonly uid: string;
  readonly name: string;
  readonly namespace: string;
  /** A sandbox is ready, or a container runs. */
  readonly isRunning: boolean;
  /** The node whose kubelet made its sandbox, where that is known. */
  readonly node?: string;
  /** Of what it has of the pod, the time when the first of it was created. */
  readonly createdAt: number;
}
