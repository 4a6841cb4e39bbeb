import type { IncomingMessage } from "node:http";

/**
 * What all servers of a process hold of bodies, from their first byte until they are answered. A client that reaches the port of webhooks may
 * send bodies and is not known: where they are more than `maxBytes` together, the connections whose bodies began first are cut until they
 * are not. A review of an API server is there at once and answered, a body that is kept unfinished to fill memory is soon the oldest.
 */
export class HeldBodies {
  /** Those that began first are first. */
  readonly #held = new Map<IncomingMessage, number>();
  readonly #maxBytes: number;
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  add(incoming: IncomingMessage, bytes: number): void {
    this.#held.set(incoming, (this.#held.get(incoming) ?? 0) + bytes);
    this.#bytes += bytes;
    for (const oldest of this.#held.keys()) {
      if (this.#bytes <= this.#maxBytes) return;
      this.release(oldest);
      oldest.socket.destroy();
    }
  }

  release(incoming: IncomingMessage): void {
    this.#bytes -= this.#held.get(incoming) ?? 0;
    this.#held.delete(incoming);
  }
}
