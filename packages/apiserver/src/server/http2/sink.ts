import { clientGone } from "@coxswain/runtime/lazy-signal";
import type { Soon } from "@coxswain/runtime/soon";
import { errorCode, type ServerStream } from "@coxswain/wire/http2";
import { maxUnreadBytes, type ResponseSink } from "../../request/response-sink.js";

export class Http2Sink implements ResponseSink {
  readonly #stream: ServerStream;
  readonly #date: () => string;
  code = 0;
  bytes = 0;
  #isLong = false;

  constructor(stream: ServerStream, date: () => string) {
    this.#stream = stream;
    this.#date = date;
  }

  get headersSent(): boolean {
    return this.#stream.hasSentHeaders;
  }

  get isEmpty(): boolean {
    return this.#stream.isDrained;
  }

  get unreadBytes(): number {
    return this.#stream.unsentBytes;
  }

  head(code: number, headers: Record<string, string | string[]>): void {
    this.#respond(code, headers, false);
  }

  only(code: number, headers: Record<string, string | string[]>): void {
    // END_STREAM goes with the headers: Go clients see a 304 that is ended by an empty DATA frame as a reset stream.
    this.#respond(code, headers, true);
  }

  #respond(code: number, headers: Record<string, string | string[]>, end: boolean): void {
    this.code = code;
    headers["date"] ??= this.#date();
    this.#stream.respond(code, headers, end);
  }

  write(chunk: Uint8Array): boolean {
    this.bytes += chunk.length;
    return this.#stream.write(chunk);
  }

  drained(): Promise<void> {
    return new Promise((resolve, reject) =>
      this.#stream.onceDrained(() => (this.#stream.isClosed ? reject(clientGone) : resolve())),
    );
  }

  send(chunk: Uint8Array): Promise<void> {
    this.bytes += chunk.length;
    if (this.#stream.isClosed) return Promise.reject(clientGone);
    return this.#stream.write(chunk) ? Promise.resolve() : this.drained();
  }

  end(chunk?: Uint8Array): void {
    if (chunk && !this.#stream.isClosed) this.bytes += chunk.length;
    this.#isLong = (chunk?.length ?? 0) > maxUnreadBytes;
    this.#stream.end(chunk);
  }

  flushed(): Soon<void> {
    if (!this.#isLong || this.#stream.isDrained) return;
    return new Promise((resolve) => this.#stream.onceDrained(resolve));
  }

  abort(): void {
    this.#stream.reset(errorCode.cancel);
  }
}
