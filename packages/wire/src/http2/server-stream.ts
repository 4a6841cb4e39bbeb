import { type Header, headerValue } from "./header.js";
import { errorCode, Http2Error } from "./http2-error.js";
import type { ReceiveWindow } from "./receive-window.js";

/** Whoever reads the body of a request. */
export interface BodyReader {
  /** The bytes are the reader's; it says by `credit` when it can take as many more. */
  onData(data: Buffer): void;
  /** Last: all of it has come. */
  onEnd(): void;
  /** Last: the rest will never come; `why` if the client said that all of it had. */
  onCut(why?: string): void;
}

/** Names in lower case. */
export type ResponseHeaders = Readonly<Record<string, string | readonly string[]>>;

/** What a stream needs of its session. */
export interface ServerCarrier {
  sendHead(stream: ServerStream, status: number, headers: ResponseHeaders, end: boolean): void;
  /** It has data, or an end, to send. */
  pump(stream: ServerStream): void;
  /** As many bytes of its body have been taken. */
  credit(stream: ServerStream, bytes: number): void;
  sendReset(stream: ServerStream, code: number): void;
  /** It is answered, and its client still sends. */
  hush(stream: ServerStream): void;
  /** For good: the session forgets it. */
  over(stream: ServerStream): void;
}

/** One request and its answer, from the server's side. */
export class ServerStream {
  readonly id: number;
  readonly headers: readonly Header[];
  /** Something comes, or came, behind the headers. */
  readonly hasBody: boolean;
  /** For the session: what may be sent. */
  sendWindow: number;
  /** For the session. */
  readonly receiveWindow: ReceiveWindow;
  /** The client has said everything. */
  hasEnded: boolean;
  /** Both sides are done, or one gave up. */
  isOver = false;
  hasHead = false;
  readonly #carrier: ServerCarrier;
  #declared: number | undefined;
  #received = 0;
  #lie: string | undefined;
  #incoming: Buffer[] | undefined;
  #reader: BodyReader | undefined;
  #isIgnored = false;
  #outgoing: Uint8Array[] | undefined;
  #isEnding = false;
  #hasSentEnd = false;
  #onRoom: (() => void)[] | undefined;
  #onOver: (() => void)[] | undefined;

  constructor(
    carrier: ServerCarrier,
    init: {
      id: number;
      headers: readonly Header[];
      hasBody: boolean;
      sendWindow: number;
      receiveWindow: ReceiveWindow;
    },
  ) {
    this.#carrier = carrier;
    this.id = init.id;
    this.headers = init.headers;
    this.hasBody = init.hasBody;
    this.hasEnded = !init.hasBody;
    this.sendWindow = init.sendWindow;
    this.receiveWindow = init.receiveWindow;
    const length = init.hasBody ? headerValue(init.headers, "content-length") : undefined;
    if (length !== undefined) this.#declared = /^\d{1,15}$/.test(length) ? Number(length) : 0;
  }

