import type { Duplex } from "node:stream";

/**
 * Carries bytes both ways, each half until its end. When one side is gone, so is the other, once it has all that was sent: the last
 * bytes of a command are its exit code.
 */
export function splice(a: Duplex, b: Duplex): void {
  carry(a, b);
  carry(b, a);
}

function carry(from: Duplex, to: Duplex): void {
  const gone = (): void => {
    if (from.readableEnded && !to.writableFinished && !to.destroyed) to.once("finish", () => to.destroy()).end();
    else to.destroy();
  };
  if (from.destroyed) return gone();
  from.pipe(to);
  from.on("error", () => undefined); // it is closed next
  from.once("close", gone);
}
