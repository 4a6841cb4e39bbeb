import type { Socket } from "node:net";
import { clientLimits } from "../clients/limits.js";
import type { Sweeper, Swept } from "../clients/sweeper.js";

/** What the first bytes of a connection come to: undefined as long as more are needed, `none` if they never will. */
export type Decide<Found> = (bytes: Buffer) => Found | "none" | undefined;

/**
 * Reads a connection up to the point where it can be decided what it is. The bytes are handed on: what is next needs them, too. A
 * connection that does not come so far in the time of a request's head is closed.
 */
export function readFirst<Found>(
  socket: Socket,
  sweeper: Sweeper,
  decide: Decide<Found>,
  onFound: (found: Exclude<Found, "none">, bytes: Buffer) => void,
): void {
  const since = sweeper.now;
  let kept: Buffer | undefined;
  const swept: Swept = {
    sweep(now) {
      if (now - since > clientLimits.headMs) socket.destroy();
    },
  };
  const onEnd = (): void => void socket.destroy();
  const stop = (): void => {
    socket.off("data", onData);
    socket.off("end", onEnd);
    socket.off("close", stop);
    sweeper.remove(swept);
  };
  const onData = (chunk: Buffer): void => {
    const bytes = kept ? Buffer.concat([kept, chunk]) : chunk;
    kept = bytes;
    const found = decide(bytes);
    if (found === undefined) return;
    stop();
    if (found === "none") return void socket.destroy();
    socket.pause();
    onFound(found as Exclude<Found, "none">, bytes);
  };
  socket.on("data", onData);
  socket.on("end", onEnd);
  socket.on("close", stop);
  sweeper.add(swept);
}
