import type { Duplex } from "node:stream";
import type { ClientCall } from "../calls/client-call.js";
import type { Sweeper } from "./sweeper.js";

/** A client's connection, whatever its protocol. */
export interface ClientConnection {
  /** Ends it once the requests under way are answered. */
  drain(): void;
  destroy(): void;
  /** Received and not processed, or written and not sent. */
  readonly heldBytes: number;
}

export interface ClientConnectionOptions {
  readonly socket: Duplex;
  /** Bytes that were read of it already. */
  readonly first: Buffer | undefined;
  readonly sweeper: Sweeper;
  readonly scheme: "http" | "https";
  readonly clientAddress: string;
  readonly onCall: (call: ClientCall) => void;
  /** Once, when the connection is gone, or is a tunnel from now on. */
  readonly onClosed: () => void;
}
