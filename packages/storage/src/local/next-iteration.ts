/** Lets sockets, timers and other work run: a promise alone would not. */
export const nextIteration = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
