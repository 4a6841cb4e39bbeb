import { type CachedPod, isBeingDeleted, isPodAvailable } from "../pods/pod-state.js";
import { isUpdated } from "./daemon-pod.js";
import type { DaemonSetState } from "./plan.js";
import { updateLimits } from "./update-limits.js";

export interface UpdatePlan {
  readonly create: readonly string[];
  readonly remove: readonly CachedPod[];
}

interface OnNode {
  readonly node: string;
  readonly fresh: CachedPod | undefined;
  readonly old: CachedPod | undefined;
  /** More than one of a kind: the rest is cleaned up first. */
  readonly isCrowded: boolean;
}

/** Pure: the next step of a rolling update: which old pods go, and with surge which nodes get a second pod. */
export function planUpdate(state: DaemonSetState): UpdatePlan {
  const wanted = state.nodes.filter((node) => state.fits(node).shouldRun).map(({ metadata }) => metadata?.name ?? "");
  const { maxSurge, maxUnavailable } = updateLimits(state.daemonSet, wanted.length);
  const nodes = [...new Set([...state.podsByNode.keys(), ...wanted])].map((node) => onNode(state, node));
  return maxSurge === 0 ? planReplacement(state, nodes, maxUnavailable) : planSurge(state, nodes, maxSurge, wanted);
}

function onNode({ daemonSet, hash, podsByNode }: DaemonSetState, node: string): OnNode {
  const present = (podsByNode.get(node) ?? []).filter((pod) => !isBeingDeleted(pod));
  const fresh = present.filter((pod) => isUpdated(daemonSet, hash, pod));
  const old = present.filter((pod) => !fresh.includes(pod));
  return { node, fresh: fresh[0], old: old[0], isCrowded: fresh.length > 1 || old.length > 1 };
}

const isAvailable = ({ daemonSet, now }: DaemonSetState, pod: CachedPod): boolean =>
  isPodAvailable(pod, daemonSet.spec?.minReadySeconds ?? 0, now);

/** Old pods that are not available go at once; others as far as the limit allows. */
function planReplacement(state: DaemonSetState, nodes: readonly OnNode[], maxUnavailable: number): UpdatePlan {
  let unavailable = 0;
  const broken: CachedPod[] = [];
  const candidates: CachedPod[] = [];
  for (const { fresh, old, isCrowded } of nodes) {
    if (isCrowded || Boolean(fresh) === Boolean(old)) unavailable++;
    else if (fresh) unavailable += isAvailable(state, fresh) ? 0 : 1;
    else if (old && !isAvailable(state, old)) {
      broken.push(old);
      unavailable++;
    } else if (old) candidates.push(old);
  }
  return { create: [], remove: [...broken, ...candidates.slice(0, Math.max(0, maxUnavailable - unavailable))] };
}

/** A new pod comes beside the old one, and the old one goes when the new one is available. */
function planSurge(
  state: DaemonSetState,
  nodes: readonly OnNode[],
  maxSurge: number,
  wanted: readonly string[],
): UpdatePlan {
  const shouldRun = new Set(wanted);
  let surging = 0;
  let available = 0;
  const remove: CachedPod[] = [];
  const leaving: CachedPod[] = [];
  const replaced: string[] = [];
  const candidates: string[] = [];
  for (const { node, fresh, old, isCrowded } of nodes) {
    if (isCrowded) {
      surging++;
      continue;
    }
    const counted = old ?? fresh;
    if (counted && isAvailable(state, counted)) available++;
    if (!old) continue;
    if (fresh) {
      if (isAvailable(state, fresh)) remove.push(old);
      else surging++;
    } else if (shouldRun.has(node)) (isAvailable(state, old) ? candidates : replaced).push(node);
    else (isAvailable(state, old) ? leaving : remove).push(old);
  }
  // A pod that should not run where it is goes only when others are available instead.
  const spare = Math.max(0, available - wanted.length);
  return {
    create: [...replaced, ...candidates.slice(0, Math.max(0, maxSurge - surging))],
    remove: [...remove, ...leaving.slice(0, spare)],
  };
}
