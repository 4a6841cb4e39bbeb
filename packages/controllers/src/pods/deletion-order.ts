import { largest } from "@coxswain/apimachinery/append";
import { getOwn } from "@coxswain/apimachinery/own";
import { compareUtf8 } from "@coxswain/apimachinery/text";
import { parseTimeMs } from "@coxswain/apimachinery/time";
import { type CachedPod, isPodActive, isPodReady, readySince } from "./pod-state.js";

export interface DeletionOrderOptions {
  /** Pods that count as neighbours on a node: those of the whole Deployment. @default none */
  readonly related?: readonly CachedPod[];
  /** The time now, in milliseconds; undefined: ages are compared exactly instead of by their order of magnitude. */
  readonly now?: number | undefined;
  /** Whether the annotation for the cost of a deletion counts. @default true */
  readonly hasDeletionCost?: boolean;
}

/** Pure: the pods, those that are missed least first. */
export function byDeletionOrder(pods: readonly CachedPod[], options: DeletionOrderOptions = {}): CachedPod[] {
  const { related = [], now, hasDeletionCost = true } = options;
  const perNode = new Map<string, number>();
  for (const pod of related) if (isPodActive(pod)) perNode.set(nodeOf(pod), (perNode.get(nodeOf(pod)) ?? 0) + 1);
  const neighbours = (pod: CachedPod): number => perNode.get(nodeOf(pod)) ?? 0;
  /** From top to bottom: the first in which two pods differ decides. */
  const rules: readonly ((a: CachedPod, b: CachedPod) => number)[] = [
    (a, b) => Number(nodeOf(a) !== "") - Number(nodeOf(b) !== ""),
    (a, b) => phaseRank(a) - phaseRank(b),
    (a, b) => Number(isPodReady(a)) - Number(isPodReady(b)),
    (a, b) => (hasDeletionCost ? deletionCost(a) - deletionCost(b) : 0),
    (a, b) => neighbours(b) - neighbours(a),
    (a, b) => (isPodReady(a) && isPodReady(b) ? youngestFirst(readySince(a), readySince(b), a, b, now) : 0),
    (a, b) => restarts(b) - restarts(a),
    (a, b) => sidecarRestarts(b) - sidecarRestarts(a),
    (a, b) => youngestFirst(createdAt(a), createdAt(b), a, b, now),
  ];
  return [...pods].sort((a, b) => {
    for (const rule of rules) {
      const order = rule(a, b);
      if (order !== 0) return order;
    }
    return 0;
  });
}

const nodeOf = ({ spec }: CachedPod): string => spec?.nodeName ?? "";

const phaseRanks: Readonly<Record<string, number>> = { Pending: 0, Unknown: 1, Running: 2 };
const phaseRank = ({ status }: CachedPod): number => getOwn(phaseRanks, status?.phase ?? "") ?? 0;

/** The annotation's number, an int32 without a plus sign and leading zeros; else 0. */
export function deletionCost({ metadata }: CachedPod): number {
  const text = getOwn(metadata?.annotations, "controller.kubernetes.io/pod-deletion-cost") ?? "";
  if (!/^(0|-\d{1,12}|[1-9]\d{0,11})$/.test(text)) return 0;
  const cost = Number(text);
  return cost >= -(2 ** 31) && cost < 2 ** 31 ? cost : 0;
}

/** An unknown time is the youngest. With `now`, ages of one order of magnitude are equal and the UID decides: a kind of chance. */
function youngestFirst(
  timeOfA: number | undefined,
  timeOfB: number | undefined,
  a: CachedPod,
  b: CachedPod,
  now: number | undefined,
): number {
  if (timeOfA === timeOfB) return 0;
  if (timeOfA === undefined) return -1;
  if (timeOfB === undefined) return 1;
  if (now === undefined) return timeOfB - timeOfA;
  return (
    magnitude(now - timeOfA) - magnitude(now - timeOfB) || compareUtf8(a.metadata?.uid ?? "", b.metadata?.uid ?? "")
  );
}

/** In nanoseconds, as upstream measures (pkg/controller/controller_utils.go, logarithmicRankDiff). */
const magnitude = (ageMs: number): number => (ageMs > 0 ? Math.trunc(Math.log2(ageMs * 1e6)) : -1);

const createdAt = ({ metadata }: CachedPod): number | undefined =>
  metadata?.creationTimestamp ? parseTimeMs(metadata.creationTimestamp) : undefined;

const restarts = ({ status }: CachedPod): number =>
  largest(
    (status?.containerStatuses ?? []).map(({ restartCount }) => restartCount),
    0,
  );

function sidecarRestarts({ spec, status }: CachedPod): number {
  const sidecars = new Set(
    (spec?.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === "Always").map(({ name }) => name),
  );
  const counts = (status?.initContainerStatuses ?? []).filter(({ name }) => sidecars.has(name));
  return largest(
    counts.map(({ restartCount }) => restartCount),
    0,
  );
}
