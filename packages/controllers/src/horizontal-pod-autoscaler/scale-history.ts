import type { DeepReadonly } from "@coxswain/api";
import type { HPAScalingRules } from "@coxswain/api/autoscaling/v2";
import { largest, smallest } from "@coxswain/apimachinery/append";

interface Sample {
  readonly atMs: number;
  readonly replicas: number;
}

/** What an autoscaler recommended and did lately. Kept in memory only: a restart begins anew. */
export interface ScaleHistory {
  /** Recommendations before they were stabilized. */
  readonly recommendations: readonly Sample[];
  /** How many pods were added, and removed. */
  readonly added: readonly Sample[];
  readonly removed: readonly Sample[];
}

export type ScalingRules = DeepReadonly<HPAScalingRules>;

/** Of an autoscaler that is new here: nothing is scaled down at once. */
export const newHistory = (replicas: number, now: number): ScaleHistory => ({
  recommendations: [{ atMs: now, replicas }],
  added: [],
  removed: [],
});

/** Pure: with one recommendation more, without those that are older than every window. */
export const recommend = (
  history: ScaleHistory,
  { replicas, windowMs, now }: { readonly replicas: number; readonly windowMs: number; readonly now: number },
): ScaleHistory => ({
  ...history,
  recommendations: [...history.recommendations.filter(({ atMs }) => atMs >= now - windowMs), { atMs: now, replicas }],
});

/** Pure: after the target was scaled, without what is older than every policy's period. */
export function recordScale(
  history: ScaleHistory,
  {
    from,
    to,
    rules,
    now,
  }: {
    readonly from: number;
    readonly to: number;
    readonly rules: { readonly up?: ScalingRules; readonly down?: ScalingRules };
    readonly now: number;
  },
): ScaleHistory {
  const member = to > from ? "added" : "removed";
  const policies = (to > from ? rules.up : rules.down)?.policies ?? [];
  const periodMs =
    1000 *
    largest(
      policies.map(({ periodSeconds }) => periodSeconds),
      0,
    );
  const recent = history[member].filter(({ atMs }) => atMs >= now - periodMs);
  return { ...history, [member]: [...recent, { atMs: now, replicas: Math.abs(to - from) }] };
}

/** Pure: the highest, or lowest, of the recommendations within a window and of a new one. */
export const extremeOf = (
  history: ScaleHistory,
  {
    replicas,
    since,
    pick,
  }: { readonly replicas: number; readonly since: (atMs: number) => boolean; readonly pick: "max" | "min" },
): number =>
  history.recommendations.reduce(
    (best, sample) => (since(sample.atMs) ? Math[pick](best, sample.replicas) : best),
    replicas,
  );

/** Pure: how many pods there may be, at most or at least, for the rules of one direction. */
export function limitOf(
  direction: "up" | "down",
  rules: ScalingRules,
  { history, current, now }: { readonly history: ScaleHistory; readonly current: number; readonly now: number },
): number {
  if (rules.selectPolicy === "Disabled") return current;
  const limits = (rules.policies ?? []).map(({ type, value, periodSeconds }) => {
    const within = (samples: readonly Sample[]): number =>
      samples.reduce((sum, { atMs, replicas }) => (atMs > now - periodSeconds * 1000 ? sum + replicas : sum), 0);
    const start = current - within(history.added) + within(history.removed);
    if (type === "Pods") return direction === "up" ? start + value : start - value;
    // Rounded up, since otherwise few pods would never become more.
    return direction === "up" ? Math.ceil(start * (1 + value / 100)) : Math.trunc(start * (1 - value / 100));
  });
  const isLargest = (direction === "up") === (rules.selectPolicy !== "Min");
  return isLargest ? largest(limits, -(2 ** 31)) : smallest(limits, 2 ** 31 - 1);
}
