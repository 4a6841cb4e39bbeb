import type { Clock } from "@coxswain/apimachinery/clock";
import { timeout } from "@coxswain/apimachinery/status";
import { statusAnswer } from "../server/answer.js";
import type { Filter } from "./filter.js";

const longRunningVerbs = new Set(["watch", "proxy"]);
const longRunningSubresources = new Set(["attach", "exec", "proxy", "log", "portforward"]);

/** A request that is not answered in time is answered with 504; what it had begun is aborted. Watches have a time of their own. */
export const limitTime =
  (clock: Clock, longestMs: number): Filter =>
  async (context, next) => {
    const { info } = context;
    if (longRunningVerbs.has(info.verb) || longRunningSubresources.has(info.subresource)) return next(context);
    let expire: () => void = () => {};
    const expired = new Promise<void>((resolve) => (expire = resolve));
    const timer = clock.setTimer(longestMs, () => {
      context.expire(tooLate);
      expire();
    });
    try {
      const answer = await Promise.race([next(context), expired]);
      return answer ?? statusAnswer(timeout("The request did not complete within the allotted timeout", 0).status);
    } finally {
      timer.cancel();
    }
  };

const tooLate = new Error("the request took too long");
