import type { Event } from "@coxswain/api/core/v1";
import { isAlreadyExists } from "@coxswain/apimachinery/status";
import type { RecordedEvent } from "@coxswain/client/events";
import type { ControllerContext } from "../controller/controller.js";
import { messageOf } from "../pods/pod-control.js";
import type { CachedPod } from "../pods/pod-state.js";
import type { RecyclerSettings } from "../settings/recycler-settings.js";
import type { CachedVolume } from "../volumes/cached-volumes.js";
import { recyclerNamespace, recyclerPod, recyclerPodName } from "./recycler-pod.js";

export type RecycleStep =
  /** The pod works; its end wakes the volume. */
  { readonly kind: "running" } | { readonly kind: "done" } | { readonly kind: "failed"; readonly message: string };

/** Empties released volumes, each by a pod of its own. */
export interface Recycler {
  /** Begins, or looks how far the pod is. After `done` and `failed` the next call begins anew. */
  step(volume: CachedVolume, report: (event: RecordedEvent) => void): Promise<RecycleStep>;
  /** Forgets pods of volumes that are gone, and ends what they were watched by. */
  forget(volumeName: string): void;
  stop(): Promise<void>;
}

/** Pure: what the state of the pod means. `pod` is undefined once it was deleted. */
export function recycleResult(pod: CachedPod | undefined): RecycleStep {
  const failed = (reason: string): RecycleStep => ({
    kind: "failed",
    message: `Recycle failed: failed to recycle volume: ${reason}`,
  });
  if (!pod) return failed("recycler pod was deleted");
  if (pod.status?.phase === "Succeeded") return { kind: "done" };
  if (pod.status?.phase === "Failed") return failed(pod.status.message || "pod failed, pod.Status.Message unknown");
  return { kind: "running" };
}

export function createRecycler(
  { client }: Pick<ControllerContext, "client">,
  podByKey: (key: string) => CachedPod | undefined,
  settings: RecyclerSettings | undefined,
): Recycler {
  /** Pods that this process made, by volume. Any other pod of that name may have been made to be taken for one. */
  const running = new Map<string, { readonly uid: string; isSeen: boolean; stopEvents(): Promise<void> }>();
  const pods = client.core.v1.pods(recyclerNamespace);

  async function begin(volume: CachedVolume, report: (event: RecordedEvent) => void): Promise<RecycleStep> {
    const name = volume.metadata?.name ?? "";
    const pod = recyclerPod(volume, settings);
    if (!pod) return { kind: "failed", message: "No recycler plugin found for the volume!" };
    const stopEvents = await forwardEvents(recyclerPodName(name), report);
    try {
      const created = await pods.create(pod);
      running.set(name, { uid: created.metadata?.uid ?? "", isSeen: false, stopEvents });
      return { kind: "running" };
    } catch (error) {
      await stopEvents();
      if (!isAlreadyExists(error))
        return {
          kind: "failed",
          message: `Recycle failed: unexpected error creating recycler pod:  ${messageOf(error)}`,
        };
      await pods.delete(recyclerPodName(name));
      return { kind: "failed", message: "Recycle failed: old recycler pod found, will retry later" };
    }
  }

  /** What happens to the pod is reported of the volume: people look there. */
  async function forwardEvents(podName: string, report: (event: RecordedEvent) => void): Promise<() => Promise<void>> {
    const stream = await client.core.v1
      .events(recyclerNamespace)
      .watch({ fieldSelector: `involvedObject.name=${podName}` });
    const reading = (async () => {
      for await (const batch of stream)
        for (const event of batch) {
          if (event.type !== "ADDED") continue;
          const { type, message } = event.object as Event;
          report({
            type: type === "Warning" ? "Warning" : "Normal",
            reason: "RecyclerPod",
            message: `Recycler pod: ${message ?? ""}`,
          });
        }
    })().catch(() => {}); // the reports are a courtesy: the pod's end is seen without them
    return async () => {
      stream.stop();
      await reading;
    };
  }

  const recycler: Recycler = {
    async step(volume, report) {
      const name = volume.metadata?.name ?? "";
      const ours = running.get(name);
      if (!ours) return begin(volume, report);
      const pod = podByKey(`${recyclerNamespace}/${recyclerPodName(name)}`);
      if (pod?.metadata?.uid === ours.uid) ours.isSeen = true;
      else if (!ours.isSeen) return { kind: "running" }; // the cache has not seen it yet
      const result = recycleResult(pod?.metadata?.uid === ours.uid ? pod : undefined);
      if (result.kind === "running") return result;
      recycler.forget(name);
      if (pod) await pods.delete(recyclerPodName(name));
      return result;
    },
    forget(name) {
      void running.get(name)?.stopEvents();
      running.delete(name);
    },
    async stop() {
      await Promise.all([...running.values()].map(({ stopEvents }) => stopEvents()));
    },
  };
  return recycler;
}
