import type { Clock } from "@coxswain/apimachinery/clock";
import type { RequestContext } from "../endpoints/request-context.js";
import type { Filter, Handler } from "./filter.js";

export type OnDecided = (context: RequestContext, ms: number) => void;

/** The same filter, measured up to the moment when it calls the next one or answers itself. */
export const timed =
  (filter: Filter, clock: Pick<Clock, "monotonic">, onDecided: OnDecided): Filter =>
  (context, next) => {
    const began = clock.monotonic();
    let isOpen = true;
    const decide = (): void => {
      if (!isOpen) return;
      isOpen = false;
      onDecided(context, clock.monotonic() - began);
    };
    const pass: Handler = (passing) => {
      decide();
      return next(passing);
    };
    try {
      const answer = filter(context, pass);
      if (!(answer instanceof Promise)) decide();
      else if (isOpen) answer.then(decide, decide); // whoever waits for the answer hears of an error, too
      return answer;
    } catch (err) {
      decide();
      throw err;
    }
  };
