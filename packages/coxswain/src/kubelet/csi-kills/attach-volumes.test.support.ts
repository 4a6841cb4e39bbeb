import type { VolumeAttachment } from "@coxswain/api/storage/v1";
import type { DeepReadonly } from "@coxswain/api/types";
import type { Client } from "@coxswain/client";
import { createSharedInformer } from "@coxswain/client/informers";
import type { Runtime } from "@coxswain/runtime";

export interface AttachOptions {
  readonly client: Client;
  readonly driver: string;
  onError(error: unknown): void;
}

/**
 * What the sidecar external-attacher does next to a driver: an attachment that the attach-detach controller makes is attached, one that it
 * deletes is let go. The mock driver's own calls for that only keep books, and are left out.
 */
export function attachVolumes(runtime: Runtime, { client, driver, onError }: AttachOptions): { stop(): Promise<void> } {
  const attachments = client.storage.v1.volumeattachments();
  const finalizer = `external-attacher/${driver.replaceAll(".", "-")}`;
  const status = { attached: true, attachmentMetadata: { device: "/dev/mock" } };
  const answer = async ({ metadata, spec, ...found }: DeepReadonly<VolumeAttachment>): Promise<void> => {
    const { name = "", finalizers = [], deletionTimestamp } = metadata ?? {};
    const isHeld = finalizers.includes(finalizer);
    if (spec.attacher !== driver) return;
    if (deletionTimestamp !== undefined) {
      if (isHeld) await attachments.patch(name, { merge: { metadata: { finalizers: [] } } });
    } else if (!isHeld) await attachments.patch(name, { merge: { metadata: { finalizers: [finalizer] } } });
    else if (found.status?.attached !== true)
      await attachments.subresource<VolumeAttachment>("status").patch(name, { merge: { status } });
  };
  const informer = createSharedInformer<VolumeAttachment>({ listerWatcher: attachments, runtime });
  const take = (attachment: DeepReadonly<VolumeAttachment>): void => void answer(attachment).catch(onError);
  informer.addHandler({ onAdd: take, onUpdate: (_, next) => take(next) });
  informer.start();
  return { stop: () => informer.stop() };
}
