import type { SubjectAccessReview, SubjectAccessReviewStatus } from "@coxswain/api/authorization/v1";
import type { Clock } from "@coxswain/runtime/clock";
import { type Attributes, type Authorizer, type Decision, noOpinion } from "../attributes.js";
import type { ReviewCondition } from "../authorizer-config.js";
import { type ConditionMetrics, matchConditions } from "./match-conditions.js";
import { reviewSpec } from "./review-spec.js";

export interface WebhookAuthorizerOptions {
  /** Asks the service; rejects when there is no answer, after all tries. */
  post(review: unknown): Promise<unknown>;
  readonly version: "v1" | "v1beta1";
  /** How long an answer that allows is kept, in milliseconds; 0: not at all. */
  readonly authorizedMs: number;
  readonly unauthorizedMs: number;
  readonly failurePolicy: "NoOpinion" | "Deny";
  /** It is asked only of what they all hold for. @default of everything */
  readonly conditions?: readonly ReviewCondition[];
  readonly clock: Pick<Clock, "monotonic">;
  readonly conditionMetrics?: ConditionMetrics;
  /** Called when the webhook did not answer and others may therefore decide. */
  readonly onFailOpen?: () => void;
}

const mostAnswers = 8192;
/** What clients choose themselves may be long: such questions are not kept. */
const longestKept = 10_000;

/** Somebody else decides, by a SubjectAccessReview. */
export function createWebhookAuthorizer({
  post,
  version,
  authorizedMs,
  unauthorizedMs,
  failurePolicy,
  conditions = [],
  clock,
  conditionMetrics,
  onFailOpen,
}: WebhookAuthorizerOptions): Authorizer {
  const kept = new Map<string, { readonly status: SubjectAccessReviewStatus; readonly until: number }>();

  function keep(key: string, status: SubjectAccessReviewStatus): void {
    const ms = status.allowed ? authorizedMs : unauthorizedMs;
    kept.delete(key);
    if (ms > 0) kept.set(key, { status, until: clock.monotonic() + ms });
    if (kept.size > mostAnswers) kept.delete(kept.keys().next().value as string);
  }

  const decisionOnError = (error: string): Decision => ({
    decision: failurePolicy === "Deny" ? "deny" : "no opinion",
    reason: "",
    error,
  });

  async function ask(key: string, review: object, isShort: boolean): Promise<Decision> {
    try {
      const { status } = (await post(review)) as SubjectAccessReview;
      const verdict = status ?? { allowed: false };
      if (isShort) keep(key, verdict);
      return decisionOf(verdict);
    } catch (err) {
      const error = err instanceof Error ? err.message : String(err);
      if (failurePolicy === "NoOpinion") onFailOpen?.();
      return decisionOnError(error);
    }
  }

  return (asked) => {
    const spec = reviewSpec(asked);
    const matched = conditions.length === 0 ? { matches: true } : matchConditions(conditions, spec, conditionMetrics);
    if (matched.error !== undefined) return decisionOnError(matched.error);
    if (!matched.matches) return noOpinion("");
    const key = JSON.stringify(spec);
    const known = kept.get(key);
    if (known && known.until > clock.monotonic()) return decisionOf(known.status);
    return ask(
      key,
      {
        kind: "SubjectAccessReview",
        apiVersion: `authorization.k8s.io/${version}`,
        metadata: {},
        spec: version === "v1" ? spec : inBeta(spec),
        status: { allowed: false },
      },
      isShort(asked),
    );
  };
}

/** The beta form has another name for the groups. */
const inBeta = ({ groups, ...spec }: ReturnType<typeof reviewSpec>): object => ({
  ...spec,
  ...(groups && { group: groups }),
});

const isShort = ({ namespace, verb, group, version, resource, subresource, name, path }: Attributes): boolean =>
  [namespace, verb, group, version, resource, subresource, name, path].reduce((sum, text) => sum + text.length, 0) <
  longestKept;

function decisionOf({ allowed, denied = false, reason = "" }: SubjectAccessReviewStatus): Decision {
  if (denied)
    return {
      decision: "deny",
      reason,
      ...(allowed ? { error: "webhook subject access review returned both allow and deny response" } : {}),
    };
  return allowed ? { decision: "allow", reason } : noOpinion(reason);
}
