import type { Clock } from "@coxswain/apimachinery/clock";
import type { RequestContext } from "../endpoints/request-context.js";
import type { Filter, Handler } from "./filter.js";

/** How a filter decided: it let the request pass, answered it itself, or refused it with an error. */
export type Decided = "passed" | "answered" | "refused";
export type OnDecided = (context: RequestContext, decision: Decided, ms: number) => void;

/** The same filter, measured up to the moment when it calls the next one or answers itself. */
export const timed =
  (filter: Filter, clock: Pick<Clock, "monotonic">, onDecided: OnDecided): Filter =>
  (context, next) => {
    const began = clock.monotonic();
    let isOpen = true;
    const decide = (decision: Decided): void => {
      if (!isOpen) return;
      isOpen = false;
      onDecided(context, decision, clock.monotonic() - began);
    };
    const pass: Handler = (passing) => {
      decide("passed");
      return next(passing);
    };
    try {
      const answer = filter(context, pass);
      if (!(answer instanceof Promise)) decide("answered");
      else if (isOpen)
        answer.then(
          () => decide("answered"),
          () => decide("refused"), // whoever waits for the answer hears of it too
        );
      return answer;
    } catch (err) {
      decide("refused");
      throw err;
    }
  };
