import { Readable } from "node:stream";
import { badRequest, requestEntityTooLarge, StatusError } from "@coxswain/apimachinery/status";
import type { Soon } from "@coxswain/runtime/soon";
import { ByteCollector, UnreadBytes } from "@coxswain/wire/bytes";
import type { BodyReader, ServerStream } from "@coxswain/wire/http2";
import type { BodyRoom } from "../../request/request.js";

/** The whole body, at once if all of it is there; rejects with 413 as soon as it is longer than `limit`; the rest is discarded. */
export function readHttp2Body(stream: ServerStream, limit: number, room: BodyRoom): Soon<Uint8Array> {
  const body = new WholeBody(stream, limit, room);
  stream.read(body);
  return body.whole();
}

class WholeBody implements BodyReader {
  readonly #stream: ServerStream;
  readonly #limit: number;
  readonly #room: BodyRoom;
  readonly #collected = new ByteCollector();
  /** "awaited": what comes is not credited, so that the client stops when its window is used up. */
  #roomState: "free" | "awaited" | "granted" = "free";
  #uncredited = 0;
  #hasEnded = false;
  #bytes: Uint8Array | undefined;
  #error: unknown;
  #waiter: { resolve: (bytes: Uint8Array) => void; reject: (error: unknown) => void } | undefined;

  constructor(stream: ServerStream, limit: number, room: BodyRoom) {
    this.#stream = stream;
    this.#limit = limit;
    this.#room = room;
  }

  whole(): Soon<Uint8Array> {
    if (this.#bytes) return this.#bytes;
    if (this.#error !== undefined) return Promise.reject(this.#error);
    return new Promise((resolve, reject) => (this.#waiter = { resolve, reject }));
  }

  onData(data: Buffer): void {
    this.#uncredited += data.length;
    if (this.#collected.length + data.length > this.#limit) {
      this.#credit();
      return this.#fail(requestEntityTooLarge(`limit is ${this.#limit}`));
    }
    this.#collected.add(data);
    if (this.#roomState === "free" && this.#collected.length > this.#room.freeBytes) this.#askForRoom();
    if (this.#roomState !== "awaited") this.#credit();
  }

  #askForRoom(): void {
    const more = this.#room.more();
    this.#roomState = more instanceof Promise ? "awaited" : "granted";
    if (!(more instanceof Promise)) return;
    more.then(
      () => {
        this.#roomState = "granted";
        this.#credit();
        if (this.#hasEnded) this.onEnd();
      },
      (err: unknown) => this.#fail(err),
    );
  }

  #credit(): void {
    const bytes = this.#uncredited;
    this.#uncredited = 0;
    this.#stream.credit(bytes);
  }

  onEnd(): void {
    this.#hasEnded = true;
    if (this.#roomState === "awaited" || this.#error !== undefined) return;
    this.#bytes = this.#collected.take();
    this.#waiter?.resolve(this.#bytes);
  }

  onAborted(why?: string): void {
    this.#fail(
      why === undefined
        ? badRequest("the request ended before its body")
        : new StatusError({ code: 500, reason: "", message: why }),
    );
  }

  #fail(error: unknown): void {
    if (this.#error !== undefined) return;
    this.#error = error;
    this.#stream.ignoreBody();
    this.#collected.clear();
    this.#waiter?.reject(error);
  }
}

/** The body as a stream. Flow-control credit follows what was read from it. */
export function openHttp2Body(stream: ServerStream): Readable {
  let isOpen = false;
  let uncredited = 0;
  /** Of what came, `unreadBytes` are still to be read. */
  const credit = (unreadBytes: number): void => {
    const bytes = uncredited - unreadBytes;
    uncredited = unreadBytes;
    if (bytes > 0) stream.credit(bytes);
  };
  const unread = new UnreadBytes((bytes) => body.push(bytes));
  const body: Readable = new Readable({
    highWaterMark: UnreadBytes.highWaterMark,
    read() {
      credit(unread.length);
      unread.ask();
      if (isOpen) return;
      isOpen = true;
      stream.read({
        onData(data) {
          uncredited += data.length;
          unread.add(data);
        },
        onEnd: () => unread.end(),
        onAborted: () => void body.destroy(new Error("the request ended before its body")),
      });
    },
    destroy(error, done) {
      stream.ignoreBody();
      credit(0);
      done(error);
    },
  });
  return body;
}
