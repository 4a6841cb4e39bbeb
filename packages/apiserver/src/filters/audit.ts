import { isStatusError } from "@coxswain/apimachinery/status";
import type { AuditDeps } from "../audit/audit-deps.js";
import { AuditRecord, type Course } from "../audit/audit-record.js";
import { attributesOf } from "../authorization/request-attributes.js";
import type { Answer } from "../request/answer.js";
import type { Filter } from "../request/filter.js";
import { Latencies } from "../request/latencies.js";
import { isLongRunning } from "../request/long-running.js";
import type { RequestContext } from "../request/request-context.js";
import { internalErrorAnswer } from "./internal-error-answer.js";

/**
 * Notes when a request arrived, since events have the time before the first filter; and for a request that is not
 * long-running, where its time goes from then on.
 */
export const stampArrival =
  (now: () => number): Filter =>
  (context, next) => {
    context.receivedAt = now();
    if (!isLongRunning(context.info)) context.latencies = new Latencies();
    return next(context);
  };

/** Where the time of a request goes, for those who ask afterwards. A GET of one object is over before that would pay. */
export const timeWrites: Filter = (context, next) => {
  if (context.info.verb !== "get" && !isLongRunning(context.info)) context.latencies = new Latencies();
  return next(context);
};

/** Records requests as the policy asks. Responses are recorded where they are written; this filter records errors on the way. */
export const audit =
  (deps: AuditDeps): Filter =>
  async (context, next) => {
    const record = openRecord(deps, context, isLongRunning(context.info) ? "lasting" : "short");
    if (!record) return next(context);
    if (!(await record.emit("RequestReceived"))) {
      deps.onRejected();
      return internalErrorAnswer(context, "failed to store audit event");
    }
    context.audit = record;
    try {
      return await next(context);
    } catch (err) {
      if (!isStatusError(err) && !context.signal.aborted)
        await record.broke(err instanceof Error ? err.message : String(err));
      throw err;
    }
  };

/**
 * A filter that comes before `audit` and refuses requests: the refusal is recorded, too. Requests that it lets pass are recorded by `audit`.
 * @param why for the log where the answer itself does not have it, which is where the client accepts no form that we have
 */
export function auditRefusals(
  filter: Filter,
  deps: AuditDeps | undefined,
  why: (context: RequestContext, refusal: unknown) => string = messageOf,
): Filter {
  if (!deps) return filter;
  return async (context, next) => {
    let hasPassed = false;
    const refuse = (refusal: unknown): void => {
      if (hasPassed) return;
      context.audit = openRecord(deps, context, "refused");
      context.audit?.status({ message: why(context, refusal) });
    };
    let answer: Answer;
    try {
      answer = await filter(context, (passing) => {
        hasPassed = true;
        return next(passing);
      });
    } catch (err) {
      refuse(err);
      throw err;
    }
    refuse(undefined);
    return answer;
  };
}

const messageOf = (_context: RequestContext, refusal: unknown): string =>
  refusal instanceof Error ? refusal.message : "";

function openRecord(deps: AuditDeps, context: RequestContext, course: Course): AuditRecord | undefined {
  const attributes = attributesOf(context);
  const ruling = deps.ruling(attributes);
  deps.onLevel(ruling.level);
  return ruling.level === "None" ? undefined : new AuditRecord(deps, ruling, context, attributes, course);
}
