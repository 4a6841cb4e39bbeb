import { Readable } from "node:stream";
import { badRequest, requestEntityTooLarge, StatusError } from "@coxswain/apimachinery/status";
import type { BodyReader, ServerStream } from "@coxswain/wire/http2";
import type { Soon } from "@coxswain/runtime/soon";

/** The whole body, at once if all of it is there; rejects with 413 as soon as it is longer than `limit`; the rest is discarded. */
export function readHttp2Body(stream: ServerStream, limit: number): Soon<Uint8Array> {
  const body = new WholeBody(stream, limit);
  stream.read(body);
  return body.whole();
}

class WholeBody implements BodyReader {
  readonly #stream: ServerStream;
  readonly #limit: number;
  readonly #chunks: Buffer[] = [];
  #length = 0;
  #bytes: Uint8Array | undefined;
  #error: StatusError | undefined;
  #waiter: { resolve: (bytes: Uint8Array) => void; reject: (error: StatusError) => void } | undefined;

  constructor(stream: ServerStream, limit: number) {
    this.#stream = stream;
    this.#limit = limit;
  }

  whole(): Soon<Uint8Array> {
    if (this.#bytes) return this.#bytes;
    if (this.#error) return Promise.reject(this.#error);
    return new Promise((resolve, reject) => (this.#waiter = { resolve, reject }));
  }

  onData(data: Buffer): void {
    this.#length += data.length;
    this.#stream.credit(data.length);
    if (this.#length <= this.#limit) return void this.#chunks.push(data);
    this.#stream.ignoreBody();
    this.#fail(requestEntityTooLarge(`limit is ${this.#limit}`));
  }

  onEnd(): void {
    this.#bytes = this.#chunks.length === 1 ? this.#chunks[0]! : Buffer.concat(this.#chunks);
    this.#waiter?.resolve(this.#bytes);
  }

  onAborted(why?: string): void {
    this.#fail(
      why === undefined
        ? badRequest("the request ended before its body")
        : new StatusError({ code: 500, reason: "", message: why }),
    );
  }

  #fail(error: StatusError): void {
    this.#error = error;
    this.#waiter?.reject(error);
  }
}

/** The body as a stream. Flow-control credit follows what was read from it. */
export function openHttp2Body(stream: ServerStream): Readable {
  let isOpen = false;
  let unread = 0;
  const credit = (): void => {
    const taken = unread;
    unread = 0;
    if (taken > 0) stream.credit(taken);
  };
  const body: Readable = new Readable({
    read() {
      credit();
      if (isOpen) return;
      isOpen = true;
      stream.read({
        onData(data) {
          unread += data.length;
          if (body.push(data)) credit();
        },
        onEnd: () => void body.push(null),
        onAborted: () => void body.destroy(new Error("the request ended before its body")),
      });
    },
    destroy(error, done) {
      stream.ignoreBody();
      credit();
      done(error);
    },
  });
  return body;
}
