import type { Pod } from "@coxswain/api/core/v1";
import { equalJson } from "@coxswain/apimachinery/json";
import { splitObjectKey } from "@coxswain/apimachinery/meta";
import { isNotFound } from "@coxswain/apimachinery/status";
import { keyOf } from "@coxswain/client/informers";
import type { Controller, ControllerContext } from "../controller/controller.js";
import { createReconcileLoop } from "../controller/reconcile-loop.js";
import { nodeIndex, podsByNode } from "../nodes/pods-by-node.js";
import { disruptionTarget } from "../pods/disruption-target.js";
import { noExecuteTaints, planEviction, type ScheduledEviction } from "./plan.js";

/** Deletes pods from nodes whose NoExecute taints they do not tolerate, or not for longer. */
export const taintEvictionController: Controller = {
  name: "taint-eviction-controller",
  aliases: [],
  // The role that the node lifecycle controller has.
  serviceAccount: "node-controller",
  gates: ["SeparateTaintEvictionController"],
  start(context) {
    const { gates, informers } = context;
    const { clock } = context.runtime;
    const pods = informers.of("core", "v1", "pods", { indexers: podsByNode });
    const nodes = informers.of("core", "v1", "nodes");
    const recorder = context.recorder("taint-eviction-controller");
    /** By key of the pod. A restart begins to count anew, as upstream's does (pkg/controller/tainteviction/timed_workers.go, TimedWorkerQueue). */
    const scheduled = new Map<string, ScheduledEviction>();
    const record = (key: string, message: string): void => {
      const reference = { apiVersion: "v1", kind: "Pod", ...splitObjectKey(key) };
      recorder.event(reference, { type: "Normal", reason: "TaintManagerEviction", message });
    };
    const cancel = (key: string): void => {
      if (scheduled.delete(key)) record(key, `Cancelling deletion of Pod ${key}`);
    };
    const loop = createReconcileLoop(context, {
      name: "noexec_taint_pod",
      workers: 8,
      async reconcile(key) {
        const pod = pods.indexer.getByKey(key);
        const uid = pod?.metadata?.uid ?? "";
        const known = scheduled.get(key);
        if (known && known.uid !== uid) cancel(key);
        if (!pod?.spec?.nodeName) return;
        const node = nodes.indexer.getByKey(pod.spec.nodeName);
        const plan = planEviction({
          taints: node && noExecuteTaints(node),
          tolerations: pod.spec.tolerations ?? [],
          scheduled: scheduled.get(key),
          nowMs: clock.now(),
          comparison: gates.enabled("TaintTolerationComparisonOperators"),
        });
        switch (plan.kind) {
          case "stay":
            cancel(key);
            return;
          case "wait":
            scheduled.set(key, { uid, atMs: plan.atMs });
            return { requeueAfterMs: plan.atMs - clock.now() };
          case "evict":
            if ((scheduled.get(key)?.atMs ?? 0) > clock.now()) cancel(key);
            record(key, `Marking for deletion Pod ${key}`);
            await evict(context, key);
            // Only now: a failed eviction is tried again and not put off.
            scheduled.delete(key);
        }
      },
    });
    loop.watchFor(pods, (pod, old) =>
      old && pod.spec?.nodeName === old.spec?.nodeName && equalJson(pod.spec?.tolerations, old.spec?.tolerations)
        ? []
        : [keyOf(pod)],
    );
    loop.watchFor(nodes, (node, old) =>
      old && equalJson(noExecuteTaints(node), noExecuteTaints(old))
        ? []
        : pods.indexer.byIndex(nodeIndex, node.metadata?.name ?? "").map(keyOf),
    );
    return loop;
  },
};

/** Marks the pod as disrupted, so that a Job does not count it as failed, and deletes it. */
async function evict({ client, runtime: { clock } }: ControllerContext, key: string): Promise<void> {
  const { namespace, name } = splitObjectKey(key) ?? { namespace: "", name: "" };
  const pods = client.core.v1.pods(namespace);
  try {
    const pod = await pods.get(name);
    const message = "Taint manager: deleting due to NoExecute taint";
    const condition = disruptionTarget(pod, { reason: "DeletionByTaintManager", message, now: clock.now() });
    await pods.subresource<Pod>("status").patch(name, {
      strategic: { metadata: { uid: pod.metadata?.uid }, status: { conditions: [condition] } },
    });
    await pods.delete(name);
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}
