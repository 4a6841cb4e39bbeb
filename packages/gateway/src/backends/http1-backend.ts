import type { Duplex } from "node:stream";
import {
  BodyDecoder,
  encodeChunk,
  encodeLastChunk,
  type Field,
  HeadReader,
  hasToken,
  joinHead,
  parseResponseHead,
  responseFraming,
  writeFields,
} from "@coxswain/wire/http1";
import type { BackendCall, BackendEvents, BackendFailure, SentRequest } from "../calls/backend-call.js";
import { backendLimits } from "./limits.js";

export interface Http1BackendOwner {
  /** The connection may take another request. */
  idle(connection: Http1Backend): void;
  /** Once: the connection is gone, or a tunnel. */
  closed(connection: Http1Backend): void;
}

const noTrailers: readonly Field[] = [];

/** A connection to a backend with HTTP/1.1: one request at a time. */
export class Http1Backend implements BackendCall {
  /** When it became idle. */
  idleSince = 0;
  readonly #socket: Duplex;
  readonly #owner: Http1BackendOwner;
  #events: BackendEvents | undefined;
  #method = "";
  #isChunked = false;
  #head: string | undefined;
  #hasSentAll = false;
  #reader = new HeadReader(backendLimits.headBytes);
  #body: BodyDecoder | undefined;
  /** Something was received: it is no connection that has closed while it was idle. */
  #hasReceived = false;
  /** Informational answers to the present request. */
  #informed = 0;
  #served = 0;
  #keepsOpen = true;
  #isClosed = false;
  /** There is a connection: the backend may have begun with the request. */
  #isConnected = false;

