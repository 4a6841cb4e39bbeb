import { mkdir, readdir, realpath } from "node:fs/promises";
import type { Node, PersistentVolumeClaim } from "@coxswain/api/core/v1";
import type { DeepReadonly } from "@coxswain/api/types";
import { getOwn } from "@coxswain/apimachinery/own";
import { quantityValue } from "@coxswain/apimachinery/quantity";
import type { RecordedEvent } from "@coxswain/client/events";
import type { Runtime } from "@coxswain/runtime";
import type { CsiHost } from "../csi/csi-host.js";
import { podsDirectory, subPathTarget } from "../machine/pod-directories.js";
import { type CachedPod, uidOf } from "../objects/cached-pod.js";
import { ConfigError, MountError, VolumesError } from "../runtime/container-runtime.js";
import type { NodeSources } from "../sources/node-sources.js";
import { readDriverUsage } from "./driver-usage.js";
import type { Mounter } from "./mounter.js";
import type { NodeVolumes, SubPathRequest } from "./node-volumes.js";
import { resolveVolume, UnresolvedVolumeError } from "./resolve-volume.js";
import { bindSubPath } from "./sub-path.js";
import { discardPod, tearDownPod } from "./tear-down.js";
import { sweepStaged } from "./unmount-csi.js";
import { createUsageCache } from "./usage-cache.js";
import { type MountedVolume, type VolumeContext, VolumeStepError, VolumeWaitError } from "./volume-plugin.js";
import { readUsage } from "./volume-usage.js";

export interface NodeVolumesOptions {
  readonly runtime: Runtime;
  /** The kubelet's directory; made where it is missing. */
  readonly rootDir: string;
  readonly mounter: Mounter;
  readonly sources: NodeSources;
  node(): DeepReadonly<Node> | undefined;
  record(pod: CachedPod, event: RecordedEvent): void;
  readonly csi: CsiHost;
  /** See `VolumeContext`. */
  expanded(claim: DeepReadonly<PersistentVolumeClaim>, size: string): Promise<void>;
}

export async function createNodeVolumes(options: NodeVolumesOptions): Promise<NodeVolumes> {
  const { runtime, mounter, sources, node, record, csi, expanded } = options;
  const { contents } = sources;
  await mkdir(podsDirectory(options.rootDir), { recursive: true, mode: 0o750 });
  // The mount table has no links in its paths.
  const rootDir = await realpath(options.rootDir);
  const context: VolumeContext = {
    rootDir,
    mounter,
    contents,
    runtime,
    csi,
    expanded,
    record,
    allocatableMemoryBytes: () => quantityValue(getOwn(node()?.status?.allocatable, "memory") ?? "0"),
    podVolumes: new Map(),
    done: new Map(),
  };
  const usage = createUsageCache(runtime.clock, (podUid) => readUsage(context, podUid));
  const { podVolumes } = context;
  const driverUsage = createUsageCache(runtime.clock, (podUid) =>
    readDriverUsage({ rootDir, drivers: csi.drivers, podVolumes }, podUid),
  );
  /** By pod and volume: what containers may have been started with. */
  const mounted = new Map<string, Map<string, MountedVolume>>();

  async function mountAll(pod: CachedPod, signal: AbortSignal): Promise<ReadonlyMap<string, MountedVolume>> {
    const before = mounted.get(uidOf(pod));
    const volumes = new Map<string, MountedVolume>();
    const problems = new Map<string, string | undefined>();
    for (const volume of pod.spec?.volumes ?? []) {
      signal.throwIfAborted();
      try {
        const { plugin, source, request } = await resolveVolume(pod, volume, contents);
        volumes.set(volume.name, await plugin.setUp(source, request, context).catch(failed(request.name)));
      } catch (error) {
        if (error instanceof VolumeWaitError) {
          problems.set(volume.name, undefined);
          continue;
        }
        const mountError = asMountError(volume.name, error);
        const known = before?.get(volume.name);
        if (known) {
          volumes.set(volume.name, known);
          record(pod, { type: "Warning", reason: "FailedMount", message: mountError.message });
        } else problems.set(volume.name, mountError.message);
      }
    }
    if (problems.size > 0) throw new VolumesError(problems);
    mounted.set(uidOf(pod), volumes);
    return volumes;
  }

  async function remove(podUid: string, how: typeof tearDownPod): Promise<void> {
    sources.forget(podUid);
    mounted.delete(podUid);
    usage.forget(podUid);
    driverUsage.forget(podUid);
    for (const directory of context.done.keys())
      if (directory.startsWith(`${podsDirectory(rootDir)}/${podUid}/`)) context.done.delete(directory);
    await how(context, podUid).catch((error: unknown) => {
      throw new MountError(`UnmountVolume.TearDown failed for pod "${podUid}" : ${(error as Error).message}`);
    });
  }

  return {
    mount(pod, signal) {
      sources.register(pod);
      return mountAll(pod, signal);
    },
    mountSubPath: (request) => mountSubPath(context, request),
    unmount: (podUid) => remove(podUid, tearDownPod),
    discard: (podUid) => remove(podUid, discardPod),
    sweep: (onProblem) => sweepStaged(context, onProblem),
    podUids: () => readdir(podsDirectory(rootDir)),
    usage: (podUid) => usage.get(podUid),
    driverUsage: (podUid) => driverUsage.get(podUid),
  };
}

/** In upstream's words: `MountVolume.SetUp failed for volume "x" : …`. */
const failed =
  (name: string) =>
  (error: unknown): never => {
    if (error instanceof VolumeWaitError) throw error;
    const step = error instanceof VolumeStepError ? error.step : "MountVolume.SetUp failed";
    throw new MountError(`${step} for volume "${name}" : ${(error as Error).message}`);
  };

function asMountError(volume: string, error: unknown): MountError {
  if (error instanceof MountError) return error;
  if (!(error instanceof UnresolvedVolumeError)) throw error;
  return new MountError(
    `Unable to attach or mount volumes: unmounted volumes=[${volume}], unattached volumes=[], failed to process volumes=[${volume}]: ${error.message}`,
  );
}

async function mountSubPath({ rootDir, mounter, runtime }: VolumeContext, request: SubPathRequest): Promise<string> {
  const { pod, container, index, volume, path, subPath } = request;
  if (subPath.startsWith("/")) throw new ConfigError(`error SubPath \`${subPath}\` must not be an absolute path`);
  if (subPath.split("/").includes(".."))
    throw new ConfigError(`unable to provision SubPath \`${subPath}\`: must not contain '..'`);
  const target = subPathTarget(rootDir, { podUid: uidOf(pod), volume, container, index });
  try {
    await bindSubPath(mounter, { volume: path, subPath, target });
  } catch (error) {
    // What is wrong would give away what is on the node.
    runtime.log.error("Failed to prepare subPath", { container, volume, error: (error as Error).message });
    throw new ConfigError(`failed to prepare subPath for volumeMount "${volume}" of container "${container}"`);
  }
  return target;
}
