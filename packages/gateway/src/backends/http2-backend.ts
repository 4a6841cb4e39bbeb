import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { type Field, fieldOf } from "@coxswain/wire/http1";
import {
  ClientSession,
  type ClientSessionSizes,
  type ClientStream,
  encodeHeaders,
  errorCode,
  type Header,
  type StreamEnd,
  type StreamEvents,
} from "@coxswain/wire/http2/client";
import type { BackendCall, BackendEvents, SentRequest } from "../calls/backend-call.js";
import { backendLimits } from "./limits.js";

/** Bodies of answers wait here for clients that are slow: at most so much of one connection. */
const sizes: ClientSessionSizes = {
  streamWindow: 64 * 1024,
  sessionWindow: 4 * 1024 * 1024,
  maxHeaderBytes: backendLimits.headBytes,
};

/** A connection to a backend with HTTP/2. */
export class Http2Backend {
  idleSince = 0;
  readonly #session: ClientSession;
  #isReady = false;
  #isClosed = false;

  constructor(socket: Duplex, { idle, closed }: { idle(one: Http2Backend): void; closed(one: Http2Backend): void }) {
    const events = {
      onReady: () => {
        this.#isReady = true;
      },
      onActivity: () => {
        if (this.open === 0) idle(this);
      },
      onClose: () => {
        this.#isClosed = true;
        closed(this);
      },
    };
    this.#session = new ClientSession(socket as Socket, events, sizes);
  }

  /** Requests under way. */
  get open(): number {
    return this.#session.open;
  }

  get heldBytes(): number {
    return this.#session.heldBytes;
  }

  /** Whether it takes another request; before its SETTINGS have come it is supposed to. */
  get isUsable(): boolean {
    return !this.#isClosed && this.open < backendLimits.streams && (this.#session.usable || !this.#isReady);
  }

  destroy(): void {
    this.#session.destroy();
  }

  start(request: SentRequest, events: BackendEvents): BackendCall {
    const call = new Http2BackendCall(request.method, events, () => this.#isReady);
    call.open((streamEvents) => this.#session.request(headerBlock(request), streamEvents));
    if (!request.hasBody) call.end([]);
    return call;
  }
}

function headerBlock({ method, scheme, authority, target, fields }: SentRequest): Buffer {
  const headers: Header[] = [
    [":method", method],
    [":scheme", scheme],
    [":authority", authority],
    [":path", target],
  ];
  for (const { lower, value } of fields) headers.push([lower, value]);
  return encodeHeaders(headers);
}

/** Undefined: they are malformed, and would be another message in HTTP/1.1. */
function fieldsOf(headers: readonly Header[]): Field[] | undefined {
  try {
    const fields = headers.flatMap(([name, value]) => (name.startsWith(":") ? [] : [fieldOf(name, value)]));
    const lengths = fields.filter(({ lower }) => lower === "content-length");
    return lengths.length > 1 || lengths.some(({ value }) => !/^\d{1,15}$/.test(value)) ? undefined : fields;
  } catch {
    return undefined;
  }
}

class Http2BackendCall implements BackendCall, StreamEvents {
  readonly #method: string;
  readonly #isReady: () => boolean;
  #events: BackendEvents | undefined;
  #stream: ClientStream | undefined;
  #hasResponded = false;
  #hasEnded = false;
  #trailers: readonly Field[] = [];

  constructor(method: string, events: BackendEvents, isReady: () => boolean) {
    this.#method = method;
    this.#events = events;
    this.#isReady = isReady;
  }

  open(request: (events: StreamEvents) => ClientStream): void {
    this.#stream = request({ onHeaders: this.onHeaders, onData: this.onData, onEnd: this.onEnd });
  }

  get unsentBytes(): number {
    return this.#stream?.unsentBytes ?? 0;
  }

  write(data: Buffer): boolean {
    const stream = this.#stream;
    if (!stream || stream.write(data)) return true;
    void stream.drained().then(() => this.#events?.onRequestDrain());
    return false;
  }

  end(trailers: readonly Field[]): void {
    const block = trailers.length > 0 ? encodeHeaders(trailers.map(({ lower, value }) => [lower, value])) : undefined;
    this.#stream?.end(undefined, block);
  }

  flush(): void {}

  pause(): void {
    this.#stream?.pause();
  }

  resume(): void {
    this.#stream?.resume();
  }

  cancel(): void {
    this.#events = undefined;
    this.#stream?.reset(errorCode.cancel);
  }

  readonly onHeaders = (headers: readonly Header[], isEnd: boolean): void => {
    const fields = fieldsOf(headers);
    if (!fields) return this.#fail("lost", "the backend's answer has malformed headers");
    if (this.#hasResponded) return void (this.#trailers = fields);
    const status = Number(headers.find(([name]) => name === ":status")?.[1]);
    if (status < 200) return;
    if (!(status <= 999)) return this.#fail("lost", "the backend's answer has no status");
    this.#hasResponded = true;
    const isLast = isEnd || this.#method === "HEAD" || status === 204 || status === 304;
    this.#events?.onResponse({ status, fields }, isLast);
    if (!isLast) return this.#events?.onResponseFlush();
    this.#finish();
  };

  readonly onData = (data: Buffer): void => {
    if (!this.#hasResponded) return this.#fail("lost", "the backend's answer has no head");
    this.#events?.onResponseData(data);
    this.#events?.onResponseFlush();
  };

  readonly onEnd = (end: StreamEnd): void => {
    switch (end.kind) {
      case "ended":
        if (this.#hasEnded) return;
        return this.#hasResponded ? this.#finish() : this.#fail("lost", "the backend's answer has no head");
      case "refused":
        return this.#fail(this.#isReady() ? "unsent" : "connect", "the backend did not take the request");
      case "reset":
        return this.#fail("lost", `the backend reset the request with code ${end.code}`);
      case "lost":
        return this.#fail(this.#isReady() ? "lost" : "connect", end.error?.message ?? "the connection was closed");
    }
  };

  #finish(): void {
    this.#hasEnded = true;
    const events = this.#events;
    this.#events = undefined;
    events?.onResponseEnd(this.#trailers);
  }

  #fail(kind: "connect" | "unsent" | "lost", message: string): void {
    const events = this.#events;
    this.#events = undefined;
    this.#stream?.reset(errorCode.cancel);
    events?.onFailed({ kind, message });
  }
}
