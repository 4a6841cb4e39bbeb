import type { DeepReadonly } from "@coxswain/api";
import type { MetricSpec } from "@coxswain/api/autoscaling/v2";
import {
  type CachedMetricStatus,
  MetricError,
  type Proposal,
  type ProposalInputs,
  proposeReplicas,
} from "./metric-proposals.js";
import type { Finding } from "./plan.js";

type Spec = DeepReadonly<MetricSpec>;

/** The results of all metrics of an autoscaler. */
export interface Answers {
  /** The one that asks for most. */
  readonly best: Proposal | undefined;
  readonly statuses: readonly CachedMetricStatus[];
  readonly failures: readonly MetricError[];
}

/** One after the other; `onAnswer` learns of each. */
export async function askMetrics(
  specs: readonly Spec[],
  inputs: ProposalInputs,
  onAnswer: (spec: Spec, answer: Proposal | MetricError) => void,
): Promise<Answers> {
  const statuses: CachedMetricStatus[] = [];
  const failures: MetricError[] = [];
  let best: Proposal | undefined;
  for (const spec of specs) {
    const answer = await proposeReplicas(spec, inputs).catch((error: unknown) => {
      if (error instanceof MetricError) return error;
      throw error;
    });
    onAnswer(spec, answer);
    if (answer instanceof MetricError) {
      failures.push(answer);
      // Upstream writes an empty member for it.
      statuses.push({ type: "" } as unknown as CachedMetricStatus);
      continue;
    }
    statuses.push(answer.status);
    if (!best || best.replicas === 0 || answer.replicas > best.replicas) best = answer;
  }
  return { best, statuses, failures };
}

/** What follows from the answers. */
export interface Verdict {
  /** Undefined: nothing may be done. */
  readonly best: Proposal | undefined;
  /** What the failures were, if there were any. */
  readonly problem: string | undefined;
  readonly finding: Finding | undefined;
}

/** Pure: metrics without a result do not matter when the others ask for more replicas than there are. */
export function decideByAnswers({ best, statuses, failures }: Answers, current: number): Verdict {
  const [first] = failures;
  const problem =
    first && `invalid metrics (${failures.length} invalid out of ${statuses.length}), first error is: ${first.message}`;
  if (best && !(first && best.replicas < current)) {
    const message = `the HPA was able to successfully calculate a replica count from ${best.metric}`;
    return { best, problem, finding: { type: "ScalingActive", status: "True", reason: "ValidMetricFound", message } };
  }
  const message = `the HPA was unable to compute the replica count: ${first?.detail}`;
  return {
    best: undefined,
    problem: problem ?? "the autoscaler has no metrics",
    finding: first && { type: "ScalingActive", status: "False", reason: first.reason, message },
  };
}
