/**
 * Known now or later. What is known is not wrapped in a promise: on the way of every request each promise costs a round of the microtask
 * queue, and memory for as long as the request waits.
 */
export type Soon<T> = T | Promise<T>;

/** Goes on with a value, at once if it is there. */
export const whenKnown = <T, R>(value: Soon<T>, then: (value: T) => Soon<R>): Soon<R> =>
  value instanceof Promise ? value.then(then) : then(value);

/** Does what may fail, now or later. */
export function attempt<T>(work: () => Soon<T>, failed: (err: unknown) => Soon<T>): Soon<T> {
  try {
    const value = work();
    return value instanceof Promise ? value.catch(failed) : value;
  } catch (err) {
    return failed(err);
  }
}

/** Handlers that are asked one after the other, as the union authenticator and authorizer of upstream are. */
export interface DecisionChain<T, V, D> {
  ask(one: T): Soon<V>;
  /** Undefined: the next one is asked. */
  decide(verdict: V): D | undefined;
  /** None of them decided. */
  otherwise(): D;
}

/** Asks one after the other until an answer decides. */
export function firstToDecide<T, V, D>(all: readonly T[], chain: DecisionChain<T, V, D>, from = 0): Soon<D> {
  for (let at = from; at < all.length; at++) {
    const verdict = chain.ask(all[at] as T);
    if (verdict instanceof Promise) return goOnLater(verdict, all, chain, at + 1);
    const decision = chain.decide(verdict);
    if (decision !== undefined) return decision;
  }
  return chain.otherwise();
}

async function goOnLater<T, V, D>(
  verdict: Promise<V>,
  all: readonly T[],
  chain: DecisionChain<T, V, D>,
  next: number,
): Promise<D> {
  return chain.decide(await verdict) ?? firstToDecide(all, chain, next);
}
