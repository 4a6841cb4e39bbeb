import type { Soon } from "@coxswain/runtime/soon";
import { isLarge, microsPerByte } from "../large-object.js";
import { admit } from "./admit.js";
import { canonicalize } from "./canonicalize.js";
import { authorizeWrite, joinTransaction } from "./kind-hooks.js";
import { matchResourceVersion, refuseResourceVersion } from "./match-resource-version.js";
import { mutate, nextState, restoreStored, trackFields } from "./mutate.js";
import type { PendingWrite } from "./pending-write.js";
import { prepare } from "./prepare.js";
import { validate } from "./validate.js";

/** Takes a write further: changes its `object`, or throws a StatusError to refuse it. */
export type WriteStep = (write: PendingWrite) => Soon<void>;

/**
 * What the client wants, as mutating admission leaves it. With `storageSteps` after them these are every write, from top to bottom:
 * creations, updates, patches, server-side apply, and writes of a projection such as Scale.
 */
export const requestSteps: readonly WriteStep[] = [nextState, trackFields, mutate];

/**
 * From there to what is stored. A creation passes `requestSteps` once and these for every name it tries; an update passes
 * all of them each time it loses a race, against what is then current.
 */
export const storageSteps: readonly WriteStep[] = [
  restoreStored,
  matchResourceVersion,
  authorizeWrite,
  joinTransaction, // may fill in addresses, which the kind then validates
  prepare,
  validate,
  canonicalize,
  refuseResourceVersion,
  admit, // sees the object as it will be stored
];

export const allSteps: readonly WriteStep[] = [...requestSteps, ...storageSteps];

/** Other work runs between the steps of a large write. */
export async function runSteps(write: PendingWrite, steps: readonly WriteStep[]): Promise<void> {
  for (const step of steps) {
    const yielding = isLarge(write.bytes) ? write.deps.runtime.scheduler.yield(write.bytes * microsPerByte) : undefined;
    if (yielding) await yielding;
    // Most steps are done at once: waiting for each would cost every write a dozen turns of the microtask queue.
    const running = step(write);
    if (running) await running;
  }
}
