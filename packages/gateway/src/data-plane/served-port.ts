import type { EnginePort } from "../engine/engine.js";

/** A port that is listened on. */
export interface ServedPort<Port extends EnginePort = EnginePort> {
  /** What is new holds for the next request, connection or flow. */
  update(port: Port): void;
  /** Takes no more connections; what is under way has the drain time. */
  close(): Promise<void>;
  readonly connections: number;
  /** Bytes that are held here for clients, or from them. */
  readonly heldBytes: number;
}

/** Milliseconds that requests and connections under way have when a port goes. */
export const drainMs = 5000;
