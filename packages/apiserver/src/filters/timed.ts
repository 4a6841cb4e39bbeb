import type { Clock } from "@coxswain/runtime/clock";
import type { Soon } from "@coxswain/runtime/soon";
import type { Answer } from "../request/answer.js";
import type { Filter } from "../request/filter.js";
import type { OnDecided, RequestContext } from "../request/request-context.js";

/**
 * The same filter between two others: measured up to the moment when it calls the next one or answers itself. A request is with one such
 * filter at a time, so what is measured stands in its context, and nothing is made for it.
 */
export function timed(filter: Filter, clock: Pick<Clock, "monotonic">, onDecided: OnDecided): readonly Filter[] {
  const decide = (context: RequestContext): void => {
    if (context.deciding !== onDecided) return;
    context.deciding = undefined;
    onDecided(context, clock.monotonic() - context.decidingSince);
  };
  const begin: Filter = (context, next) => {
    context.deciding = onDecided;
    context.decidingSince = clock.monotonic();
    let answer: Soon<Answer>;
    try {
      answer = next(context);
    } catch (err) {
      decide(context);
      throw err;
    }
    if (!(answer instanceof Promise)) decide(context);
    else if (context.deciding === onDecided) whenOver(answer, decide, context);
    return answer;
  };
  const pass: Filter = (context, next) => {
    decide(context);
    return next(context);
  };
  return [begin, filter, pass];
}

/** Callers that wait for the answer receive an error, too. */
function whenOver(answer: Promise<Answer>, decide: (context: RequestContext) => void, context: RequestContext): void {
  const over = (): void => decide(context);
  answer.then(over, over);
}
