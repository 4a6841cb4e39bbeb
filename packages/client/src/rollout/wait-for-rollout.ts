import type { DeepReadonly } from "@coxswain/api/types";
import type { CachedObject } from "../informers/index.js";
import type { Client } from "../typed/index.js";
import { type WaitForOptions, waitFor } from "../wait/index.js";
import type { ListerWatcher } from "../watch/lister-watcher.js";
import { daemonSetRollout, deploymentRollout, type RolloutStatus, statefulSetRollout } from "./rollout-status.js";

export interface RolloutOptions extends WaitForOptions {
  readonly kind: "Deployment" | "DaemonSet" | "StatefulSet";
  readonly namespace: string;
  readonly name: string;
  /** Called with each step, as kubectl prints it. */
  readonly onProgress?: (message: string) => void;
}

/** Waits until a rollout has ended, well or not. Throws when the object is deleted on the way. */
export async function waitForRollout(
  client: Pick<Client, "apps">,
  options: RolloutOptions,
): Promise<Exclude<RolloutStatus, { state: "progressing" }>> {
  const { kind, namespace, name, onProgress } = options;
  const { v1 } = client.apps;
  let outcome: RolloutStatus | undefined;
  const until = async <T extends CachedObject>(
    resource: ListerWatcher<T>,
    statusOf: (object: DeepReadonly<T>) => RolloutStatus,
  ) =>
    void (await waitFor(
      resource,
      name,
      (object) => {
        const next = object === undefined ? undefined : statusOf(object);
        if (next?.state === "progressing" && next.message !== outcome?.message) onProgress?.(next.message);
        outcome = next;
        return next?.state !== "progressing";
      },
      options,
    ));
  if (kind === "Deployment") await until(v1.deployments(namespace), deploymentRollout);
  else if (kind === "DaemonSet") await until(v1.daemonsets(namespace), daemonSetRollout);
  else await until(v1.statefulsets(namespace), statefulSetRollout);
  // The compiler does not see that the function above was called.
  const ended = outcome as RolloutStatus | undefined;
  if (ended === undefined || ended.state === "progressing")
    throw new Error(`${kind} ${namespace}/${name} is not there`);
  return ended;
}
