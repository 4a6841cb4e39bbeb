import type { Field } from "@coxswain/wire/http1";
import type { BackendCall } from "../calls/backend-call.js";

/** Of one request's body, to be sent again: a longer one is sent once. And of all requests together. */
const maxBytes = 64 * 1024;
const maxBytesInAll = 16 * 1024 * 1024;
let heldInAll = 0;

/** Bytes of bodies that are kept to be sent again. */
export const replayBytes = (): number => heldInAll;

/** The body of a request as far as it was read, so that another attempt can begin. */
export class Replay {
  #parts: Buffer[] | undefined = [];
  #bytes = 0;
  #trailers: readonly Field[] | undefined;

  /** All of the body so far is there. */
  get isWhole(): boolean {
    return this.#parts !== undefined;
  }

  add(data: Buffer): void {
    if (!this.#parts) return;
    if (this.#bytes + data.length > maxBytes || heldInAll + data.length > maxBytesInAll) return this.release();
    // A copy: a slice keeps all of the buffer that it is cut from.
    this.#parts.push(Buffer.from(data));
    this.#bytes += data.length;
    heldInAll += data.length;
  }

  end(trailers: readonly Field[]): void {
    this.#trailers = trailers;
  }

  sendTo(call: BackendCall): void {
    for (const part of this.#parts ?? []) call.write(part);
    if (this.#trailers) call.end(this.#trailers);
  }

  /** It is not kept any longer. */
  release(): void {
    this.#parts = undefined;
    heldInAll -= this.#bytes;
    this.#bytes = 0;
  }
}
