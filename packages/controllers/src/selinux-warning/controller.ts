import type { DeepReadonly } from "@coxswain/api";
import type { Volume } from "@coxswain/api/core/v1";
import { splitObjectKey } from "@coxswain/apimachinery/meta";
import { keyOf } from "@coxswain/client/informers";
import type { Controller } from "../controller/controller.js";
import { createReconcileLoop } from "../controller/reconcile-loop.js";
import { type CachedPod, isPodTerminal } from "../pods/pod-state.js";
import { claimNameOf, podClaimIndex, podsByClaim } from "../volumes/pod-claims.js";
import { countConflicts } from "./metrics.js";
import { conflictMessage, labelsByVolume, severalLabelsMessage, useOf } from "./plan.js";
import { type SharedVolume, sharedByPodVolume, sharedByVolume } from "./shared-volume.js";
import { createVolumeUsers } from "./volume-users.js";

/** Warns of pods that use the same volume with different SELinux labels: only one of them could once volumes are mounted with labels. */
export const selinuxWarningController: Controller = {
  name: "selinux-warning-controller",
  aliases: [],
  serviceAccount: "selinux-warning-controller",
  isOnByDefault: false,
  gates: ["SELinuxChangePolicy"],
  start(context) {
    const { informers } = context;
    const pods = informers.of("core", "v1", "pods", { indexers: podsByClaim });
    const claims = informers.of("core", "v1", "persistentvolumeclaims");
    const volumes = informers.of("core", "v1", "persistentvolumes");
    const drivers = informers.of("storage", "v1", "csidrivers");
    const recorder = context.recorder("selinux_warning");
    const users = createVolumeUsers();
    countConflicts(context.runtime.metrics, users);

    /** Undefined: only this pod has it, or its claim is not bound yet. */
    function sharedOf(pod: CachedPod, volume: DeepReadonly<Volume>): SharedVolume | undefined {
      const claimName = claimNameOf(pod, volume);
      if (claimName === undefined) return sharedByPodVolume(volume);
      const claim = claims.indexer.getByKey(`${pod.metadata?.namespace}/${claimName}`);
      const bound = claim?.spec?.volumeName ? volumes.indexer.getByKey(claim.spec.volumeName) : undefined;
      return bound?.spec?.claimRef?.uid === claim?.metadata?.uid && bound ? sharedByVolume(bound) : undefined;
    }
    const canMountWithLabel = ({ mountsWithLabel, csiDriver }: SharedVolume): boolean =>
      mountsWithLabel === "driver"
        ? drivers.indexer.getByKey(csiDriver ?? "")?.spec.seLinuxMount === true
        : mountsWithLabel;

    const report = (key: string, event: Parameters<typeof recorder.event>[1]): void => {
      const uid = pods.indexer.getByKey(key)?.metadata?.uid;
      // One that went meanwhile need not know.
      if (uid !== undefined)
        recorder.event({ apiVersion: "v1", kind: "Pod", ...splitObjectKey(key), uid } as never, event);
    };

    const loop = createReconcileLoop(context, {
      name: "selinux_warning",
      workers: 1,
      reconcile(key) {
        const pod = pods.indexer.getByKey(key);
        if (!pod || isPodTerminal(pod)) return users.forget(key);
        const byName = new Map((pod.spec?.volumes ?? []).map((volume) => [volume.name, volume]));
        for (const [name, labels] of labelsByVolume(pod)) {
          const volume = byName.get(name);
          const shared = volume && sharedOf(pod, volume);
          if (!shared) continue;
          if (labels.size > 1) {
            report(key, { type: "Warning", reason: "MultipleSELinuxLabels", message: severalLabelsMessage(name) });
            continue;
          }
          const [label] = labels;
          for (const conflict of users.use(shared, key, useOf(pod, label, canMountWithLabel(shared))))
            report(conflict.pod, {
              type: "Normal",
              reason: `${conflict.property}Conflict`,
              message: conflictMessage(conflict),
            });
        }
      },
    });

    loop.watchFor(pods, (pod, old) => (!old || (!isPodTerminal(old) && isPodTerminal(pod)) ? [keyOf(pod)] : []));
    const podsOfClaim = (key: string): string[] => pods.indexer.byIndex(podClaimIndex, key).map(keyOf);
    loop.watchFor(claims, (claim, old) =>
      claim.spec?.volumeName && claim.spec.volumeName !== old?.spec?.volumeName ? podsOfClaim(keyOf(claim)) : [],
    );
    loop.watchFor(volumes, ({ spec }, old) =>
      spec?.claimRef?.uid && spec.claimRef.uid !== old?.spec?.claimRef?.uid
        ? podsOfClaim(`${spec.claimRef.namespace}/${spec.claimRef.name}`)
        : [],
    );
    loop.watchFor(drivers, ({ metadata, spec }, old) =>
      old && (old.spec.seLinuxMount ?? false) === (spec.seLinuxMount ?? false)
        ? []
        : users.podsOfDriver(metadata?.name ?? ""),
    );
    return loop;
  },
};
