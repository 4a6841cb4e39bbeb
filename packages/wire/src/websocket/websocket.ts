import { isUtf8 } from "node:buffer";
import type { Duplex } from "node:stream";
import type { Clock } from "@coxswain/runtime/clock";
import type { RandomBytes } from "@coxswain/runtime/random";
import { drained } from "../bytes/drained.js";
import { closeCode, encodeFrame, type Frame, opcode, WebSocketError } from "./frame.js";
import { FrameReader } from "./frame-reader.js";
import { MessageAssembler } from "./message-assembler.js";

export interface WebSocketOptions {
  readonly role: "server" | "client";
  /** Agreed on in the handshake; "" where none was. */
  readonly protocol: string;
  /** Bytes that came with the handshake. */
  readonly head?: Uint8Array;
  /** Masks a client's frames; they need not be secret, only hard to foresee. */
  readonly random: RandomBytes;
  readonly clock: Clock;
  /** Of a whole message. A longer one ends the connection. @default 16 MiB */
  readonly maxMessageBytes?: number;
  /** How long the other side may take to answer a close. @default 5000 */
  readonly closeTimeoutMs?: number;
}

export interface WebSocketEvents {
  /** `text`: whether it was sent as text. Must not throw. */
  readonly onMessage: (data: Buffer, text: boolean) => void;
  /** Once, when no more will come. `wasClean`: both sides sent a Close frame. */
  readonly onClose?: (closed: { readonly code: number; readonly reason: string; readonly wasClean: boolean }) => void;
  readonly onPong?: (data: Buffer) => void;
}

/** A WebSocket connection after its handshake. */
export interface WebSocketConnection {
  readonly protocol: string;
  /** Once, and soon: messages wait for it. */
  listen(events: WebSocketEvents): void;
  /** False when the caller should wait for `drained` before it sends more. After the close it does nothing. */
  send(data: Uint8Array | string): boolean;
  drained(): Promise<void>;
  ping(data?: Uint8Array): void;
  /** Nothing is read until `resume`: backpressure on the sender. */
  pause(): void;
  resume(): void;
  /** Sends a Close frame and waits for the peer's. */
  close(code?: number, reason?: string): void;
  /** Ends the connection at once. */
  destroy(): void;
}

export const createWebSocket = (socket: Duplex, options: WebSocketOptions): WebSocketConnection =>
  new Connection(socket, options);

interface Closed {
  readonly code: number;
  readonly reason: string;
  readonly wasClean: boolean;
}

class Connection implements WebSocketConnection {
  readonly protocol: string;
  readonly #socket: Duplex;
  readonly #options: WebSocketOptions;
  readonly #reader: FrameReader;
  readonly #messages: MessageAssembler;
  #events: WebSocketEvents | undefined;
  #isPaused = false;
  #hasSentClose = false;
  /** How the other side closed it, or why this side did. */
  #closed: Closed | undefined;
  #hasEnded = false;
  #timer: { cancel(): void } | undefined;

  constructor(socket: Duplex, options: WebSocketOptions) {
    const { role, maxMessageBytes = 16 * 1024 * 1024 } = options;
    this.protocol = options.protocol;
    this.#socket = socket;
    this.#options = options;
    this.#reader = new FrameReader({ masked: role === "server", maxPayloadBytes: maxMessageBytes });
    this.#messages = new MessageAssembler(maxMessageBytes);
  }

