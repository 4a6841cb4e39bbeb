import type { PodAddresses } from "../addresses/pod-addresses.js";
import type { ResourceLedger } from "../admission/node-resources.js";
import { type CachedPod, isTerminalPhase, uidOf } from "../objects/cached-pod.js";
import { isReportedByStages, type NodeStages } from "../stages/node-stages.js";

/** Which pods of a node are left to Stages, and what those take of the node. */
export interface StagedPods {
  /**
   * Offers the pod to Stages. True: they write its status, so that it has no worker: one of them selects it before it was
   * started here, or has written already. A pod that was started here and is deleted is the kubelet's again where no Stage selects it.
   */
  takes(pod: CachedPod, hasWorker: boolean): boolean;
  /** A Stage writes the status of a pod that was started here. */
  takeOver(uid: string): void;
  /** The pod's addresses, the same each time; from the node's range where it has none yet. */
  addressesOf(uid: string): readonly string[];
  /** @returns whether Stages had the pod */
  forget(uid: string): boolean;
}

export interface StagedPodsOptions {
  readonly stages: NodeStages;
  readonly ledger: ResourceLedger;
  readonly addresses: PodAddresses;
}

export function createStagedPods({ stages, ledger, addresses }: StagedPodsOptions): StagedPods {
  /** `begun`: the kubelet had started it. */
  const pods = new Map<string, { readonly origin: "fresh" | "begun"; ip: string | undefined }>();

  function add(pod: CachedPod): void {
    const { podIP } = pod.status ?? {};
    const ip = pod.spec?.hostNetwork ? undefined : podIP;
    if (ip !== undefined) addresses.claim(ip);
    pods.set(uidOf(pod), { origin: "fresh", ip });
    if (!isTerminalPhase(pod.status?.phase)) ledger.add(pod);
  }

  function forget(uid: string): boolean {
    stages.dropPod(uid);
    const known = pods.get(uid);
    if (!known) return false;
    if (known.ip !== undefined) addresses.release(known.ip);
    ledger.take(uid);
    return pods.delete(uid);
  }

  return {
    takes(pod, hasWorker) {
      const uid = uidOf(pod);
      if (!stages.hasPodStages) return forget(uid) && false;
      const stage = stages.offerPod(pod);
      const known = pods.get(uid);
      if (known?.origin === "begun" && !stage && pod.metadata?.deletionTimestamp !== undefined)
        return forget(uid) && false;
      if (!known) {
        if (hasWorker || !(stage?.drivesStatus || isReportedByStages(pod))) return false;
        add(pod);
      } else if (isTerminalPhase(pod.status?.phase)) ledger.take(uid);
      return true;
    },
    takeOver: (uid) => void pods.set(uid, { origin: "begun", ip: undefined }),
    addressesOf(uid) {
      const known = pods.get(uid);
      if (!known) return [];
      return [(known.ip ??= addresses.take())];
    },
    forget,
  };
}
