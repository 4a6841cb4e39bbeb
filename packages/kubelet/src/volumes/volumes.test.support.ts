import type { PersistentVolume, PersistentVolumeClaim } from "@coxswain/api/core/v1";
import { systemRuntime } from "@coxswain/runtime";
import { CsiDrivers } from "../csi/csi-drivers.js";
import type { CsiHost } from "../csi/csi-host.js";
import type { MountEntry } from "../machine/mount-table.js";
import { fieldValue, resourceValue } from "../sources/downward-api.js";
import type { NodeSources } from "../sources/node-sources.js";
import type { VolumeContents } from "../sources/volume-contents.js";
import { createNodeVolumes, type NodeVolumesOptions } from "./create-node-volumes.js";
import type { Mounter, MountRequest } from "./mounter.js";
import type { NodeVolumes } from "./node-volumes.js";

/** A mounter that mounts nothing and remembers what it was asked for. */
export interface FakeMounter extends Mounter {
  readonly requests: MountRequest[];
  readonly unmounted: string[];
}

export function createFakeMounter(): FakeMounter {
  const table: MountEntry[] = [];
  const requests: MountRequest[] = [];
  const unmounted: string[] = [];
  return {
    requests,
    unmounted,
    table: () => Promise.resolve([...table]),
    mount(request) {
      requests.push(request);
      const { target, fsType = "none", options } = request;
      table.push({ target, fsType, options, root: "/", device: "0:1" });
      return Promise.resolve();
    },
    unmount(target) {
      unmounted.push(target);
      const at = table.findLastIndex((entry) => entry.target === target);
      if (at >= 0) table.splice(at, 1);
      return Promise.resolve();
    },
  };
}

/** What an API server would have. */
export interface FakeObjects {
  configMaps?: Record<string, Record<string, string>>;
  secrets?: Record<string, Record<string, string>>;
  claims?: Record<string, PersistentVolumeClaim>;
  persistentVolumes?: Record<string, PersistentVolume>;
}

const bytesOf = (data: Record<string, string> | undefined): Map<string, Uint8Array> | undefined =>
  data && new Map(Object.entries(data).map(([key, text]) => [key, Buffer.from(text)]));

export function createFakeContents(objects: FakeObjects): VolumeContents {
  const facts = { hostIPs: ["192.0.2.1"], podIPs: [], allocatable: { cpu: "4", memory: "8Gi" } };
  const found = <T>(all: Record<string, T> | undefined, name: string, resource: string): Promise<T> => {
    const object = all?.[name];
    return object ? Promise.resolve(object) : Promise.reject(new Error(`${resource} "${name}" not found`));
  };
  return {
    configMap: (_, name) => Promise.resolve(bytesOf(objects.configMaps?.[name])),
    secret: (_, name) => Promise.resolve(bytesOf(objects.secrets?.[name])),
    claim: (_, name) => found(objects.claims, name, "persistentvolumeclaims"),
    persistentVolume: (name) => found(objects.persistentVolumes, name, "persistentvolumes"),
    expiringToken: (_, { audience = "api" }) => Promise.resolve({ token: `token for ${audience}`, expiresAt: 0 }),
    token: (_, { audience = "api" }) => Promise.resolve(`token for ${audience}`),
    trustAnchors: () => Promise.resolve("anchors"),
    field: (pod, path) => fieldValue(pod, path, facts),
    resource: (pod, field) => resourceValue(pod, field, undefined, facts),
  };
}

/** A node without storage drivers. */
const noDrivers: CsiHost = {
  nodeName: "node-1",
  drivers: new CsiDrivers(() => {}),
  driverObject: () => Promise.resolve(undefined),
  attachment: (name) => Promise.reject(new Error(`volumeattachments "${name}" not found`)),
  secret: (_, name) => Promise.reject(new Error(`secrets "${name}" not found`)),
  alone: (_, work) => work(),
  isAttached: () => false,
  released: () => {},
  follow: () => {},
  forget: () => {},
};

export interface FakeNode {
  readonly volumes: NodeVolumes;
  readonly events: string[];
}

/** The volumes of a node whose API server has these objects. */
export async function startVolumes(
  rootDir: string,
  mounter: Mounter,
  objects: FakeObjects = {},
  csi: CsiHost = noDrivers,
): Promise<FakeNode> {
  const events: string[] = [];
  const options: NodeVolumesOptions = {
    runtime: systemRuntime(),
    rootDir,
    mounter,
    sources: { contents: createFakeContents(objects), register: () => {}, forget: () => {} } as unknown as NodeSources,
    node: () => ({ status: { allocatable: { memory: "8Gi" } } }),
    csi,
    expanded: async (claim, size) => void events.push(`expanded ${claim.metadata?.name} to ${size}`),
    record: (_, { reason, message }) => void events.push(`${reason}: ${message}`),
  };
  return { volumes: await createNodeVolumes(options), events };
}
