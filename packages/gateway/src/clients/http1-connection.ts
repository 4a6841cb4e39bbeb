import type { Duplex } from "node:stream";
import {
  BodyDecoder,
  fieldValue,
  HeadReader,
  Http1Error,
  parseRequestHead,
  requestFraming,
} from "@coxswain/wire/http1";
import type { Tunnel } from "../calls/tunnel.js";
import { arrivedRequest, mayKeepOpen } from "./arrived-request.js";
import type { ClientConnection, ClientConnectionOptions } from "./client-connection.js";
import { Http1Call, type Http1Carrier, statusLine } from "./http1-call.js";
import { clientLimits as limits } from "./limits.js";
import type { Swept } from "./sweeper.js";

/**
 * A client's connection with HTTP/1.1. Requests that come ahead of their turn wait unread and are answered in order.
 * `lingering`: the last answer was sent, and what still comes is thrown away for a moment.
 */
type State = "head" | "call" | "lingering" | "closed";

const continueBytes = Buffer.from("HTTP/1.1 100 Continue\r\n\r\n", "latin1");

export class Http1Connection implements ClientConnection, Http1Carrier, Swept {
  mayGoOn = true;
  readonly #socket: Duplex;
  readonly #options: ClientConnectionOptions;
  readonly #reader = new HeadReader(limits.headBytes);
  #state: State = "head";
  #call: Http1Call | undefined;
  /** Of the present request, until it was read whole. */
  #body: BodyDecoder | undefined;
  #expectsContinue = false;
  #isBodyPaused = false;
  /** Received and not yet to be processed. */
  #rest: Buffer | undefined;
  #isProcessing = false;
  #hasServed = false;
  #isDraining = false;
  /** When something was last received, or taken by the client. */
  #since: number;
  #unsentBefore = 0;
  #lingered = 0;
  readonly #listeners: readonly (readonly [event: string, listener: (chunk: Buffer) => void])[];

