import type { ResourceRequirements } from "@coxswain/api/core/v1";
import type { DeepReadonly } from "@coxswain/api/types";
import type { CachedPod } from "../objects/cached-pod.js";
import type { ImageRecord } from "./image-record.js";

/** What a sandbox is made from. A runtime plans its own messages from it, purely. */
export interface PodSandboxConfig {
  readonly pod: CachedPod;
  /** How often the pod had a sandbox before. */
  readonly attempt: number;
  /** Where the pod's containers are accounted, as the runtime names it; empty: the runtime decides. */
  readonly cgroupParent: string;
  /** Of the pod's RuntimeClass; empty: the runtime's default. */
  readonly runtimeHandler: string;
  /** Where the pod has users of its own; undefined: they are the node's. */
  readonly userNamespace?: IdRange | undefined;
}

/** Users and groups of the node that those of a pod are, beginning with 0 in the pod. */
export interface IdRange {
  readonly firstId: number;
  readonly length: number;
}

export interface ContainerConfig {
  readonly pod: CachedPod;
  readonly name: string;
  readonly kind: ContainerKind;
  readonly attempt: number;
  readonly image: ImageRecord;
  readonly command: readonly string[];
  readonly args: readonly string[];
  readonly env: ReadonlyMap<string, string>;
  readonly workingDir: string;
  readonly mounts: readonly Mount[];
  readonly resources: DeepReadonly<ResourceRequirements>;
  /** Whether the container runs what the pod asks for now. */
  readonly specHash: string;
  readonly terminationMessagePath: string;
  readonly terminationMessagePolicy: string;
  /** As the sandbox was made with it. */
  readonly cgroupParent: string;
  /** Of the pod, as far as they are known. */
  readonly podIPs: readonly string[];
  /** As the sandbox was made with it. */
  readonly userNamespace?: IdRange | undefined;
  /** Of an ephemeral container: the container whose process namespace it joins. */
  readonly targetId?: string;
}

export type ContainerKind = "init" | "regular" | "ephemeral";

export interface Mount {
  readonly path: string;
  readonly readOnly: boolean;
  /** Mounts below it are read-only, too. */
  readonly recursiveReadOnly: boolean;
  readonly propagation: MountPropagation;
  /** What the files are: see `FileSource`. */
  readonly source: FileSource;
  /** Only this part of the source, without a slash in front. Sources on the node's disk have it resolved in their path. */
  readonly subPath?: string;
}

export type MountPropagation = "None" | "HostToContainer" | "Bidirectional";

/** Files that a volume brings. */
export type FileSource =
  /** A file or directory of the node. `readOnly`: containers may not write to it, whatever their mounts ask for. @default false */
  | { readonly kind: "host"; readonly path: string; readonly readOnly?: boolean }
  /** What an image holds, mounted by the runtime. */
  | { readonly kind: "image"; readonly ref: string }
  /** Simulated: lives as long as the pod and is shared by its containers under this name; with a slash in front, as long as the node. */
  | { readonly kind: "scratch"; readonly volume: string }
  /** Simulated: a persistent volume; `refresh` takes notice of a capacity that has grown. */
  | { readonly kind: "persistent"; readonly volume: string; readonly readOnly: boolean; refresh(): Promise<void> }
  /** Simulated: written by the kubelet from other objects; `refresh` brings them up to date where they may be old. */
  | {
      readonly kind: "files";
      read(): ReadonlyMap<string, Uint8Array>;
      /** Permission bits of a file. */
      mode(path: string): number;
      refresh(): Promise<void>;
    };
