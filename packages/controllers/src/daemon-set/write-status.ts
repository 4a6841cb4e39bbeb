import type { DaemonSet, DaemonSetStatus } from "@coxswain/api/apps/v1";
import { keyOf } from "@coxswain/client/informers";
import type { WorkResult } from "@coxswain/client/queue";
import type { CachedDaemonSet } from "./daemon-pod.js";
import { type DaemonSetWork, setResource } from "./daemon-set-work.js";
import { type DaemonSetState, planStatus } from "./plan.js";

export async function writeStatus(
  work: DaemonSetWork,
  state: DaemonSetState,
  isObserved: boolean,
): Promise<WorkResult> {
  const status = planStatus(state, isObserved);
  const { daemonSet } = state;
  if (status) await storeStatus(work, daemonSet, status);
  const { numberReady = 0, numberAvailable = 0 } = status ?? daemonSet.status ?? {};
  const minReadySeconds = daemonSet.spec?.minReadySeconds ?? 0;
  if (minReadySeconds > 0 && numberReady !== numberAvailable) return { requeueAfterMs: minReadySeconds * 1000 };
}

/** Once more, on the newest state, when somebody else wrote meanwhile. */
async function storeStatus(
  { client, consistency }: DaemonSetWork,
  daemonSet: CachedDaemonSet,
  status: DaemonSetStatus,
): Promise<void> {
  const { namespace = "", name = "", uid = "" } = daemonSet.metadata ?? {};
  const owners = client.apps.v1.daemonsets(namespace);
  // Other members stay as they are on the server: the count of collisions is written elsewhere.
  const write = (object: DaemonSet) => owners.updateStatus({ ...object, status: { ...object.status, ...status } });
  const written = await write(daemonSet as DaemonSet).catch(async () => write(await owners.get(name)));
  consistency.wroteAt({ key: keyOf(daemonSet), uid }, setResource, written.metadata?.resourceVersion ?? "");
}
