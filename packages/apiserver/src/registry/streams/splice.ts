import type { Duplex } from "node:stream";

/**
 * Joins two connections: what comes on one goes out on the other, no faster than it is read there. When either side ends,
 * its last bytes are passed on and both are closed. Resolves then; aborting cuts both.
 */
export function splice(a: Duplex, b: Duplex, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    let open = 2;
    const cut = (): void => {
      a.destroy();
      b.destroy();
    };
    const onClose = (other: Duplex) => (): void => {
      finish(other);
      if (--open > 0) return;
      signal.removeEventListener("abort", cut);
      resolve();
    };
    for (const [from, to] of [
      [a, b],
      [b, a],
    ] as const) {
      from.on("error", () => from.destroy());
      from.once("end", () => {
        finish(to);
        finish(from);
      });
      if (from.destroyed) queueMicrotask(onClose(to));
      else from.once("close", onClose(to));
      from.pipe(to, { end: false });
    }
    if (signal.aborted) cut();
    else signal.addEventListener("abort", cut, { once: true });
  });
}

/** Closes a connection once what was written to it is on its way. */
function finish(stream: Duplex): void {
  if (stream.destroyed) return;
  if (stream.writableFinished) return void stream.destroy();
  stream.once("finish", () => stream.destroy());
  if (!stream.writableEnded) stream.end();
}