  constructor(options: ClientConnectionOptions) {
    this.#options = options;
    this.#socket = options.socket;
    this.#since = options.sweeper.now;
    this.#listeners = [
      ["data", (chunk) => this.#receive(chunk)],
      ["drain", () => this.#call?.onDrain()],
      ["end", () => this.#onEnd()],
      ["error", () => this.destroy()],
      ["close", () => this.#onClose()],
    ];
    for (const [event, listener] of this.#listeners) this.#socket.on(event, listener);
    options.sweeper.add(this);
    if (options.first) this.#receive(options.first);
    if (!this.#rest && this.#state !== "closed") this.#socket.resume();
  }

  get heldBytes(): number {
    return this.#socket.writableLength + this.#reader.pendingBytes + (this.#rest?.length ?? 0);
  }

  get unsentBytes(): number {
    return this.#socket.writableLength;
  }

  drain(): void {
    this.#isDraining = true;
    this.mayGoOn = false;
    if (this.#state === "head" && this.#reader.pendingBytes === 0) this.#linger();
  }

  destroy(): void {
    this.#socket.destroy();
    this.#onClose();
  }

  send(bytes: Buffer): boolean {
    return this.#socket.write(bytes);
  }

  readBody(call: Http1Call): void {
    if (!this.#body) return call.reader?.onBodyEnd([]);
    if (this.#expectsContinue) this.#socket.write(continueBytes);
    this.#expectsContinue = false;
    this.#since = this.#options.sweeper.now;
    this.#continue();
  }

  pauseBody(): void {
    this.#isBodyPaused = true;
  }

  resumeBody(): void {
    this.#isBodyPaused = false;
    this.#since = this.#options.sweeper.now;
    this.#continue();
  }

  finished(call: Http1Call, isOpen: boolean): void {
    if (this.#call !== call || this.#state !== "call") return;
    this.#call = undefined;
    this.#hasServed = true;
    this.#since = this.#options.sweeper.now;
    // A body that was not read whole would be taken for the next request.
    if (!isOpen || this.#body || this.#isDraining) return this.#linger();
    this.#state = "head";
    this.#continue();
  }

  abort(): void {
    this.#call = undefined;
    this.destroy();
  }

  detach(): Tunnel {
    const first = this.#rest;
    this.#rest = undefined;
    this.#call = undefined;
    for (const [event, listener] of this.#listeners) this.#socket.off(event, listener);
    this.#onClose();
    return { connection: this.#socket, first };
  }

  sweep(now: number): void {
    const waited = now - this.#since;
    const unsent = this.#socket.writableLength;
    const isMoving = unsent !== this.#unsentBefore;
    this.#unsentBefore = unsent;
    if (unsent > 0) {
      if (isMoving) this.#since = now;
      else if (waited > limits.unreadMs) this.destroy();
      return;
    }
    switch (this.#state) {
      case "head":
        if (this.#reader.pendingBytes > 0 && waited > limits.headMs)
          this.#refuse(408, "the request's head takes too long");
        else if (waited > (this.#hasServed ? limits.idleMs : limits.headMs)) this.destroy();
        return;
      case "call":
        if (this.#body && this.#call?.reader && !this.#isBodyPaused && waited > limits.bodyMs)
          this.#fail(408, "the request's body takes too long");
        return;
      case "lingering":
        if (waited > limits.lingerMs) this.destroy();
        return;
      case "closed":
        return;
    }
  }

  #receive(chunk: Buffer): void {
    if (this.#state === "lingering") return this.#discard(chunk);
    // A head's time counts from its first byte: a client that sends it byte by byte does not get more.
    if (this.#state !== "head" || this.#reader.pendingBytes === 0) this.#since = this.#options.sweeper.now;
    const bytes = this.#rest ? Buffer.concat([this.#rest, chunk]) : chunk;
    this.#rest = undefined;
    this.#process(bytes);
  }

  /** Goes on with what was kept, if it can be processed now. */
  #continue(): void {
    if (this.#isProcessing || this.#state === "closed") return;
    const rest = this.#rest;
    this.#rest = undefined;
    if (rest) this.#process(rest);
    if (!this.#rest && this.#socket.isPaused()) this.#socket.resume();
  }

  #process(chunk: Buffer): void {
    this.#isProcessing = true;
    let at = 0;
    try {
      while (at < chunk.length) {
        const next = this.#step(chunk, at);
        if (next === undefined) break;
        at = next;
      }
    } catch (error) {
      if (!(error instanceof Http1Error)) throw error;
      at = chunk.length;
      this.#fail(error.status, error.message);
    } finally {
      this.#isProcessing = false;
    }
    if (at >= chunk.length || this.#state === "closed" || this.#state === "lingering") return;
    this.#rest = chunk.subarray(at);
    this.#socket.pause();
  }

  /** @returns up to where the chunk was processed; undefined: the rest has to wait */
  #step(chunk: Buffer, at: number): number | undefined {
    if (this.#state === "head") {
      const read = this.#reader.push(chunk, at);
      if (!read) return chunk.length;
      this.#begin(read.head);
      return read.end;
    }
    const reader = this.#call?.reader;
    if (this.#state !== "call" || !this.#body || !reader || this.#isBodyPaused) return undefined;
    const { data, end } = this.#body.push(chunk, at);
    if (data) reader.onBody(data);
    if (this.#body?.isComplete) {
      const { trailers } = this.#body;
      this.#body = undefined;
      if (this.#call) reader.onBodyEnd(trailers);
    }
    return end;
  }

  #begin(text: string): void {
    const head = parseRequestHead(text);
    const framing = requestFraming(head);
    const expect = fieldValue(head.fields, "expect");
    if (expect !== undefined && expect.toLowerCase() !== "100-continue")
      throw new Http1Error(417, "this expectation cannot be met");
    const body = new BodyDecoder(framing);
    this.#body = body.isComplete ? undefined : body;
    this.#expectsContinue = expect !== undefined && this.#body !== undefined && head.minor === 1;
    this.#isBodyPaused = false;
    this.mayGoOn = mayKeepOpen(head) && !this.#isDraining;
    this.#state = "call";
    this.#call = new Http1Call(arrivedRequest(head, framing, this.#options), this);
    this.#options.onCall(this.#call);
  }

  /** The request cannot be read on. */
  #fail(status: number, message: string): void {
    const call = this.#call;
    const hasResponded = call?.hasResponded === true;
    this.#call = undefined;
    call?.reader?.onBodyAborted();
    call?.gone();
    if (hasResponded) this.destroy();
    else this.#refuse(status, message);
  }

  #refuse(status: number, message: string): void {
    if (this.#state === "closed") return;
    const fields = `Content-Type: text/plain; charset=utf-8\r\nContent-Length: ${message.length + 1}\r\n`;
    this.#socket.write(Buffer.from(`${statusLine(status)}${fields}Connection: close\r\n\r\n${message}\n`, "latin1"));
    this.#linger();
  }

  /** A connection that is closed with unread bytes is reset, and the client may lose the answer (RFC 9112, section 9.6). */
  #linger(): void {
    this.#state = "lingering";
    this.#since = this.#options.sweeper.now;
    this.#rest = undefined;
    this.#socket.end();
    this.#socket.resume();
  }

  #discard(chunk: Buffer): void {
    this.#lingered += chunk.length;
    if (this.#lingered > limits.lingerBytes) this.destroy();
  }

  /** A client that ends its side has left, as for most servers. */
  #onEnd(): void {
    if (this.#state === "call") this.#leave();
    this.#socket.end();
    if (this.#state !== "lingering") this.destroy();
  }

  #leave(): void {
    const call = this.#call;
    this.#call = undefined;
    if (this.#body) call?.reader?.onBodyAborted();
    call?.gone();
  }

  #onClose(): void {
    if (this.#state === "closed") return;
    this.#state = "closed";
    this.#options.sweeper.remove(this);
    this.#leave();
    this.#options.onClosed();
  }
}
