/** Lets sockets, timers and other work run: a promise alone would not. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
