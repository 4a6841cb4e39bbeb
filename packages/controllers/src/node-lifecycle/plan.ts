import type { TaintEffect } from "@coxswain/api/core/v1";
import { getOwn } from "@coxswain/apimachinery/own";
import { hasTaint, isSameTaint, type TaintIdentity } from "../nodes/node-taints.js";
import { type CachedNode, readyStatusOf } from "./node-health.js";

const taint = (key: string, effect: TaintEffect): TaintIdentity => ({ key: `node.kubernetes.io/${key}`, effect });

/** These make pods leave. */
export const unreachable = taint("unreachable", "NoExecute");
export const notReady = taint("not-ready", "NoExecute");

export interface TaintChanges {
  readonly add: readonly TaintIdentity[];
  readonly remove: readonly TaintIdentity[];
}

/** Which status of which condition keeps new pods away, by which taint. */
const conditionTaints = [
  { type: "Ready", status: "False", taint: taint("not-ready", "NoSchedule") },
  { type: "Ready", status: "Unknown", taint: taint("unreachable", "NoSchedule") },
  { type: "MemoryPressure", status: "True", taint: taint("memory-pressure", "NoSchedule") },
  { type: "DiskPressure", status: "True", taint: taint("disk-pressure", "NoSchedule") },
  { type: "NetworkUnavailable", status: "True", taint: taint("network-unavailable", "NoSchedule") },
  { type: "PIDPressure", status: "True", taint: taint("pid-pressure", "NoSchedule") },
] as const;
const unschedulable = taint("unschedulable", "NoSchedule");
const managed: readonly TaintIdentity[] = [...conditionTaints.map((row) => row.taint), unschedulable];

/** Pure: how the taints against new pods must change to agree with the node's conditions. Those of others are left alone. */
export function planNoSchedule({ spec, status }: CachedNode): TaintChanges {
  const wanted = (status?.conditions ?? []).flatMap(
    (condition) =>
      conditionTaints.find((row) => row.type === condition.type && row.status === condition.status)?.taint ?? [],
  );
  if (spec?.unschedulable) wanted.push(unschedulable);
  return {
    add: wanted.filter((each) => !hasTaint(spec?.taints, each)),
    remove: managed.filter((each) => hasTaint(spec?.taints, each) && !wanted.some((other) => isSameTaint(other, each))),
  };
}

export type NoExecutePlan =
  /** The node is ready, or all nodes are not: it has no such taint and waits for none. */
  | { readonly kind: "reachable" }
  /** It has one of both taints and needs the other one: at once. */
  | ({ readonly kind: "swap" } & TaintChanges)
  /** It needs one and gets it when its zone's rate allows it. */
  | { readonly kind: "queue" }
  | { readonly kind: "leave" };

/** Pure: what a node's Ready condition means for its taints that make pods leave. */
export function planNoExecute(node: CachedNode): NoExecutePlan {
  const status = readyStatusOf(node);
  if (status === undefined) return { kind: "leave" };
  if (status === "True") return { kind: "reachable" };
  const { add, remove } = noExecuteTaints(status);
  if (hasTaint(node.spec?.taints, remove)) return { kind: "swap", add: [add], remove: [remove] };
  return hasTaint(node.spec?.taints, add) ? { kind: "leave" } : { kind: "queue" };
}

/** The taint that a node with this status has, and the one that it has not. */
export const noExecuteTaints = (status: string): { add: TaintIdentity; remove: TaintIdentity } =>
  status === "False" ? { add: notReady, remove: unreachable } : { add: unreachable, remove: notReady };

/** The older label follows the newer one. */
const labelPairs = [
  { newer: "kubernetes.io/os", older: "beta.kubernetes.io/os" },
  { newer: "kubernetes.io/arch", older: "beta.kubernetes.io/arch" },
] as const;

/** Pure: the labels that the node must get. */
export function planLabels({ metadata }: CachedNode): Readonly<Record<string, string>> | undefined {
  const changes = labelPairs.flatMap(({ newer, older }) => {
    const value = getOwn(metadata?.labels, newer);
    return value === undefined || getOwn(metadata?.labels, older) === value ? [] : [[older, value] as const];
  });
  return changes.length === 0 ? undefined : Object.fromEntries(changes);
}
