import { keyOf } from "@coxswain/client/informers";
import type { Controller } from "../controller/controller.js";
import { createReconcileLoop } from "../controller/reconcile-loop.js";
import { messageOf, referenceOf } from "../pods/pod-control.js";
import type { CachedPod } from "../pods/pod-state.js";
import { podClaimIndex, podsByClaim } from "../volumes/pod-claims.js";
import { type EphemeralPlan, planEphemeralVolume } from "./plan.js";

const podKind = { group: "", version: "v1", kind: "Pod" };

/** Makes the claims of pods' ephemeral volumes. The garbage collector deletes them with their pods. */
export const ephemeralVolumeController: Controller = {
  name: "ephemeral-volume-controller",
  aliases: ["ephemeral-volume"],
  serviceAccount: "ephemeral-volume-controller",
  start(context) {
    const { client, informers, settings } = context;
    const pods = informers.of("core", "v1", "pods", { indexers: podsByClaim });
    const claims = informers.of("core", "v1", "persistentvolumeclaims");
    const recorder = context.recorder("ephemeral_volume");
    const counter = (name: string, help: string) =>
      context.runtime.metrics.counter({
        name: `ephemeral_volume_controller_${name}`,
        help,
        stability: "ALPHA",
        labels: [],
      });
    const attempts = counter("create_total", "Requests to create PersistentVolumeClaims").with();
    const failures = counter("create_failures_total", "Requests to create PersistentVolumeClaims that failed").with();

    const loop = createReconcileLoop(context, {
      name: "ephemeral_volume",
      workers: settings.concurrency?.["ephemeral-volume-controller"] ?? 5,
      async reconcile(key) {
        const pod = pods.indexer.getByKey(key);
        if (!pod || pod.metadata?.deletionTimestamp) return;
        const { namespace = "" } = pod.metadata ?? {};
        for (const volume of pod.spec?.volumes ?? [])
          try {
            await carryOut(
              namespace,
              planEphemeralVolume(pod, volume, (name) => claims.indexer.getByKey(`${namespace}/${name}`)),
            );
          } catch (error) {
            const message = `ephemeral volume ${volume.name}: ${messageOf(error)}`;
            recorder.event(referenceOf(pod, podKind), { type: "Warning", reason: "FailedBinding", message });
            throw new Error(`pod ${key}, ${message}`, { cause: error });
          }
      },
    });
    async function carryOut(namespace: string, plan: EphemeralPlan): Promise<void> {
      if (plan.kind === "nothing") return;
      if (plan.kind === "refused") throw new Error(plan.message);
      attempts.add(1);
      try {
        await client.core.v1.persistentvolumeclaims(namespace).create(plan.claim);
      } catch (error) {
        failures.add(1);
        throw new Error(`create PVC ${plan.claim.metadata?.name}: ${messageOf(error)}`, { cause: error });
      }
    }
    const wake = (pod: CachedPod): void => {
      if (!pod.metadata?.deletionTimestamp && pod.spec?.volumes?.some(({ ephemeral }) => ephemeral))
        loop.queue.add(keyOf(pod));
    };
    loop.handle(pods, { onAdd: wake });
    loop.handle(claims, { onDelete: (claim) => pods.indexer.byIndex(podClaimIndex, keyOf(claim)).forEach(wake) });
    return loop;
  },
};
