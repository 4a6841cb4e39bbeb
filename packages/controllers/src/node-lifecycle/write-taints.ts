import type { Taint } from "@coxswain/api/core/v1";
import { isConflict } from "@coxswain/apimachinery/status";
import { formatTime } from "@coxswain/apimachinery/time";
import { ignoreGone } from "../controller/ignore-gone.js";
import { swapTaints } from "../nodes/node-taints.js";
import type { CachedNode } from "./node-health.js";
import type { NodeWork } from "./node-work.js";
import type { TaintChanges } from "./plan.js";

/** Others write nodes too: after a conflict the newest state is changed, once; the queue retries then. */
export async function writeTaints(
  { client, cause, runtime: { clock } }: NodeWork,
  node: CachedNode,
  changes: TaintChanges,
): Promise<void> {
  const name = node.metadata?.name ?? "";
  const write = async (current: CachedNode): Promise<void> => {
    const taints = swapTaints(current.spec?.taints, { ...changes, now: formatTime(clock.now()) });
    if (!taints) return;
    const { resourceVersion = "" } = current.metadata ?? {};
    const spec = { taints: taints.length > 0 ? (taints as Taint[]) : null };
    await client.core.v1.nodes().patch(name, { merge: { metadata: { resourceVersion }, spec } }, cause);
  };
  await write(node)
    .catch(async (error: unknown) => {
      if (!isConflict(error)) throw error;
      await write(await client.core.v1.nodes().get(name));
    })
    .catch(ignoreGone);
}
