import type { PersistentVolume, PersistentVolumeClaim } from "@coxswain/api/core/v1";
import type { DeepReadonly } from "@coxswain/api/types";
import type { RecordedEvent } from "@coxswain/client/events";
import type { Runtime } from "@coxswain/runtime";
import type { CsiHost } from "../csi/csi-host.js";
import type { CachedPod } from "../objects/cached-pod.js";
import type { FileSource } from "../runtime/container-runtime.js";
import type { VolumeContents } from "../sources/volume-contents.js";
import type { PodVolume } from "./driver-usage.js";
import type { Mounter } from "./mounter.js";

/**
 * One type of volume. Whatever it puts below its directory (`pods/<uid>/volumes/kubernetes.io~<directory>/<name>`) is found there and
 * in the mount table when the pod has gone, also by a kubelet that did not put it there: `tear-down.ts` needs no plugin.
 */
export interface VolumePlugin<Source> {
  /** Of its directories; undefined where it makes none. */
  readonly directory?: string;
  /** Brings the volume to what is wanted now. Called at every sync, so what is right is left alone. @throws Error, in words for users */
  setUp(source: Source, request: VolumeRequest, context: VolumeContext): Promise<MountedVolume>;
}

export interface VolumeRequest {
  readonly pod: CachedPod;
  /** In the pod's spec. */
  readonly volume: string;
  /** Of the directory: the same, or the PersistentVolume's. */
  readonly name: string;
  /** The claim is used read-only. */
  readonly isReadOnly: boolean;
  /** Of a PersistentVolume. */
  readonly mountOptions: readonly string[];
  /** Of a claim's volume. */
  readonly persistentVolume?: DeepReadonly<PersistentVolume>;
  readonly claim?: DeepReadonly<PersistentVolumeClaim>;
}

/** What the runtime mounts into containers. */
export type MountedVolume = Extract<FileSource, { readonly kind: "host" | "image" }>;

/** What plugins share. */
export interface VolumeContext {
  /** The kubelet's directory, without links in it. */
  readonly rootDir: string;
  readonly mounter: Mounter;
  readonly contents: VolumeContents;
  readonly runtime: Runtime;
  /** Of the node, for pods: what a tmpfs may use at most. */
  allocatableMemoryBytes(): number;
  /** Drivers of volumes, and what they need. */
  readonly csi: CsiHost;
  /** The volume of a claim has grown to this size: its status is to report it. */
  expanded(claim: DeepReadonly<PersistentVolumeClaim>, size: string): Promise<void>;
  record(pod: CachedPod, event: RecordedEvent): void;
  /** By directory, which volume of its pod it is. */
  readonly podVolumes: Map<string, PodVolume>;
  /** By directory, what this process has done there: equal work is not done twice. */
  readonly done: Map<string, string>;
}

/** The volume waits for somebody else, who wakes the pod: no error, and no event. */
export class VolumeWaitError extends Error {
  override readonly name = "VolumeWaitError";
}

/** Which step of mounting failed, where it is not `SetUp`. */
export class VolumeStepError extends Error {
  override readonly name = "VolumeStepError";
  readonly step: string;

  constructor(step: string, message: string) {
    super(message);
    this.step = step;
  }
}
