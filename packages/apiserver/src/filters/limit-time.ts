import { badRequest } from "@coxswain/apimachinery/status";
import { parseDuration } from "@coxswain/apimachinery/time";
import type { Clock } from "@coxswain/runtime/clock";
import type { DocumentAnswer } from "../request/answer.js";
import type { Filter } from "../request/filter.js";
import { isLongRunning } from "../request/long-running.js";
import type { RequestContext } from "../request/request-context.js";

export interface TimeLimits {
  readonly clock: Clock;
  /** For requests that ask for no time of their own, and the most that one can ask for. */
  readonly timeoutMs: number;
  /** Called for every request that timed out. */
  readonly onExpired?: (context: RequestContext) => void;
}

/**
 * A request that is not answered in time is answered with 504; what it had begun is aborted. What is left of the time is for its client
 * to read the answer. Watches have a time of their own.
 */
export const limitTime =
  ({ clock, timeoutMs, onExpired }: TimeLimits): Filter =>
  (context, next) => {
    if (isLongRunning(context.info)) return next(context);
    const allowedMs = allowedTime(context, timeoutMs);
    context.deadline = clock.monotonic() + allowedMs;
    const answer = next(context);
    if (!(answer instanceof Promise)) return answer;
    return new Promise((resolve, reject) => {
      const timer = clock.setTimer(allowedMs, () => {
        context.expire(tooLate);
        onExpired?.(context);
        resolve(tooLateAnswer);
      });
      answer.then(
        (inTime) => {
          timer.cancel();
          resolve(inTime);
        },
        (err: unknown) => {
          timer.cancel();
          reject(err as Error);
        },
      );
    });
  };

/** A client may ask for less time than there is. Zero asks for nothing in particular. */
export function allowedTime({ request, query }: RequestContext, timeoutMs: number): number {
  const text = request.query.includes("timeout") ? query.text("timeout") : "";
  if (text === "") return timeoutMs;
  const { nanoseconds, error } = parseDuration(text);
  if (error !== undefined) throw badRequest(`invalid timeout specified in the request URL - ${error}`);
  const wanted = Number(nanoseconds) / 1e6;
  return wanted > 0 && wanted < timeoutMs ? wanted : timeoutMs;
}

const tooLate = new Error("the request took too long");

/** Upstream writes this one past its codecs: a Status without kind and version, as plain text. */
const tooLateAnswer: DocumentAnswer = {
  as: "document",
  code: 504,
  contentType: "text/plain; charset=utf-8",
  bytes: new TextEncoder().encode(
    `${JSON.stringify({ metadata: {}, status: "Failure", message: "Timeout: request did not complete within the allotted timeout", reason: "Timeout", details: {}, code: 504 })}\n`,
  ),
};
