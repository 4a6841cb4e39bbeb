import type { PodGroup } from "@coxswain/api/scheduling/v1alpha2";
import { keyOf } from "@coxswain/client/informers";
import type { Controller } from "../controller/controller.js";
import { createReconcileLoop } from "../controller/reconcile-loop.js";
import { type CachedPod, isPodTerminal } from "../pods/pod-state.js";
import { isDeletionCandidate, planProtection } from "../protection/plan.js";
import { podGroupNameOf } from "../resource-claims/claim-user.js";

/** Added by admission: this controller only takes it away. */
const finalizer = "scheduling.k8s.io/podgroup-protection";
const byActiveGroup = "activePodGroup";

const groupKeyOf = (pod: CachedPod): string | undefined => {
  const name = podGroupNameOf(pod);
  return name === undefined ? undefined : `${pod.metadata?.namespace}/${name}`;
};

/** Keeps a PodGroup that is being deleted until its pods have ended. */
export const podGroupProtectionController: Controller = {
  name: "podgroup-protection-controller",
  aliases: [],
  serviceAccount: "podgroup-protection-controller",
  gates: ["GenericWorkload"],
  start(context) {
    const { client, informers } = context;
    const groups = informers.of("scheduling", "v1alpha2", "podgroups");
    const pods = informers.of("core", "v1", "pods", {
      indexers: { [byActiveGroup]: (pod) => (isPodTerminal(pod) ? [] : [groupKeyOf(pod)].flatMap((key) => key ?? [])) },
    });
    const loop = createReconcileLoop(context, {
      name: "podgroupprotection",
      workers: 1,
      async reconcile(key) {
        const group = groups.indexer.getByKey(key);
        if (!group || !isDeletionCandidate(group, finalizer)) return;
        const finalizers = planProtection(group, finalizer, pods.indexer.byIndex(byActiveGroup, key).length > 0);
        if (!finalizers) return;
        const held = group as PodGroup;
        await client.scheduling.v1alpha2
          .podgroups(held.metadata?.namespace ?? "")
          .update({ ...held, metadata: { ...held.metadata, finalizers } });
      },
    });
    loop.watchFor(groups, (group) => (isDeletionCandidate(group, finalizer) ? [keyOf(group)] : []));
    loop.handle(pods, {
      onAdd: (pod) => wakeEnded(pod),
      onUpdate: (_, pod) => wakeEnded(pod),
      onDelete: (pod) => wake(pod),
    });
    const wake = (pod: CachedPod): void => {
      const key = groupKeyOf(pod);
      if (key !== undefined) loop.queue.add(key);
    };
    const wakeEnded = (pod: CachedPod): void => {
      if (isPodTerminal(pod)) wake(pod);
    };
    return loop;
  },
};
