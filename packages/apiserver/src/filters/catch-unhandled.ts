import { internalError, isStatusError } from "@coxswain/apimachinery/status";
import type { Logger } from "@coxswain/runtime/log";
import { type Answer, statusAnswer } from "../request/answer.js";
import type { Filter } from "../request/filter.js";
import type { RequestContext } from "../request/request-context.js";

/** What was thrown becomes an answer. A StatusError is one; anything else is a mistake of ours, logged and answered with 500. */
export const catchUnhandled =
  (log: Logger): Filter =>
  (context, next) => {
    try {
      const answer = next(context);
      return answer instanceof Promise ? catchLater(answer, context, log) : answer;
    } catch (err) {
      return answerOf(err, context, log);
    }
  };

const catchLater = (answer: Promise<Answer>, context: RequestContext, log: Logger): Promise<Answer> =>
  answer.catch((err: unknown) => answerOf(err, context, log));

function answerOf(err: unknown, context: RequestContext, log: Logger): Answer {
  if (isStatusError(err)) return statusAnswer(err.status);
  if (!context.signal.aborted)
    log.error("request failed", {
      method: context.request.method,
      path: context.info.path,
      auditId: context.auditId,
      error: err,
    });
  return statusAnswer(internalError(err instanceof Error ? err.message : String(err)).status);
}
