import type { Field } from "@coxswain/wire/http1";
import { errorCode, type Header, type ResponseHeaders, type ServerStream } from "@coxswain/wire/http2";
import type { AnsweredHead, ArrivedRequest, ClientCall, RequestBodyReader } from "../calls/client-call.js";
import { fieldsOfHeaders } from "./fields-of-headers.js";

/** One request of HTTP/2 and its answer. */
export class Http2Call implements ClientCall {
  readonly request: ArrivedRequest;
  onDrain: () => void = () => {};
  onGone: () => void = () => {};
  readonly #stream: ServerStream;
  #isEnded = false;
  #isPaused = false;
  /** Of the body, delivered while it is paused: the client may send no more than its window. */
  #uncredited = 0;

  constructor(request: ArrivedRequest, stream: ServerStream) {
    this.request = request;
    this.#stream = stream;
    stream.onceClosed(() => {
      if (this.#isEnded) return;
      this.#isEnded = true;
      this.onGone();
    });
  }

  get isClosed(): boolean {
    return this.#isEnded || this.#stream.isClosed;
  }

  get unsentBytes(): number {
    return this.#stream.unsentBytes;
  }

  readBody(reader: RequestBodyReader): void {
    if (!this.#stream.hasBody) return reader.onBodyEnd([]);
    this.#stream.read({
      onData: (data) => {
        if (this.#isPaused) this.#uncredited += data.length;
        else this.#stream.credit(data.length);
        reader.onBody(data);
      },
      onEnd: (trailers: readonly Header[]) => reader.onBodyEnd(fieldsOfHeaders(trailers)),
      onAborted: () => reader.onBodyAborted(),
    });
  }

  pauseBody(): void {
    this.#isPaused = true;
  }

  resumeBody(): void {
    this.#isPaused = false;
    if (this.#uncredited > 0) this.#stream.credit(this.#uncredited);
    this.#uncredited = 0;
  }

  respond({ status, fields }: AnsweredHead, isLast: boolean): void {
    if (this.isClosed) return;
    if (isLast) this.#isEnded = true;
    this.#stream.respond(status, headersOf(fields), isLast);
  }

  write(data: Buffer): boolean {
    if (this.isClosed || this.#stream.write(data)) return true;
    this.#stream.onceDrained(() => {
      if (!this.isClosed) this.onDrain();
    });
    return false;
  }

  end(trailers: readonly Field[]): void {
    if (this.isClosed) return;
    // Until the client has taken all of it, it may still leave: nobody waits for that any more.
    this.#isEnded = true;
    this.#stream.end(undefined, trailers.length > 0 ? headersOf(trailers) : undefined);
  }

  flush(): void {}

  abort(): void {
    if (this.isClosed) return;
    this.#isEnded = true;
    this.#stream.reset(errorCode.internalError);
  }

  upgrade(): undefined {
    return undefined;
  }
}

function headersOf(fields: readonly Field[]): ResponseHeaders {
  // Names come from backends: one that is called like a member of Object is a name like others.
  const headers: Record<string, string | string[]> = Object.create(null) as Record<string, string | string[]>;
  for (const { lower, value } of fields) {
    const there = headers[lower];
    if (there === undefined) headers[lower] = value;
    else if (typeof there === "string") headers[lower] = [there, value];
    else there.push(value);
  }
  return headers;
}
