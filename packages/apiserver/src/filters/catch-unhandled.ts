import { internalError, isStatusError } from "@coxswain/apimachinery/status";
import type { Logger } from "@coxswain/component/log";
import { statusAnswer } from "../server/answer.js";
import type { Filter } from "./filter.js";

/** What was thrown becomes an answer. A StatusError is one; anything else is a mistake of ours, logged and told as 500. */
export const catchUnhandled =
  (log: Logger): Filter =>
  async (context, next) => {
    try {
      return await next(context);
    } catch (err) {
      if (isStatusError(err)) return statusAnswer(err.status);
      if (!context.signal.aborted) log.error("request failed", { method: context.request.method, path: context.info.path, auditId: context.auditId, error: err });
      return statusAnswer(internalError(err instanceof Error ? err.message : String(err)).status);
    }
  };
