/** What an engine holds now. */
export interface EngineLoad {
  readonly connections: number;
  readonly backendConnections: number;
  readonly backendRequests: number;
  /** Bytes of messages that wait for the slower side. */
  readonly heldBytes: number;
}

/** In all; above it requests are refused with 503. One connection holds some ten thousand bytes before its other side is paused. */
const maxHeldBytes = 256 * 1024 * 1024;
/** Requests between two counts of the held bytes: counting looks at every connection. */
const countEvery = 64;

/** @returns whether too much is held */
export function limitHeldBytes(count: () => number): () => boolean {
  let untilCount = 0;
  let isOver = false;
  return () => {
    untilCount -= 1;
    if (untilCount > 0) return isOver;
    untilCount = countEvery;
    return (isOver = count() > maxHeldBytes);
  };
}
