import type { Steps } from "@coxswain/runtime/steps";

/** A loop over elements yields after so many of them. */
export const elementsPerStep = 256;
/** What that many take, in microseconds. */
export const stepMicros = 256;

/** Of what is smaller than this nothing is seen by the scheduler: most objects are worked on in one piece. */
const leastMicros = 200;

/** Fewer and longer steps: the engines yield at every node, which is too often to look at the clock. */
export function* longerSteps<T>(steps: Steps<T>): Steps<T> {
  for (let micros = 0; ; ) {
    const { done, value } = steps.next();
    if (done) return value;
    micros += value;
    if (micros < leastMicros) continue;
    yield micros;
    micros = 0;
  }
}