  /** Calls back when it is over, at once if it is. */
  whenOver(then: () => void): void {
    if (this.isOver) then();
    else (this.#onOver ??= []).push(then);
  }

  /** Once: the body so far, and from then on as it comes. Bodies that nobody reads wait until their window is full. */
  read(reader: BodyReader): void {
    if (this.hasBody && !this.hasHead && headerValue(this.headers, "expect")?.toLowerCase() === "100-continue")
      this.#carrier.sendHead(this, 100, {}, false);
    this.#reader = reader;
    const waiting = this.#incoming;
    this.#incoming = undefined;
    if (waiting) for (const data of waiting) if (this.#reader === reader) reader.onData(data);
    if (this.#reader !== reader) return;
    if (this.#lie !== undefined || (this.isOver && !this.hasEnded)) reader.onCut(this.#lie);
    else if (this.hasEnded) reader.onEnd();
  }

  /** Nobody wants the rest of the body. */
  ignoreBody(): void {
    this.#reader = undefined;
    this.#incoming = undefined;
    this.#isIgnored = true;
  }

  /** The reader has taken so much, and the client may send as much more. */
  credit(bytes: number): void {
    this.#carrier.credit(this, bytes);
  }

  /** The head of the answer, and all of it with `end`. */
  respond(status: number, headers: ResponseHeaders, end: boolean): void {
    if (this.isOver) return;
    this.hasHead = true;
    this.#isEnding = end;
    this.#hasSentEnd = end;
    this.#carrier.sendHead(this, status, headers, end);
    if (end) this.#finish();
  }

  /** False: not all of it is on its way; wait for `whenRoom` before writing more, and keep the bytes until then. */
  write(data: Uint8Array): boolean {
    if (this.isOver || this.#isEnding || data.length === 0) return true;
    this.#add(data);
    this.#carrier.pump(this);
    return this.#outgoing === undefined;
  }

  end(data?: Uint8Array): void {
    if (this.isOver || this.#isEnding) return;
    if (data && data.length > 0) this.#add(data);
    this.#isEnding = true;
    this.#carrier.pump(this);
  }

  /** Most answers are one piece: a list that grows would have room for many. */
  #add(data: Uint8Array): void {
    if (this.#outgoing) this.#outgoing.push(data);
    else this.#outgoing = [data];
  }

  /** Everything that was written is on its way, or never will be. */
  get isEmpty(): boolean {
    return this.#outgoing === undefined || this.isOver;
  }

  /** Calls back when everything written is on its way, or never will be. */
  whenRoom(then: () => void): void {
    if (this.isEmpty) then();
    else (this.#onRoom ??= []).push(then);
  }

  /** Ends it so that the client sees the answer was cut. */
  reset(code: number): void {
    if (this.isOver) return;
    this.#carrier.sendReset(this, code);
    this.cut();
  }

  /** For the session: what is to be sent next. */
  get next(): Uint8Array | undefined {
    return this.#outgoing?.[0];
  }

  /** For the session: an end without data is to be sent. */
  get owesEnd(): boolean {
    return this.#isEnding && !this.#hasSentEnd && this.#outgoing === undefined;
  }

  /** For the session: so many bytes of `next` are being sent. @returns whether that is the last of the answer */
  sent(bytes: number): boolean {
    const outgoing = this.#outgoing;
    if (outgoing) {
      if (bytes < outgoing[0]!.length) outgoing[0] = outgoing[0]!.subarray(bytes);
      else if (outgoing.length > 1) outgoing.shift();
      else this.#outgoing = undefined;
    }
    if (this.#outgoing) return false;
    return (this.#hasSentEnd = this.#isEnding);
  }

  /** For the session: after `sent`, when the frame is out. */
  afterSending(): void {
    if (this.#outgoing) return;
    if (this.#hasSentEnd) return this.#finish();
    this.#tellRoom();
  }

  /** For the session. @throws Http2Error of this stream */
  receive(data: Buffer): void {
    this.#received += data.length;
    if (this.#declared !== undefined && this.#received > this.#declared)
      throw new Http2Error(errorCode.protocolError, "a body is longer than was said", this.id);
    if (data.length === 0) return;
    if (this.#isIgnored) this.credit(data.length);
    else if (this.#reader) this.#reader.onData(data);
    else (this.#incoming ??= []).push(data);
  }

  /** For the session: the client has said everything. */
  receiveEnd(): void {
    this.hasEnded = true;
    if (this.#declared !== undefined && this.#received < this.#declared)
      this.#lie = `request declared a Content-Length of ${this.#declared} but only wrote ${this.#received} bytes`;
    if (this.#lie === undefined) this.#reader?.onEnd();
    else this.#reader?.onCut(this.#lie);
  }

  /** For the session: the client or the connection is gone. */
  cut(): void {
    if (this.isOver) return;
    this.#over();
    if (!this.hasEnded) this.#reader?.onCut();
  }

  /** The answer is complete. A client that still sends is told that nobody listens. */
  #finish(): void {
    if (!this.hasEnded) this.#carrier.hush(this);
    this.cut();
  }

  #over(): void {
    this.isOver = true;
    this.#outgoing = undefined;
    this.#incoming = undefined;
    this.#carrier.over(this);
    this.#tellRoom();
    const onOver = this.#onOver;
    this.#onOver = undefined;
    if (onOver) for (const then of onOver) then();
  }

  #tellRoom(): void {
    const onRoom = this.#onRoom;
    this.#onRoom = undefined;
    if (onRoom) for (const then of onRoom) then();
  }
}
