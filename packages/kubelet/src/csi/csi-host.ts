import type { Node } from "@coxswain/api/core/v1";
import type { CSIDriver, VolumeAttachment } from "@coxswain/api/storage/v1";
import type { DeepReadonly } from "@coxswain/api/types";
import { ownEntries } from "@coxswain/apimachinery/own";
import { isNotFound } from "@coxswain/apimachinery/status";
import type { Client } from "@coxswain/client";
import type { Runtime } from "@coxswain/runtime";
import type { Timer } from "@coxswain/runtime/clock";
import { CsiDrivers } from "./csi-drivers.js";
import { createCsiNodeWriter } from "./csi-node.js";
import { followPlugins } from "./register-plugins.js";
import { stagedVolumes, uniqueVolumeName, type VolumeData } from "./volume-data.js";

/** What volumes of CSI drivers need of the node and of the API server. */
export interface CsiHost {
  readonly nodeName: string;
  readonly drivers: CsiDrivers;
  /** Optional: a driver without one has the defaults. */
  driverObject(name: string): Promise<DeepReadonly<CSIDriver> | undefined>;
  attachment(name: string): Promise<DeepReadonly<VolumeAttachment>>;
  secret(namespace: string, name: string): Promise<Map<string, string>>;
  /** One piece of work per volume at a time. */
  alone<T>(volume: VolumeData, work: () => Promise<T>): Promise<T>;
  /** Whether a controller attached the volume and knows that it is used; until then the pod waits, and is synced when the Node changes. */
  isAttached(volume: VolumeData, podUid: string): boolean;
  /** The volume is neither staged nor published any more: it may be detached. */
  released(volume: VolumeData): void;
  /** The pod has a volume that is to be looked at now and then: claims cannot be watched by nodes. */
  follow(podUid: string): void;
  forget(podUid: string): void;
}

export interface CsiNode extends CsiHost {
  /** For the Node's status. */
  volumesInUse(): readonly string[];
  /** The Node as the API server has it changed. */
  nodeChanged(): void;
  /** Once the Node is registered. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

export interface CsiHostOptions {
  readonly rootDir: string;
  readonly nodeName: string;
  /** In the node's name. */
  readonly client: Client;
  readonly runtime: Runtime;
  node(): DeepReadonly<Node> | undefined;
  /** A pod is to be synced. */
  wake(podUid: string): void;
  /** The Node's status is to be written. */
  reportNode(): void;
}

/** How often claims of published volumes are read, for expansions, and volumes are published again that ask for it; upstream syncs every pod about once a minute. */
const followMs = 60_000;

export async function createCsiNode(options: CsiHostOptions): Promise<CsiNode> {
  const { rootDir, nodeName, client, runtime, node, wake, reportNode } = options;
  const waiting = new Set<string>();
  const wakeWaiting = (): void => {
    const pods = [...waiting];
    waiting.clear();
    for (const podUid of pods) wake(podUid);
  };
  const followed = new Set<string>();
  const drivers = new CsiDrivers(() => {
    wakeWaiting();
    for (const podUid of followed) wake(podUid);
  });
  const inUse = new Set<string>();
  /** What an earlier kubelet staged is in use, if it was reported so. */
  const found = new Set((await stagedVolumes(rootDir)).map(({ data }) => uniqueVolumeName(data)));
  const nodes = createCsiNodeWriter(client, nodeName);
  let watcher: { stop(): Promise<void> } | undefined;
  let timer: Timer | undefined;
  const followLater = (): void => {
    timer ??= runtime.clock.setTimer(
      followMs,
      () => {
        timer = undefined;
        for (const podUid of followed) wake(podUid);
        if (followed.size > 0) followLater();
      },
      "upkeep",
    );
  };

  return {
    nodeName,
    drivers,
    ...createCsiObjects(client),
    alone: createVolumeLocks(),
    isAttached(volume, podUid) {
      const name = uniqueVolumeName(volume);
      if (!inUse.has(name)) {
        inUse.add(name);
        reportNode();
      }
      const { volumesInUse = [], volumesAttached = [] } = node()?.status ?? {};
      const isThere = volumesInUse.includes(name) && volumesAttached.some((attached) => attached.name === name);
      if (!isThere) waiting.add(podUid);
      return isThere;
    },
    released(volume) {
      const name = uniqueVolumeName(volume);
      found.delete(name);
      if (inUse.delete(name)) reportNode();
    },
    follow(podUid) {
      followed.add(podUid);
      followLater();
    },
    forget(podUid) {
      followed.delete(podUid);
      waiting.delete(podUid);
    },
    volumesInUse() {
      const reported = node()?.status?.volumesInUse ?? [];
      return [...new Set([...inUse, ...reported.filter((name) => found.has(name))])].toSorted();
    },
    nodeChanged: wakeWaiting,
    async start() {
      await nodes.initialize();
      watcher ??= await followPlugins({ rootDir, drivers, nodes, runtime });
    },
    async stop() {
      timer?.cancel();
      await watcher?.stop();
      await drivers.stop();
    },
  };
}

/** What the API server has about drivers and their volumes. */
function createCsiObjects(client: Client): Pick<CsiHost, "driverObject" | "attachment" | "secret"> {
  return {
    driverObject: (name) =>
      client.storage.v1
        .csidrivers()
        .get(name)
        .catch((error: unknown) => {
          if (!isNotFound(error)) throw error;
          return undefined;
        }),
    attachment: (name) => client.storage.v1.volumeattachments().get(name),
    async secret(namespace, name) {
      const { data } = await client.core.v1
        .secrets(namespace)
        .get(name)
        .catch((error: Error) => {
          throw new Error(
            `kubernetes.io/csi: failed to find the secret ${name} in the namespace ${namespace} with error: ${error.message}`,
          );
        });
      return new Map(ownEntries(data ?? {}).map(([key, text]) => [key, Buffer.from(text, "base64").toString("utf8")]));
    },
  };
}

/** One piece of work per volume at a time, in the order of the calls. */
function createVolumeLocks(): CsiHost["alone"] {
  const last = new Map<string, Promise<unknown>>();
  return (volume, work) => {
    const key = uniqueVolumeName(volume);
    const mine = (last.get(key) ?? Promise.resolve()).then(work, work);
    const settled = mine.catch(() => {}).then(() => void (last.get(key) === settled && last.delete(key)));
    last.set(key, settled);
    return mine;
  };
}
