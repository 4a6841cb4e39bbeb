import type { DeepReadonly } from "@coxswain/api";
import type { StoredPod } from "@coxswain/kinds/core/pod";
import { evaluatePod, showReasons } from "./evaluate.js";
import { type LevelVersion, showLevelVersion } from "./policy.js";

type Pod = DeepReadonly<StoredPod>;

/** At most so many pods are checked: a client that changes a label does not want to wait. */
const mostPods = 3000;
/** Milliseconds. */
const mostTime = 1000;

export interface ExistingPods {
  readonly namespace: string;
  readonly pods: Iterable<Pod>;
  readonly enforce: LevelVersion;
  isExempt(pod: Pod): boolean;
  /** Milliseconds of any clock. */
  now(): number;
}

/** Warnings of the pods that are there and would not be let in any more. */
export function warnOfExistingPods({ namespace, pods, enforce, isExempt, now }: ExistingPods): string[] {
  const all = oneOfEachFirst([...pods].filter((pod) => !isExempt(pod)));
  const found = new Map<string, string[]>();
  const until = now() + mostTime;
  let checked = 0;
  for (const pod of all.slice(0, mostPods)) {
    checked++;
    const reasons = showReasons(evaluatePod(enforce, pod));
    if (reasons !== "") found.set(reasons, [...(found.get(reasons) ?? []), pod.metadata.name ?? ""]);
    if (now() > until) break;
  }
  const lines = [...found].map(
    ([reasons, names]) => `${names.toSorted()[0] ?? ""}${others(names.length - 1)}: ${reasons}`,
  );
  return [
    ...(checked < all.length
      ? [`new PodSecurity enforce level only checked against the first ${checked} of ${all.length} existing pods`]
      : []),
    ...(lines.length > 0
      ? [
          `existing pods in namespace ${JSON.stringify(namespace)} violate the new PodSecurity enforce level ${JSON.stringify(showLevelVersion(enforce))}`,
        ]
      : []),
    ...lines.sort(),
  ];
}

const others = (count: number): string => (count === 0 ? "" : ` (and ${count} other ${count === 1 ? "pod" : "pods"})`);

/** Pods of one controller are alike: the first of each comes before the rest. */
function oneOfEachFirst(pods: readonly Pod[]): Pod[] {
  const seen = new Set<string>();
  const repeated: Pod[] = [];
  const first = pods.filter((pod) => {
    const owner = pod.metadata.ownerReferences?.find(({ controller }) => controller)?.uid;
    if (owner === undefined) return true;
    if (!seen.has(owner)) return seen.add(owner);
    repeated.push(pod);
    return false;
  });
  return [...first, ...repeated];
}
