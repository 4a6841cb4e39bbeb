import type { Clock } from "@coxswain/runtime/clock";
import { exponentialBuckets, type Metrics } from "@coxswain/runtime/metrics";
import type { Authorizer, Decision } from "../authorization/attributes.js";

/** What is counted of those who want to be taken for somebody else. */
export interface ImpersonationMetrics {
  /** Who impersonates was allowed to in this way (`impersonate:<mode>`; "": the old one), or not at all. */
  attempted(constraint: string | undefined, ms: number): void;
  /** The same authorizer, and every question is counted. */
  counting(authorizer: Authorizer): Authorizer;
  now(): number;
}

export function createImpersonationMetrics(metrics: Metrics, clock: Pick<Clock, "monotonic">): ImpersonationMetrics {
  const labels = ["mode", "decision"];
  const buckets = exponentialBuckets(0.001, 2, 15);
  const counter = (name: string, help: string) =>
    metrics.counter({ name: `apiserver_impersonation_${name}_total`, help, labels, stability: "ALPHA" });
  const histogram = (name: string, help: string) =>
    metrics.histogram({
      name: `apiserver_impersonation_${name}_duration_seconds`,
      help,
      labels,
      buckets,
      stability: "ALPHA",
    });
  const attempts = counter("attempts", "Requests that asked to be taken for somebody else's, by mode and outcome.");
  const attemptTimes = histogram(
    "attempts",
    "How long it took to find out whether somebody may impersonate, in seconds.",
  );
  const questions = counter(
    "authorization_attempts",
    "Questions to the authorizer that impersonation asked, by mode and answer.",
  );
  const questionTimes = histogram("authorization_attempts", "How long these questions took, in seconds.");
  const asked = (verb: string, { decision }: Decision, ms: number): void => {
    const words = [modeOf(verb), decision === "allow" ? "allowed" : "denied"];
    questions.with(...words).add(1);
    questionTimes.with(...words).observe(ms / 1000);
  };
  return {
    now: () => clock.monotonic(),
    attempted(constraint, ms) {
      const words =
        constraint === undefined ? ["", "denied"] : [modeOf(constraint === "" ? "impersonate" : constraint), "allowed"];
      attempts.with(...words).add(1);
      attemptTimes.with(...words).observe(ms / 1000);
    },
    counting: (authorizer) => async (attributes) => {
      const began = clock.monotonic();
      const answer = await authorizer(attributes);
      asked(attributes.verb, answer, clock.monotonic() - began);
      return answer;
    },
  };
}

/** `impersonate:<mode>`, `impersonate-on:<mode>:<verb>`. */
const modeOf = (verb: string): string => (verb === "impersonate" ? "legacy" : (verb.split(":")[1] ?? ""));
