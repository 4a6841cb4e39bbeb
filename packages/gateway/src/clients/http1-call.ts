import { STATUS_CODES } from "node:http";
import { encodeChunk, encodeLastChunk, type Field, fieldValue, joinHead, writeFields } from "@coxswain/wire/http1";
import type { AnsweredHead, ArrivedRequest, ClientCall, RequestBodyReader } from "../calls/client-call.js";
import type { Tunnel } from "../calls/tunnel.js";

/** What a request needs of its connection. */
export interface Http1Carrier {
  /** Whether the connection may have another request behind this one. */
  readonly mayGoOn: boolean;
  readonly unsentBytes: number;
  send(bytes: Buffer): boolean;
  readBody(call: Http1Call): void;
  pauseBody(): void;
  resumeBody(): void;
  /** The answer is complete; `isOpen`: the answer did not end with the connection. */
  finished(call: Http1Call, isOpen: boolean): void;
  abort(): void;
  detach(): Tunnel;
}

/** Parts of an answer that arrive together are one write. */
const flushBytes = 32 * 1024;
const noBody = (status: number): boolean => status === 204 || status === 304;

/** One request of HTTP/1.1 and its answer. */
export class Http1Call implements ClientCall {
  readonly request: ArrivedRequest;
  isClosed = false;
  onDrain: () => void = () => {};
  onGone: () => void = () => {};
  /** Set once the body is read. */
  reader: RequestBodyReader | undefined;
  hasResponded = false;
  readonly #carrier: Http1Carrier;
  #head = "";
  readonly #parts: Buffer[] = [];
  #partBytes = 0;
  #framing: "none" | "length" | "chunked" | "until closed" = "none";
  /** Bytes of the declared length that were not written. */
  #left = 0;
  #keepsOpen = true;

  constructor(request: ArrivedRequest, carrier: Http1Carrier) {
    this.request = request;
    this.#carrier = carrier;
  }

  get unsentBytes(): number {
    return this.#carrier.unsentBytes + this.#partBytes;
  }

  readBody(reader: RequestBodyReader): void {
    this.reader = reader;
    this.#carrier.readBody(this);
  }

  pauseBody(): void {
    this.#carrier.pauseBody();
  }

  resumeBody(): void {
    this.#carrier.resumeBody();
  }

  respond({ status, fields }: AnsweredHead, isLast: boolean): void {
    if (this.isClosed) return;
    this.hasResponded = true;
    const framing = this.#frame(status, fields, isLast);
    this.#keepsOpen = this.#carrier.mayGoOn && this.#framing !== "until closed";
    const connection = this.#keepsOpen
      ? this.request.protocol === "HTTP/1.0"
        ? "Connection: keep-alive\r\n"
        : ""
      : "Connection: close\r\n";
    this.#head = `${statusLine(status)}${writeFields(fields)}${framing}${connection}\r\n`;
    if (isLast) this.#finish();
  }

  /** Decides where the answer's body ends. @returns the header line for it */
  #frame(status: number, fields: readonly Field[], isLast: boolean): string {
    const length = fieldValue(fields, "content-length");
    this.#framing = "none";
    if (isLast)
      return length === undefined && this.request.method !== "HEAD" && !noBody(status) ? "Content-Length: 0\r\n" : "";
    if (length !== undefined) {
      this.#framing = "length";
      this.#left = Number(length);
      return "";
    }
    this.#framing = this.request.protocol === "HTTP/1.1" ? "chunked" : "until closed";
    return this.#framing === "chunked" ? "Transfer-Encoding: chunked\r\n" : "";
  }

  write(data: Buffer): boolean {
    if (this.isClosed) return true;
    if (this.#framing === "length") {
      this.#left -= data.length;
      // More than was declared: a client would take it for the next answer.
      if (this.#left < 0) {
        this.abort();
        return true;
      }
    }
    this.#add(this.#framing === "chunked" ? encodeChunk(data) : data);
    return this.#partBytes >= flushBytes ? this.#send() : true;
  }

  end(trailers: readonly Field[]): void {
    if (this.isClosed) return;
    if (this.#framing === "length" && this.#left > 0) return this.abort();
    if (this.#framing === "chunked") this.#add(encodeLastChunk(trailers));
    this.#finish();
  }

  flush(): void {
    if (!this.isClosed) this.#send();
  }

  abort(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.#carrier.abort();
  }

  upgrade({ fields }: AnsweredHead): Tunnel {
    this.isClosed = true;
    const upgrade = `Connection: Upgrade\r\nUpgrade: ${this.request.upgrade}\r\n`;
    this.#carrier.send(Buffer.from(`${statusLine(101)}${writeFields(fields)}${upgrade}\r\n`, "latin1"));
    return this.#carrier.detach();
  }

  /** For the connection: the client has left. */
  gone(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.onGone();
  }

  #add(bytes: Buffer): void {
    this.#parts.push(bytes);
    this.#partBytes += bytes.length;
  }

  #send(): boolean {
    const parts = this.#parts;
    if (this.#head === "" && parts.length === 0) return true;
    const body = parts.length > 1 ? Buffer.concat(parts) : parts[0];
    const bytes = this.#head === "" ? body! : joinHead(this.#head, body);
    this.#head = "";
    parts.length = 0;
    this.#partBytes = 0;
    return this.#carrier.send(bytes);
  }

  #finish(): void {
    this.#send();
    this.isClosed = true;
    this.#carrier.finished(this, this.#keepsOpen);
  }
}

export const statusLine = (status: number): string => `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}\r\n`;