  constructor(socket: Duplex, owner: Http1BackendOwner) {
    this.#socket = socket;
    this.#owner = owner;
    socket.on("data", this.#onData);
    socket.on("drain", this.#onDrain);
    socket.on("end", this.#onEnd);
    socket.on("error", this.#onError);
    socket.on("close", this.#onClose);
  }

  get heldBytes(): number {
    return this.#socket.writableLength + this.#reader.pendingBytes;
  }

  get unsentBytes(): number {
    return this.#socket.writableLength;
  }

  /** Whether a request may be sent on it now. */
  get isUsable(): boolean {
    return !this.#isClosed && this.#socket.writable && !this.#socket.destroyed;
  }

  start(request: SentRequest, events: BackendEvents): void {
    this.#events = events;
    this.#method = request.method;
    this.#hasSentAll = false;
    this.#hasReceived = false;
    this.#informed = 0;
    this.#isChunked = request.hasBody && request.bodyBytes === undefined;
    const framing = this.#isChunked ? "Transfer-Encoding: chunked\r\n" : "";
    const upgrade = request.upgrade === undefined ? "" : `Connection: Upgrade\r\nUpgrade: ${request.upgrade}\r\n`;
    const host = `Host: ${request.authority}\r\n`;
    const head = `${request.method} ${request.target} HTTP/1.1\r\n${host}${writeFields(request.fields)}${framing}${upgrade}\r\n`;
    // Head and beginning of the body are one packet, if that is there at once.
    if (request.hasBody) this.#head = head;
    else {
      this.#hasSentAll = true;
      this.#socket.write(Buffer.from(head, "latin1"));
    }
  }

  write(data: Buffer): boolean {
    return this.#send(this.#isChunked ? encodeChunk(data) : data);
  }

  end(trailers: readonly Field[]): void {
    this.#hasSentAll = true;
    if (this.#isChunked) this.#send(encodeLastChunk(trailers));
    else this.flush();
  }

  flush(): void {
    if (this.#head !== undefined) this.#send(undefined);
  }

  #send(bytes: Buffer | undefined): boolean {
    if (!this.isUsable) return true;
    const head = this.#head;
    this.#head = undefined;
    if (head !== undefined) return this.#socket.write(joinHead(head, bytes));
    return bytes ? this.#socket.write(bytes) : true;
  }

  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  cancel(): void {
    this.#events = undefined;
    this.destroy();
  }

  destroy(error?: Error): void {
    this.#socket.destroy(error);
    this.#onClose();
  }

  readonly #onData = (chunk: Buffer): void => {
    // Without a request nothing may come: what does would be taken for the next one's answer.
    if (!this.#events) return this.destroy();
    this.#hasReceived = true;
    try {
      this.#process(chunk);
    } catch (error) {
      this.#fail("lost", (error as Error).message);
    }
    this.#events?.onResponseFlush();
  };

  #process(chunk: Buffer): void {
    for (let at = 0; at < chunk.length && this.#events; )
      if (this.#body) {
        const { data, end } = this.#body.push(chunk, at);
        at = end;
        if (data) this.#events.onResponseData(data);
        if (this.#body?.isComplete) this.#finish(this.#body.trailers, at === chunk.length);
      } else {
        const read = this.#reader.push(chunk, at);
        if (!read) return;
        at = read.end;
        this.#begin(read.head, chunk.subarray(at));
      }
  }

  #begin(text: string, rest: Buffer): void {
    const head = parseResponseHead(text);
    const { status, fields, minor } = head;
    if (status === 101) return this.#upgraded(fields, rest);
    // 100: the client's own Expect was answered here. The others are not passed on.
    if (status < 200) {
      this.#informed += 1;
      if (this.#informed > backendLimits.informational) throw new Error("the backend informs, and does not answer");
      return;
    }
    const framing = responseFraming(head, this.#method);
    this.#keepsOpen =
      framing.kind !== "until closed" &&
      (minor === 1 ? !hasToken(fields, "connection", "close") : hasToken(fields, "connection", "keep-alive"));
    this.#body = new BodyDecoder(framing);
    const isLast = this.#body.isComplete;
    this.#events?.onResponse({ status, fields }, isLast);
    if (isLast) this.#finish(noTrailers, rest.length === 0);
  }

  #upgraded(fields: readonly Field[], rest: Buffer): void {
    const events = this.#events;
    this.#events = undefined;
    const socket = this.#socket;
    socket.off("data", this.#onData);
    socket.off("drain", this.#onDrain);
    socket.off("end", this.#onEnd);
    socket.off("close", this.#onClose);
    socket.pause();
    this.#isClosed = true;
    this.#owner.closed(this);
    // The bytes behind the head are the tunnel's; `rest` is a view of a chunk that nobody else has.
    events?.onUpgraded({ status: 101, fields }, { connection: socket, first: rest.length > 0 ? rest : undefined });
  }

  #finish(trailers: readonly Field[], isAtEnd: boolean): void {
    const events = this.#events;
    this.#events = undefined;
    this.#body = undefined;
    this.#served += 1;
    const isReusable = this.#keepsOpen && this.#hasSentAll && isAtEnd && this.isUsable;
    events?.onResponseEnd(trailers);
    if (!isReusable) return this.destroy();
    if (this.#socket.isPaused()) this.#socket.resume();
    this.#owner.idle(this);
  }

  readonly #onDrain = (): void => this.#events?.onRequestDrain();

  readonly #onEnd = (): void => {
    if (this.#body?.endsWithConnection) return this.#finish(noTrailers, false);
    this.#fail(undefined, "the backend closed the connection");
  };

  readonly #onError = (error: NodeJS.ErrnoException): void =>
    this.#fail(error.code === "ECONNREFUSED" ? "connect" : undefined, error.message);

  readonly #onClose = (): void => {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#owner.closed(this);
    this.#fail(undefined, "the connection was closed");
  };

  #fail(kind: BackendFailure["kind"] | undefined, message: string): void {
    const events = this.#events;
    this.#events = undefined;
    this.destroy();
    if (!events) return;
    events.onFailed({ kind: kind ?? this.#failureKind(), message });
  }

  #failureKind(): BackendFailure["kind"] {
    if (this.#hasReceived) return "lost";
    if (this.#served > 0) return "unsent";
    return this.#isConnected ? "lost" : "connect";
  }

  /** For the pool: it is connected. */
  connected(): void {
    this.#isConnected = true;
  }
}
