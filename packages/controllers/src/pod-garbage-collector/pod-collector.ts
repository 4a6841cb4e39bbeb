import type { Pod } from "@coxswain/api/core/v1";
import { isNotFound } from "@coxswain/apimachinery/status";
import { keyOf } from "@coxswain/client/informers";
import type { Counter } from "@coxswain/runtime/metrics";
import type { ControllerContext } from "../controller/controller.js";
import { disruptionTarget } from "../pods/disruption-target.js";
import { type CachedPod, isPodTerminal } from "../pods/pod-state.js";
import type { Reason } from "./plan.js";

/** So many terminated pods are deleted at the same time. */
const groupSize = 100;

/** Deletes pods by force, and counts them. */
export class PodCollector {
  readonly #client: ControllerContext["client"];
  readonly #runtime: ControllerContext["runtime"];
  readonly #deletions: Counter;
  readonly #failures: Counter;

  constructor({ client, runtime }: Pick<ControllerContext, "client" | "runtime">) {
    this.#client = client;
    this.#runtime = runtime;
    const counted = (name: string, help: string): Counter =>
      runtime.metrics.counter({
        name: `pod_gc_collector_${name}`,
        help,
        stability: "ALPHA",
        labels: ["namespace", "reason"],
      });
    this.#deletions = counted("force_delete_pods_total", "Number of pods that were deleted by force.");
    this.#failures = counted("force_delete_pod_errors_total", "Number of errors when deleting pods by force.");
  }

  /** A pod that has not stopped is marked as failed first: where there is no kubelet, nobody else would. */
  async collect(pod: CachedPod, reason: Reason): Promise<void> {
    const { namespace = "", name = "", uid } = pod.metadata ?? {};
    const pods = this.#client.core.v1.pods(namespace);
    this.#deletions.with(namespace, reason).add(1);
    try {
      if (!isPodTerminal(pod))
        await pods
          .subresource<Pod>("status")
          .patch(name, { strategic: { metadata: { uid }, status: this.#failedStatus(pod, reason) } });
      await pods.delete(name, { gracePeriodSeconds: 0 });
    } catch (error) {
      if (isNotFound(error)) return;
      this.#failures.with(namespace, reason).add(1);
      throw error;
    }
  }

  async collectTerminated(surplus: readonly CachedPod[]): Promise<void> {
    for (let at = 0; at < surplus.length; at += groupSize)
      await Promise.all(
        surplus.slice(at, at + groupSize).map((pod) =>
          this.collect(pod, "terminated").catch((error: unknown) => {
            // One pod must not keep the others; the next count tries again.
            this.#runtime.log.warn("a terminated pod was not deleted", { pod: keyOf(pod), error });
          }),
        ),
      );
  }

  #failedStatus(pod: CachedPod, reason: Reason): object {
    const { generation } = pod.metadata ?? {};
    const message = "PodGC: node no longer exists";
    const now = this.#runtime.clock.now();
    return {
      phase: "Failed",
      ...(generation !== undefined && { observedGeneration: generation }),
      ...(reason === "orphaned" && {
        conditions: [disruptionTarget(pod, { reason: "DeletionByPodGC", message, now })],
      }),
    };
  }
}
