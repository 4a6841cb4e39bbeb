import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";

/** A client that asks to change protocols. */
export interface UpgradeCall {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  /** Bytes that came with the request. */
  readonly head: Buffer;
}
