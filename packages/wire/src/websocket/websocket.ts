import { isUtf8 } from "node:buffer";
import type { Duplex } from "node:stream";
import type { Clock } from "@coxswain/runtime/clock";
import { drained } from "../bytes/drained.js";
import type { RandomBytes } from "@coxswain/runtime/random";
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

export function createWebSocket(socket: Duplex, options: WebSocketOptions): WebSocketConnection {
  const { role, random, clock, maxMessageBytes = 16 * 1024 * 1024, closeTimeoutMs = 5000 } = options;
  const reader = new FrameReader({ masked: role === "server", maxPayloadBytes: maxMessageBytes });
  const messages = new MessageAssembler(maxMessageBytes);
  let events: WebSocketEvents | undefined;
  let paused = false;
  let sentClose = false;
  let closed: { code: number; reason: string; wasClean: boolean } | undefined;
  let ended = false;
  let timer: { cancel(): void } | undefined;

  const write = (kind: number, payload: Buffer): boolean =>
    socket.writable
      ? socket.write(
          encodeFrame({ opcode: kind, final: true, payload }, role === "client" ? random.bytes(4) : undefined),
        )
      : true;
  const close = (code: number, reason: string): void => {
    if (sentClose) return;
    sentClose = true;
    const payload =
      code === closeCode.noStatus
        ? Buffer.alloc(0)
        : Buffer.concat([Buffer.from([code >> 8, code & 0xff]), Buffer.from(reason).subarray(0, 123)]);
    write(opcode.close, payload);
    if (closed) socket.end();
    timer = clock.setTimer(closeTimeoutMs, () => socket.destroy());
    // Data is discarded now, but the peer's Close frame must still be read.
    if (paused) resume();
  };
  const finish = (): void => {
    if (ended) return;
    ended = true;
    timer?.cancel();
    events?.onClose?.(closed ?? { code: closeCode.abnormal, reason: "", wasClean: false });
  };
  const onClose = (payload: Buffer): void => {
    const code = payload.length >= 2 ? payload.readUInt16BE(0) : closeCode.noStatus;
    if (payload.length === 1 || !isUtf8(payload.subarray(2)) || !isLegalCode(code))
      throw new WebSocketError(closeCode.protocolError, "a close is not well formed");
    closed = { code, reason: payload.toString("utf8", 2), wasClean: true };
    if (sentClose) socket.end();
    else close(code, "");
  };
  const onData = (frame: Frame): void => {
    const message = messages.add(frame);
    if (message && !sentClose) events?.onMessage(message.data, message.text);
  };
  const handle = (frame: Frame): void => {
    // A peer that sends pings and does not read the pongs gets no more of them.
    if (frame.opcode === opcode.ping) void (socket.writableNeedDrain || write(opcode.pong, frame.payload));
    else if (frame.opcode === opcode.pong) events?.onPong?.(frame.payload);
    else if (frame.opcode === opcode.close) onClose(frame.payload);
    else onData(frame);
  };
  const readFrames = (): void => {
    try {
      for (
        let frame = paused || closed ? undefined : reader.next();
        frame;
        frame = paused || closed ? undefined : reader.next()
      )
        handle(frame);
    } catch (error) {
      const { code, message: reason } =
        error instanceof WebSocketError ? error : { code: closeCode.internal, message: "" };
      close(code, reason);
      closed ??= { code, reason, wasClean: false };
      socket.end();
    }
  };
  const resume = (): void => {
    paused = false;
    readFrames();
    if (!paused) socket.resume();
  };

  return {
    protocol: options.protocol,
    listen(listener) {
      events = listener;
      if (options.head && options.head.length > 0) reader.push(Buffer.from(options.head));
      socket.on("data", (chunk: Buffer) => {
        if (closed) return; // nobody would read it
        reader.push(chunk);
        readFrames();
      });
      // The other side's end without a close is one all the same; ours follows it.
      socket.once("end", () => socket.end());
      socket.once("close", finish);
      socket.on("error", () => socket.destroy());
      readFrames();
      if (socket.destroyed) finish();
    },
    send: (data) =>
      sentClose ||
      (typeof data === "string"
        ? write(opcode.text, Buffer.from(data))
        : write(opcode.binary, Buffer.from(data.buffer, data.byteOffset, data.byteLength))),
    drained: () => drained(socket),
    ping: (data = Buffer.alloc(0)) => void (sentClose || write(opcode.ping, Buffer.from(data))),
    pause() {
      paused = true;
      socket.pause();
    },
    resume,
    close: (code = closeCode.normal, reason = "") => close(code, reason),
    destroy: () => void socket.destroy(),
  };
}

/** Those that may stand in a close frame. */
const isLegalCode = (code: number): boolean =>
  code === closeCode.noStatus ||
  (code >= 1000 && code <= 1014 && code !== 1004 && code !== closeCode.noStatus && code !== closeCode.abnormal) ||
  (code >= 3000 && code <= 4999);
