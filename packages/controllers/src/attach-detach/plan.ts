import type { Attachable } from "./attachable.js";

/** What is known of a volume on a node. */
export interface NodeFacts {
  readonly node: string;
  /** Names of pods there that need it, with their namespaces; none: it is to be detached. */
  readonly pods: readonly { readonly namespace: string; readonly name: string }[];
  /** Undefined: nobody has asked for it to be attached. */
  readonly attachment?: {
    readonly isAttached: boolean;
    readonly isBeingDeleted: boolean;
    readonly error?: string;
    /** When it was asked for, in milliseconds. */
    readonly sinceMs: number;
  };
  /** The node's status reports it as mounted, or as about to be. */
  readonly isInUse: boolean;
  readonly isNodeReady: boolean;
  /** The node is tainted as out of service. */
  readonly isOutOfService: boolean;
  /** Since when it is to be detached. */
  readonly detachRequestedMs?: number;
}

export type NodePlan =
  /** Attached where it is needed, or where it cannot go yet: the node's status lists it. */
  | { readonly kind: "keep"; readonly recheckAtMs?: number }
  | { readonly kind: "attach" }
  | { readonly kind: "attaching"; readonly timeoutAtMs: number }
  | { readonly kind: "failed"; readonly message: string }
  /** Another node has it: events to the pods that wait. Without events: it is on its way from there. */
  | {
      readonly kind: "blocked";
      readonly messages: readonly { readonly namespace: string; readonly name: string; readonly message: string }[];
    }
  /** First out of the node's status, then detached; `isVerified`: only if the node does not use it, by the server's word. */
  | { readonly kind: "detach"; readonly isVerified: boolean }
  | { readonly kind: "detaching" };

export interface DetachLimits {
  /** How long a node may go on to use a volume that is to be detached, before a node that is not ready loses it. In milliseconds. */
  readonly maxWaitMs: number;
  /** --disable-force-detach-on-timeout. */
  readonly isForceDisabled: boolean;
}

/** How long drivers have, as upstream's csiTimeout (pkg/volume/csi/csi_plugin.go); then an event reports it, again and again. */
export const attachTimeoutMs = 120_000;

/** Pure: what to do on each node. */
export function planVolume(
  volume: Pick<Attachable, "isExclusive" | "title">,
  nodes: readonly NodeFacts[],
  limits: DetachLimits & { readonly nowMs: number },
): Map<string, NodePlan> {
  return new Map(
    nodes.flatMap((facts): [string, NodePlan][] => {
      if (facts.pods.length === 0) return facts.attachment ? [[facts.node, planDetach(facts, limits)]] : [];
      return [[facts.node, planAttach(volume, facts, nodes, limits.nowMs)]];
    }),
  );
}

function planDetach(
  facts: NodeFacts,
  { nowMs, maxWaitMs, isForceDisabled }: DetachLimits & { nowMs: number },
): NodePlan {
  if (facts.attachment?.isBeingDeleted) return { kind: "detaching" };
  const deadlineMs = (facts.detachRequestedMs ?? nowMs) + maxWaitMs;
  const isTimedOut = nowMs > deadlineMs && !isForceDisabled;
  const isForced = isTimedOut && !facts.isNodeReady;
  if (facts.isInUse && !isForced && !facts.isOutOfService)
    return { kind: "keep", ...(!isForceDisabled && nowMs <= deadlineMs && { recheckAtMs: deadlineMs + 1 }) };
  return { kind: "detach", isVerified: !isTimedOut && !facts.isOutOfService };
}

function planAttach(
  volume: Pick<Attachable, "isExclusive" | "title">,
  { node, attachment }: NodeFacts,
  nodes: readonly NodeFacts[],
  nowMs: number,
): NodePlan {
  if (attachment?.isBeingDeleted) return { kind: "detaching" };
  if (attachment?.isAttached) return { kind: "keep" };
  if (volume.isExclusive) {
    const others = nodes.filter((other) => other.node !== node && other.attachment);
    if (others.some((other) => other.attachment?.isBeingDeleted)) return { kind: "blocked", messages: [] };
    const holders = others.filter((other) => other.attachment?.isAttached);
    const waiting = nodes.find((facts) => facts.node === node)?.pods ?? [];
    if (holders.length > 0)
      return {
        kind: "blocked",
        messages: waiting.map((pod) => ({ ...pod, message: `${waitMessage(volume, pod.namespace, holders)}` })),
      };
  }
  if (!attachment) return { kind: "attach" };
  if (attachment.error !== undefined) return { kind: "failed", message: attachment.error };
  const waits = Math.floor((nowMs - attachment.sinceMs) / attachTimeoutMs) + 1;
  return { kind: "attaching", timeoutAtMs: attachment.sinceMs + waits * attachTimeoutMs };
}

/** Pods of other namespaces are counted and not named. */
function waitMessage({ title }: { title: string }, namespace: string, holders: readonly NodeFacts[]): string {
  const users = holders.flatMap(({ pods }) => pods);
  const local = users.filter((pod) => pod.namespace === namespace).map(({ name }) => name);
  const others = users.length - local.length;
  const elsewhere = `${others} pod(s) in different namespaces`;
  const reason =
    users.length === 0
      ? "Volume is already exclusively attached to one node, waiting on detach before it can be attached to another node"
      : local.length === 0
        ? `Volume is already used by ${elsewhere}`
        : `Volume is already used by pod(s) ${local.join(", ")}${others > 0 ? ` and ${elsewhere}` : ""}`;
  return `Waiting for detach for volume ${JSON.stringify(title)} ${reason}`;
}

/** Pure: whether the node's status names the volume. */
export const isReported = (plan: NodePlan | undefined): boolean => plan?.kind === "keep";
