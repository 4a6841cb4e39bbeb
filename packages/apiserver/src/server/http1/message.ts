import { IncomingMessage } from "node:http";
import { UnreadBytes } from "@coxswain/wire/bytes";

/** Backpressure: so many bytes of a body wait for its reader before the socket is not read from any more. Node's own value. */
const maxUnreadBytes = 64 * 1024;

/**
 * A request whose body waits copied together. Node's parser copies each chunk into a Buffer of its own, and its message keeps up to
 * 64 KiB of them before anybody reads: in chunks of one byte that is 16 MB for each request that waits in a queue of priority and
 * fairness, or for the memory budget.
 */
export class Http1Message extends IncomingMessage {
  readonly #unread = new UnreadBytes((bytes) => super.push(bytes));
  /** `_read` was called while there was something to read. */
  #isAskedLater = false;
  #hasChunks = false;

  /** The parser reads the body, or has read it: there was a chunk, or there will be one or the end. */
  get hasParsedBody(): boolean {
    return this.#hasChunks || !this.complete;
  }

  /** For the parser. @returns false when it shall stop */
  override push(chunk: Buffer | null): boolean {
    if (chunk === null) this.#unread.end();
    else {
      this.#hasChunks = true;
      this.#unread.add(chunk);
    }
    return this.#unread.length + this.readableLength < maxUnreadBytes;
  }

  override _read(size: number): void {
    super._read(size);
    this.#isAskedLater = this.readableLength > 0;
    if (!this.#isAskedLater) this.#unread.ask();
  }

  override read(size?: number): unknown {
    const chunk: unknown = super.read(size);
    if (this.#isAskedLater && this.readableLength === 0) {
      this.#isAskedLater = false;
      this.#unread.ask();
    }
    return chunk;
  }
}
