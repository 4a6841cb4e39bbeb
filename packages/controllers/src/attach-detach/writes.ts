import type { Node } from "@coxswain/api/core/v1";
import { isAlreadyExists, isNotFound } from "@coxswain/apimachinery/status";
import type { Client } from "@coxswain/client";
import type { NamedCause } from "../controller/named-cause.js";
import { type Attachable, attachmentName } from "./attachable.js";
import { type CachedNode, isInUse, isReportedBy } from "./world.js";

type Csi = NonNullable<Attachable["csi"]>;

/** What the controller asks of the server. */
export interface AttachWrites {
  /** Asks the driver to attach; one that was asked already is not asked again. */
  attach(csi: Csi, nodeName: string, cause: NamedCause): Promise<void>;
  /** Asks the driver to detach. */
  detach(csi: Csi, nodeName: string, cause: NamedCause): Promise<void>;
  /** Whether the node uses the volume, by the server's word. */
  isInUseNow(name: string, nodeName: string): Promise<boolean>;
  /** Writes what is attached to a node into its status, in the order of what is there; answers what is new. */
  report(node: CachedNode, wanted: readonly string[]): Promise<readonly string[]>;
}

export function createAttachWrites(client: Client): AttachWrites {
  const attachments = client.storage.v1.volumeattachments();
  const nodes = client.core.v1.nodes();
  return {
    async attach(csi, nodeName, cause) {
      try {
        const metadata = { name: attachmentName(csi.driver, csi.handle, nodeName) };
        const source = { persistentVolumeName: csi.persistentVolume };
        await attachments.create({ metadata, spec: { attacher: csi.driver, nodeName, source } }, cause);
      } catch (error) {
        if (!isAlreadyExists(error)) throw error; // the cache has not seen it yet
      }
    },
    async detach(csi, nodeName, cause) {
      try {
        await attachments.delete(attachmentName(csi.driver, csi.handle, nodeName), cause);
      } catch (error) {
        if (!isNotFound(error)) throw error;
      }
    },
    async isInUseNow(name, nodeName) {
      try {
        return isInUse(await nodes.get(nodeName), name);
      } catch (error) {
        if (isNotFound(error)) return false;
        throw error;
      }
    },
    async report(node, wanted) {
      const before = node.status?.volumesAttached ?? [];
      const kept = before.filter(({ name }) => wanted.includes(name));
      const added = wanted.filter((name) => !isReportedBy(node, name));
      if (added.length === 0 && kept.length === before.length) return [];
      const volumesAttached = [...kept, ...added.map((name) => ({ name, devicePath: "" }))];
      const { name = "", resourceVersion } = node.metadata ?? {};
      await nodes.subresource<Node>("status").patch(name, {
        merge: { metadata: { ...(resourceVersion && { resourceVersion }) }, status: { volumesAttached } },
      });
      return added;
    },
  };
}
