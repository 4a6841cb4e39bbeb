import type { Selector } from "@coxswain/apimachinery/selector";
import { claimObjects } from "@coxswain/client/controller";
import { createLister } from "@coxswain/client/informers";
import type { CachedRevision } from "../controller-revisions/revision-data.js";
import { checkCanAdopt } from "../pods/can-adopt.js";
import type { CachedPod } from "../pods/pod-state.js";
import { podsOfOwner } from "../pods/pods-of-owner.js";
import { type CachedDaemonSet, daemonSetKind } from "./daemon-pod.js";
import type { DaemonSetWork } from "./daemon-set-work.js";

const canAdopt = ({ client }: DaemonSetWork, daemonSet: CachedDaemonSet): Promise<void> => {
  const { namespace = "", name = "" } = daemonSet.metadata ?? {};
  return checkCanAdopt("DaemonSet", daemonSet, () => client.apps.v1.daemonsets(namespace).get(name));
};

export const claimPods = (work: DaemonSetWork, daemonSet: CachedDaemonSet, selector: Selector): Promise<CachedPod[]> =>
  claimObjects(podsOfOwner(work.pods, daemonSet, daemonSetKind.kind), {
    controller: daemonSet,
    kind: daemonSetKind,
    selector,
    canAdopt: () => canAdopt(work, daemonSet),
    patch: (pod, patch) => work.podControl.patch(pod, patch),
  });

export function claimRevisions(
  work: DaemonSetWork,
  daemonSet: CachedDaemonSet,
  selector: Selector,
): Promise<CachedRevision[]> {
  const { namespace = "" } = daemonSet.metadata ?? {};
  return claimObjects(createLister(work.revisions).namespace(namespace).list(), {
    controller: daemonSet,
    kind: daemonSetKind,
    selector,
    canAdopt: () => canAdopt(work, daemonSet),
    patch: ({ metadata }, patch) =>
      work.client.apps.v1
        .controllerrevisions(namespace)
        .patch(metadata?.name ?? "", { strategic: patch as Record<string, unknown> }),
  });
}
