import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { ResourceRequirements } from "@coxswain/api/core/v1";
import { ownEntries } from "@coxswain/apimachinery/own";
import { readCheckpoint, writeCheckpoint } from "../machine/checkpoint-file.js";
import type { Allocation } from "../pod/resize.js";

/** What pods were given, and what their containers have of it, across restarts of the kubelet. */
export interface PodAllocations {
  allocated(podUid: string): Allocation | undefined;
  actuated(podUid: string): Allocation | undefined;
  /** On the disk afterwards. */
  allocate(podUid: string, allocation: Allocation): Promise<void>;
  actuate(podUid: string, allocation: Allocation): Promise<void>;
  forget(podUid: string): Promise<void>;
  /** Of which something is written down. */
  podUids(): readonly string[];
}

/** Upstream's files, so that either kubelet goes on with the other's (pkg/kubelet/allocation, pkg/kubelet/kuberuntime). @throws Error where one is damaged */
export async function openPodAllocations(rootDir: string): Promise<PodAllocations> {
  await mkdir(rootDir, { recursive: true, mode: 0o750 });
  const allocated = await openFile(join(rootDir, "allocated_pods_state"));
  const actuated = await openFile(join(rootDir, "actuated_pods_state"));
  return {
    allocated: (podUid) => allocated.pods.get(podUid),
    actuated: (podUid) => actuated.pods.get(podUid),
    allocate: (podUid, allocation) => allocated.set(podUid, allocation),
    actuate: (podUid, allocation) => actuated.set(podUid, allocation),
    async forget(podUid) {
      await allocated.set(podUid, undefined);
      await actuated.set(podUid, undefined);
    },
    podUids: () => [...new Set([...allocated.pods.keys(), ...actuated.pods.keys()])],
  };
}

interface AllocationFile {
  readonly pods: ReadonlyMap<string, Allocation>;
  set(podUid: string, allocation: Allocation | undefined): Promise<void>;
}

async function openFile(path: string): Promise<AllocationFile> {
  const pods = await readCheckpoint(path)
    .then(parse)
    .catch((error: Error) => {
      throw new Error(
        `could not restore state from checkpoint: ${error.message}, please drain this node and delete pod resource information checkpoint file "${path}" before restarting Kubelet`,
      );
    });
  /** The write that has not begun yet takes along what is set until then. */
  let waiting: Promise<void> | undefined;
  let writing: Promise<void> = Promise.resolve();
  const write = (): Promise<void> => {
    waiting ??= writing
      .catch(() => {}) // its own callers have the error
      .then(() => {
        waiting = undefined;
        return writeCheckpoint(path, serialize(pods));
      });
    writing = waiting;
    return waiting;
  };
  return {
    pods,
    set(podUid, allocation) {
      if (allocation) pods.set(podUid, allocation);
      else if (!pods.delete(podUid)) return Promise.resolve();
      return write();
    },
  };
}

interface Entries {
  readonly entries?: Readonly<
    Record<string, { readonly ContainerResources?: Readonly<Record<string, ResourceRequirements>> }>
  >;
}

const parse = (data: string | undefined): Map<string, Allocation> =>
  new Map(
    ownEntries((JSON.parse(data ?? "{}") as Entries).entries ?? {}).map(([uid, { ContainerResources }]) => [
      uid,
      new Map(ownEntries(ContainerResources ?? {})),
    ]),
  );

/** By name, as Go writes maps. */
const sorted = <T>(entries: Iterable<readonly [string, T]>): Record<string, T> =>
  Object.fromEntries([...entries].toSorted(([a], [b]) => (a < b ? -1 : 1)));

const serialize = (pods: ReadonlyMap<string, Allocation>): string =>
  JSON.stringify({
    entries: sorted(
      [...pods].map(([uid, containers]) => [uid, { ContainerResources: sorted(containers), PodLevelResources: null }]),
    ),
  });
