/**
 * Resolves in a later iteration of the event loop, after sockets and timers had theirs; a promise alone would starve them.
 * setImmediate where there is one (Node), a message to oneself in browsers, where setTimeout is held back.
 */
export const macrotask: () => Promise<void> = createMacrotask();

function createMacrotask(): () => Promise<void> {
  const immediate = (globalThis as { setImmediate?: (run: () => void) => unknown }).setImmediate;
  if (typeof immediate === "function") return () => new Promise((resolve) => immediate(resolve));
  const waiting: (() => void)[] = [];
  const { port1, port2 } = new MessageChannel();
  (port1 as unknown as { onmessage: () => void }).onmessage = () => waiting.shift()?.();
  return () =>
    new Promise((resolve) => {
      waiting.push(resolve);
      port2.postMessage(undefined);
    });
}