  listen(events: WebSocketEvents): void {
    const { head } = this.#options;
    this.#events = events;
    if (head && head.length > 0) this.#reader.push(Buffer.from(head));
    const socket = this.#socket;
    socket.on("data", (chunk: Buffer) => {
      if (this.#closed) return; // nobody would read it
      this.#reader.push(chunk);
      this.#readFrames();
    });
    // The other side's end without a close is one all the same; ours follows it.
    socket.once("end", () => socket.end());
    socket.once("close", () => this.#finish());
    socket.on("error", () => socket.destroy());
    this.#readFrames();
    if (socket.destroyed) this.#finish();
  }

  send(data: Uint8Array | string): boolean {
    if (this.#hasSentClose) return true;
    if (typeof data === "string") return this.#write(opcode.text, Buffer.from(data));
    return this.#write(opcode.binary, Buffer.from(data.buffer, data.byteOffset, data.byteLength));
  }

  drained(): Promise<void> {
    return drained(this.#socket);
  }

  ping(data: Uint8Array = Buffer.alloc(0)): void {
    if (!this.#hasSentClose) this.#write(opcode.ping, Buffer.from(data));
  }

  pause(): void {
    this.#isPaused = true;
    this.#socket.pause();
  }

  resume(): void {
    this.#isPaused = false;
    this.#readFrames();
    if (!this.#isPaused) this.#socket.resume();
  }

  close(code: number = closeCode.normal, reason = ""): void {
    if (this.#hasSentClose) return;
    this.#hasSentClose = true;
    const payload =
      code === closeCode.noStatus
        ? Buffer.alloc(0)
        : Buffer.concat([Buffer.from([code >> 8, code & 0xff]), Buffer.from(reason).subarray(0, 123)]);
    this.#write(opcode.close, payload);
    if (this.#closed) this.#socket.end();
    const { clock, closeTimeoutMs = 5000 } = this.#options;
    this.#timer = clock.setTimer(closeTimeoutMs, () => this.#socket.destroy());
    // Data is discarded now, but the peer's Close frame must still be read.
    if (this.#isPaused) this.resume();
  }

  destroy(): void {
    this.#socket.destroy();
  }

  #write(kind: number, payload: Buffer): boolean {
    if (!this.#socket.writable) return true;
    const mask = this.#options.role === "client" ? this.#options.random.bytes(4) : undefined;
    return this.#socket.write(encodeFrame({ opcode: kind, final: true, payload }, mask));
  }

  #finish(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#timer?.cancel();
    this.#events?.onClose?.(this.#closed ?? { code: closeCode.abnormal, reason: "", wasClean: false });
  }

  #readFrames(): void {
    try {
      for (let frame = this.#nextFrame(); frame; frame = this.#nextFrame()) this.#handle(frame);
    } catch (error) {
      const { code, message: reason } =
        error instanceof WebSocketError ? error : { code: closeCode.internal, message: "" };
      this.close(code, reason);
      this.#closed ??= { code, reason, wasClean: false };
      this.#socket.end();
    }
  }

  #nextFrame(): Frame | undefined {
    return this.#isPaused || this.#closed ? undefined : this.#reader.next();
  }

  #handle(frame: Frame): void {
    // A peer that sends pings and does not read the pongs gets no more of them.
    if (frame.opcode === opcode.ping) void (this.#socket.writableNeedDrain || this.#write(opcode.pong, frame.payload));
    else if (frame.opcode === opcode.pong) this.#events?.onPong?.(frame.payload);
    else if (frame.opcode === opcode.close) this.#onClose(frame.payload);
    else this.#onData(frame);
  }

  #onClose(payload: Buffer): void {
    const code = payload.length >= 2 ? payload.readUInt16BE(0) : closeCode.noStatus;
    if (payload.length === 1 || !isUtf8(payload.subarray(2)) || !isLegalCode(code))
      throw new WebSocketError(closeCode.protocolError, "a close is not well formed");
    this.#closed = { code, reason: payload.toString("utf8", 2), wasClean: true };
    if (this.#hasSentClose) this.#socket.end();
    else this.close(code, "");
  }

  #onData(frame: Frame): void {
    const message = this.#messages.add(frame);
    if (message && !this.#hasSentClose) this.#events?.onMessage(message.data, message.text);
  }
}

/** Those that may stand in a close frame. */
const isLegalCode = (code: number): boolean =>
  code === closeCode.noStatus ||
  (code >= 1000 && code <= 1014 && code !== 1004 && code !== closeCode.noStatus && code !== closeCode.abnormal) ||
  (code >= 3000 && code <= 4999);
