import type { Node } from "@coxswain/api/core/v1";
import type { CSINode, CSINodeDriver } from "@coxswain/api/storage/v1";
import { equalJson } from "@coxswain/apimachinery/json";
import { getOwn } from "@coxswain/apimachinery/own";
import { isAlreadyExists, isConflict, isNotFound } from "@coxswain/apimachinery/status";
import type { Client } from "@coxswain/client";

/** What a driver reports about itself on this node. */
export interface DriverFacts {
  readonly nodeId: string;
  /** 0: no limit is known. */
  readonly maxVolumes: number;
  readonly topology: Readonly<Record<string, string>>;
}

/** Writes into the API what schedulers and controllers must know of this node's drivers. */
export interface CsiNodeWriter {
  /** Makes the CSINode, without drivers where it is new. */
  initialize(): Promise<void>;
  /** @throws Error in upstream's words */
  install(driver: string, facts: DriverFacts): Promise<void>;
  uninstall(driver: string): Promise<void>;
}

/** In-tree plugins whose volumes are CSI's now; the scheduler reads them. */
const migratedAnnotation = "storage.alpha.kubernetes.io/migrated-plugins";
const migratedPlugins = [
  "kubernetes.io/aws-ebs",
  "kubernetes.io/azure-disk",
  "kubernetes.io/azure-file",
  "kubernetes.io/cinder",
  "kubernetes.io/gce-pd",
  "kubernetes.io/portworx-volume",
  "kubernetes.io/vsphere-volume",
].join(",");
const nodeIdAnnotation = "csi.volume.kubernetes.io/nodeid";
/** Others write the same objects. */
const tries = 6;

/** Upstream's `pkg/volume/csi/nodeinfomanager`. */
export function createCsiNodeWriter(client: Client, nodeName: string): CsiNodeWriter {
  const csiNodes = client.storage.v1.csinodes();
  const nodes = client.core.v1.nodes();

  async function update(change: (drivers: readonly CSINodeDriver[]) => readonly CSINodeDriver[]): Promise<void> {
    for (let left = tries; ; left--) {
      try {
        const object = await ensure(await nodes.get(nodeName));
        const before = object.spec.drivers ?? [];
        const drivers = change(before);
        if (!equalJson(drivers, before))
          await csiNodes.update({ ...object, spec: { ...object.spec, drivers: [...drivers] } });
        return;
      } catch (error) {
        if (left <= 1 || !(isConflict(error) || isAlreadyExists(error))) throw error;
      }
    }
  }

  /** Of a Node that was made anew the old CSINode goes. */
  async function ensure(node: Node): Promise<CSINode> {
    const uid = node.metadata?.uid ?? "";
    const found = await csiNodes.get(nodeName).catch((error: unknown) => {
      if (!isNotFound(error)) throw error;
      return undefined;
    });
    if (found?.metadata?.ownerReferences?.some((owner) => owner.kind === "Node" && owner.uid === uid)) return found;
    if (found) await csiNodes.delete(nodeName);
    return csiNodes.create({
      metadata: {
        name: nodeName,
        ownerReferences: [{ apiVersion: "v1", kind: "Node", name: nodeName, uid }],
        annotations: { [migratedAnnotation]: migratedPlugins },
      },
      spec: { drivers: [] },
    });
  }

  async function patchNode(driver: string, facts: DriverFacts | undefined): Promise<void> {
    const node = await nodes.get(nodeName);
    const patch = planNodePatch(node, driver, facts);
    if (patch) await nodes.patch(nodeName, { strategic: { metadata: patch } });
  }

  return {
    initialize: () => update((drivers) => drivers),
    async install(driver, facts) {
      if (facts.nodeId === "") throw new Error("error adding CSI driver node info: driverNodeID must not be empty");
      await patchNode(driver, facts).catch(wrap("error updating Node object with CSI driver node info"));
      await update((drivers) => planDrivers(drivers, driver, facts)).catch(
        wrap("error updating CSINode object with CSI driver node info"),
      );
    },
    async uninstall(driver) {
      await update((drivers) => drivers.filter(({ name }) => name !== driver));
      await patchNode(driver, undefined);
    },
  };
}

const wrap =
  (words: string) =>
  (error: unknown): never => {
    throw new Error(`${words}: ${(error as Error).message}`, { cause: error });
  };

/** Pure: the drivers of a CSINode with this one as it reports itself. */
export function planDrivers(
  drivers: readonly CSINodeDriver[],
  name: string,
  { nodeId, maxVolumes, topology }: DriverFacts,
): CSINodeDriver[] {
  const driver: CSINodeDriver = {
    name,
    nodeID: nodeId,
    topologyKeys: Object.keys(topology).toSorted(),
    ...(maxVolumes > 0 && { allocatable: { count: Math.min(maxVolumes, 0x7fffffff) } }),
  };
  return [...drivers.filter((each) => each.name !== name), driver];
}

/** Pure: the Node's annotation with the drivers' ids, and labels of its topology; undefined: they are right. @throws Error where a label contradicts */
export function planNodePatch(
  { metadata }: Node,
  driver: string,
  facts: DriverFacts | undefined,
): { annotations: Record<string, string | null>; labels: Record<string, string> } | undefined {
  const before = getOwn(metadata?.annotations, nodeIdAnnotation);
  const ids = new Map(Object.entries(JSON.parse(before ?? "{}") as Record<string, string>));
  if (facts) ids.set(driver, facts.nodeId);
  else ids.delete(driver);
  const after = ids.size === 0 ? null : JSON.stringify(Object.fromEntries(ids));
  const labels: Record<string, string> = {};
  for (const [key, value] of Object.entries(facts?.topology ?? {})) {
    const known = getOwn(metadata?.labels, key);
    if (known !== undefined && known !== value)
      throw new Error(
        `detected topology value collision: driver reported "${key}":"${value}" but existing label is "${key}":"${known}"`,
      );
    if (known === undefined) Object.defineProperty(labels, key, { value, enumerable: true });
  }
  if ((before ?? null) === after && Object.keys(labels).length === 0) return undefined;
  return { annotations: { [nodeIdAnnotation]: after }, labels };
}
