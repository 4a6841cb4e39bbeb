/**
 * Known now or later. What is known is not wrapped in a promise: on the way of every request each promise costs a turn of the microtask
 * queue, and memory for as long as the request waits.
 */
export type Soon<T> = T | Promise<T>;

/** Goes on with a value, at once if it is there. */
export const whenKnown = <T, R>(value: Soon<T>, then: (value: T) => Soon<R>): Soon<R> => (value instanceof Promise ? value.then(then) : then(value));

/** Does what may fail, now or later. */
export function attempt<T>(work: () => Soon<T>, failed: (err: unknown) => Soon<T>): Soon<T> {
  try {
    const value = work();
    return value instanceof Promise ? value.catch(failed) : value;
  } catch (err) {
    return failed(err);
  }
}

/** Asks one after the other until an answer decides; undefined when none does. */
export function firstToDecide<T, V, D>(all: readonly T[], ask: (one: T) => Soon<V>, decide: (verdict: V) => D | undefined, from = 0): Soon<D | undefined> {
  for (let at = from; at < all.length; at++) {
    const verdict = ask(all[at] as T);
    if (verdict instanceof Promise) return verdict.then((late) => decide(late) ?? firstToDecide(all, ask, decide, at + 1));
    const decision = decide(verdict);
    if (decision !== undefined) return decision;
  }
  return undefined;
}
