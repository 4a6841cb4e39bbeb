import type { ConnectionOptions } from "node:tls";

/** The server as one user reaches it. */
export interface Target {
  readonly port: number;
  /** With the user's authority, without a certificate: the token names the user. */
  readonly tls: ConnectionOptions;
  readonly token: string;
}

export type VictimKind = "apiserver" | "cluster";

/** One client doing its worst. */
export interface Attack {
  readonly name: string;
  /** What it is made on: a cluster has controllers, a scheduler and simulated nodes in the server's process. @default "apiserver" */
  readonly on?: VictimKind;
  /** Takes too long for `npm test`: `npm run tool -- hostile` alone has it. @default false */
  readonly isLong?: boolean;
  /**
   * Goes on until `signal` is aborted, and then lets go of all that it holds. What the server answers does not matter.
   * Resolves to what it got that it should not have, one sentence each; nothing: all is well.
   */
  run(target: Target, signal: AbortSignal): Promise<void | readonly string[]>;
}

/** Does something again and again, `width` of it at a time. Failures are the server's good right. */
export async function repeat(
  signal: AbortSignal,
  width: number,
  once: (turn: number) => Promise<unknown>,
): Promise<void> {
  let turn = 0;
  const loop = async (): Promise<void> => {
    while (!signal.aborted) {
      await once(turn++).catch(() => {});
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  await Promise.all(Array.from({ length: width }, loop));
}

/** Resolves after so long, or when `signal` is aborted. */
export const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => (clearTimeout(timer), resolve()), { once: true });
  });
