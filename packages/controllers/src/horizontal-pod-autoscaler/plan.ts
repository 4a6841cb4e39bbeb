import type { DeepReadonly } from "@coxswain/api";
import type { HorizontalPodAutoscaler, HorizontalPodAutoscalerCondition } from "@coxswain/api/autoscaling/v2";
import { formatTime } from "@coxswain/apimachinery/time";
import { extremeOf, limitOf, recommend, type ScaleHistory, type ScalingRules } from "./scale-history.js";

export type CachedAutoscaler = DeepReadonly<HorizontalPodAutoscaler>;
export type CachedCondition = DeepReadonly<HorizontalPodAutoscalerCondition>;
/** Content of a condition. */
export type Finding = Pick<CachedCondition, "type" | "status"> & { readonly reason: string; readonly message: string };

export interface NormalizeInputs {
  readonly autoscaler: CachedAutoscaler;
  readonly history: ScaleHistory;
  readonly current: number;
  /** As metrics recommend. */
  readonly desired: number;
  readonly minReplicas: number;
  /** --horizontal-pod-autoscaler-downscale-stabilization, in milliseconds. */
  readonly downscaleWindowMs: number;
  readonly now: number;
}

export interface Normalized {
  readonly replicas: number;
  readonly history: ScaleHistory;
  readonly findings: readonly Finding[];
}

/** Pure: the recommendation, stabilized by earlier ones and within all limits. */
export function planReplicas(inputs: NormalizeInputs): Normalized {
  const { autoscaler, desired } = inputs;
  const behavior = autoscaler.spec?.behavior;
  const stable = behavior ? stabilizeByRules(inputs, behavior) : stabilize(inputs);
  const limited = behavior
    ? limitByRules({ ...inputs, desired: stable.replicas }, behavior)
    : limitByDefault({ ...inputs, desired: stable.replicas });
  const ready = { reason: "ReadyForNewScale", message: "recommended size matches current size" };
  return {
    replicas: limited.replicas,
    history: stable.history,
    findings: [
      { type: "AbleToScale", status: "True", ...(stable.replicas === desired ? ready : stable.why) },
      { type: "ScalingLimited", status: limited.replicas === stable.replicas ? "False" : "True", ...limited.why },
    ],
  };
}

interface Why {
  readonly reason: string;
  readonly message: string;
}

const scaleDownStabilized: Why = {
  reason: "ScaleDownStabilized",
  message: "recent recommendations were higher than current one, applying the highest recent recommendation",
};
const scaleUpStabilized: Why = {
  reason: "ScaleUpStabilized",
  message: "recent recommendations were lower than current one, applying the lowest recent recommendation",
};
const withinRange: Why = {
  reason: "DesiredWithinRange",
  message: "the desired count is within the acceptable range",
};
const tooFew: Why = {
  reason: "TooFewReplicas",
  message: "the desired replica count is less than the minimum replica count",
};
const tooMany: Why = {
  reason: "TooManyReplicas",
  message: "the desired replica count is more than the maximum replica count",
};
const scaleUpLimit: Why = {
  reason: "ScaleUpLimit",
  message: "the desired replica count is increasing faster than the maximum scale rate",
};
const scaleDownLimit: Why = {
  reason: "ScaleDownLimit",
  message: "the desired replica count is decreasing faster than the maximum scale rate",
};

type Stabilized = { readonly replicas: number; readonly history: ScaleHistory; readonly why: Why };
type Limited = { readonly replicas: number; readonly why: Why };
type Behavior = NonNullable<NonNullable<CachedAutoscaler["spec"]>["behavior"]>;

function stabilize({ history, desired, downscaleWindowMs: windowMs, now }: NormalizeInputs): Stabilized {
  const since = (atMs: number): boolean => atMs >= now - windowMs;
  return {
    replicas: extremeOf(history, { replicas: desired, since, pick: "max" }),
    history: recommend(history, { replicas: desired, windowMs, now }),
    why: scaleDownStabilized,
  };
}

function stabilizeByRules(inputs: NormalizeInputs, { scaleUp, scaleDown }: Behavior): Stabilized {
  const { history, current, desired, downscaleWindowMs, now } = inputs;
  const upMs = (scaleUp?.stabilizationWindowSeconds ?? 0) * 1000;
  const downSeconds = scaleDown?.stabilizationWindowSeconds;
  const downMs = downSeconds === undefined ? downscaleWindowMs : downSeconds * 1000;
  const lowest = extremeOf(history, { replicas: desired, since: (atMs) => atMs > now - upMs, pick: "min" });
  const highest = extremeOf(history, { replicas: desired, since: (atMs) => atMs > now - downMs, pick: "max" });
  return {
    replicas: Math.min(Math.max(current, lowest), highest),
    history: recommend(history, { replicas: desired, windowMs: Math.max(upMs, downMs), now }),
    why: desired >= current ? scaleUpStabilized : scaleDownStabilized,
  };
}

/** At most twice as many at once, or four: what was measured may be wrong. */
function limitByDefault({ autoscaler, current, desired, minReplicas }: NormalizeInputs): Limited {
  const maxReplicas = autoscaler.spec?.maxReplicas ?? 0;
  const atOnce = Math.max(2 * current, 4);
  if (desired < minReplicas) return { replicas: minReplicas, why: tooFew };
  const most = Math.min(maxReplicas, atOnce);
  if (desired > most) return { replicas: most, why: maxReplicas > atOnce ? scaleUpLimit : tooMany };
  return { replicas: desired, why: withinRange };
}

const noRules: ScalingRules = {};

function limitByRules(inputs: NormalizeInputs, { scaleUp, scaleDown }: Behavior): Limited {
  const { autoscaler, current, desired, minReplicas } = inputs;
  const maxReplicas = autoscaler.spec?.maxReplicas ?? 0;
  if (desired > current) {
    const fastest = Math.max(current, limitOf("up", scaleUp ?? noRules, inputs));
    const most = Math.min(maxReplicas, fastest);
    if (desired > most) return { replicas: most, why: maxReplicas > fastest ? scaleUpLimit : tooMany };
  } else if (desired < current) {
    const fastest = Math.min(current, limitOf("down", scaleDown ?? noRules, inputs));
    const least = Math.max(minReplicas, fastest);
    if (desired < least) return { replicas: least, why: minReplicas < fastest ? scaleDownLimit : tooFew };
  }
  return { replicas: desired, why: withinRange };
}

/** Pure: with the findings; the time of a condition is that of its last change of status. */
export function withFindings(
  conditions: readonly CachedCondition[],
  findings: readonly Finding[],
  now: number,
): readonly CachedCondition[] {
  let next = conditions;
  for (const finding of findings) {
    const before = next.find(({ type }) => type === finding.type);
    const isSameStatus = before?.status === finding.status;
    const time = isSameStatus ? before?.lastTransitionTime : formatTime(now);
    const condition: CachedCondition = { ...finding, ...(time !== undefined && { lastTransitionTime: time }) };
    next = before ? next.map((other) => (other === before ? condition : other)) : [...next, condition];
  }
  return next;
}
