import type { Socket } from "node:net";
import {
  allocateFrame,
  defaultWindow,
  encodeFrame,
  encodeGoAway,
  encodeSettings,
  encodeUint32Frame,
  type Frame,
  FrameReader,
  flag,
  frameType,
  maxStreamId,
  maxWindow,
  preface,
  setting,
  withoutPadding,
} from "../frame.js";
import { checkFrame } from "../frame-rules.js";
import { HeaderBlockAssembler } from "../header-block-assembler.js";
import { HpackDecoder } from "../hpack-decoder.js";
import { errorCode, Http2Error } from "../http2-error.js";
import { PeerSettings } from "../peer-settings.js";
import { ReceiveWindow } from "../receive-window.js";
import { ClientStream, type ClientStreamSession, type StreamEnd, type StreamEvents } from "./client-stream.js";

export interface ClientSessionSizes {
  /** Receive windows: what a stream that is paused holds, at most. */
  readonly streamWindow: number;
  readonly sessionWindow: number;
  readonly maxHeaderBytes: number;
}

/** Windows larger than the default of 64 KiB: a long response should not wait for a WINDOW_UPDATE every 64 KiB. */
const defaultSizes: ClientSessionSizes = {
  streamWindow: 4 * 1024 * 1024,
  sessionWindow: 16 * 1024 * 1024,
  maxHeaderBytes: 256 * 1024,
};
/**
 * Backpressure: bytes that the kernel has not taken. Above the first DATA waits in its streams, however wide the server's windows are; a
 * server that makes us answer (PING, SETTINGS) and does not read loses its connection at the second.
 */
const highWaterBytes = 512 * 1024;
const limitBytes = 4 * 1024 * 1024;

export interface SessionEvents {
  /** The server's SETTINGS were received. */
  readonly onReady: () => void;
  /** Bytes were received. */
  readonly onActivity: () => void;
  /** Once, when the connection is closed. */
  readonly onClose: (error: Error | undefined) => void;
}

/**
 * The client side of an HTTP/2 connection (RFC 9113), made for many short requests: node:http2 spends several times as
 * much on each. The frames of one iteration of the event loop are one write. No server push, no priorities.
 */
export class ClientSession {
  readonly #socket: Socket;
  readonly #events: SessionEvents;
  readonly #reader = new FrameReader();
  readonly #sizes: ClientSessionSizes;
  readonly #hpack: HpackDecoder;
  readonly #headerBlocks: HeaderBlockAssembler;
  readonly #streams = new Map<number, ClientStream>();
  /** Wait for the server's SETTINGS_MAX_CONCURRENT_STREAMS. */
  #waiting: ClientStream[] = [];
  /** Have data to send, and no flow-control window. */
  readonly #blocked = new Set<ClientStream>();
  readonly #pings = new Map<string, () => void>();
  readonly #session: ClientStreamSession;
  #out: Buffer[] = [];
  #flushing = false;
  #nextId = 1;
  #nextPing = 1;
  #ready = false;
  #goingAway = false;
  #closed = false;
  #error: Error | undefined;
  #sendWindow = defaultWindow;
  readonly #receiveWindow: ReceiveWindow;
  readonly #peer = new PeerSettings();

  /** @param socket connected, or about to be */
  constructor(socket: Socket, events: SessionEvents, sizes: ClientSessionSizes = defaultSizes) {
    this.#socket = socket;
    this.#events = events;
    this.#sizes = sizes;
    this.#hpack = new HpackDecoder(sizes.maxHeaderBytes);
    this.#headerBlocks = new HeaderBlockAssembler(sizes.maxHeaderBytes);
    this.#receiveWindow = new ReceiveWindow(sizes.sessionWindow);
    this.#session = {
      pump: (stream) => this.#pump(stream),
      credit: (stream, bytes) => this.#credit(stream, bytes),
      reset: (stream, code) => this.#reset(stream, code),
      streamClosed: (stream) => this.#close(stream),
    };
    this.#send(
      preface,
      encodeSettings([
        [setting.enablePush, 0],
        [setting.initialWindowSize, sizes.streamWindow],
      ]),
      encodeUint32Frame(frameType.windowUpdate, 0, sizes.sessionWindow - defaultWindow),
    );
    socket.on("data", (chunk: Buffer) => this.#read(chunk));
    socket.on("drain", () => this.#pumpAll());
    socket.on("error", (error) => this.destroy(error));
    socket.once("end", () => socket.destroy());
    socket.once("close", () => this.#onClose());
  }

  /** Whether new requests may be sent. */
  get usable(): boolean {
    return this.#ready && !this.#goingAway && !this.#closed && this.#nextId <= maxStreamId;
  }

  /** Number of requests in flight. */
  get open(): number {
    return this.#streams.size + this.#waiting.length;
  }

  /** Received and not delivered, or written and not sent. */
  get heldBytes(): number {
    let bytes = this.#socket.writableLength;
    for (const stream of this.#streams.values()) bytes += stream.heldBytes + stream.unsentBytes;
    return bytes;
  }

  request(headerBlock: Buffer, events: StreamEvents): ClientStream {
    const stream = new ClientStream(headerBlock, {
      carrier: this.#session,
      receiveWindow: new ReceiveWindow(this.#sizes.streamWindow),
      events,
    });
    if (this.#streams.size < this.#peer.maxStreams) this.#open(stream);
    else this.#waiting.push(stream);
    return stream;
  }

  /** @param onAck not called when the connection is closed first */
  ping(onAck: () => void): void {
    const frame = allocateFrame(frameType.ping, 0, 0, 8);
    frame.writeBigUInt64BE(BigInt(this.#nextPing), 9);
    this.#nextPing += 1;
    this.#pings.set(frame.toString("latin1", 9), onAck);
    this.#send(frame);
  }

  /** Closes the connection and aborts its requests. */
  destroy(error?: Error): void {
    this.#error ??= error;
    this.#socket.destroy();
  }

  #open(stream: ClientStream): void {
    stream.id = this.#nextId;
    stream.sendWindow = this.#peer.initialWindow;
    this.#nextId += 2;
    this.#streams.set(stream.id, stream);
    this.#sendBlock(stream, stream.headerBlock, 0);
    this.#pump(stream);
  }

  /** Headers or, with END_STREAM in the flags, trailers. */
  #sendBlock({ id }: ClientStream, block: Buffer, flags: number): void {
    for (let offset = 0; offset === 0 || offset < block.length; offset += this.#peer.maxFrame) {
      const end = offset + this.#peer.maxFrame >= block.length ? flag.endHeaders : 0;
      const part = block.subarray(offset, offset + this.#peer.maxFrame);
      if (offset === 0) this.#send(encodeFrame(frameType.headers, end | flags, id, part));
      else this.#send(encodeFrame(frameType.continuation, end, id, part));
    }
  }

  /** Sends as much as both windows allow. */
  #pump(stream: ClientStream): void {
    if (stream.id === 0) return;
    while (this.#socket.writableLength < highWaterBytes) {
      const next = stream.take(Math.min(stream.sendWindow, this.#sendWindow, this.#peer.maxFrame));
      if (!next) break;
      stream.sendWindow -= next.data.length;
      this.#sendWindow -= next.data.length;
      if (next.end && stream.trailers) this.#sendBlock(stream, stream.trailers, flag.endStream);
      else this.#send(encodeFrame(frameType.data, next.end ? flag.endStream : 0, stream.id, next.data));
      if (next.end) stream.sentEnd = true;
    }
    if (stream.pending) this.#blocked.add(stream);
    else this.#blocked.delete(stream);
  }

  #credit(stream: ClientStream, bytes: number): void {
    const more = stream.receiveWindow.credit(bytes);
    if (more > 0 && this.#streams.has(stream.id))
      this.#send(encodeUint32Frame(frameType.windowUpdate, stream.id, more));
  }

  #reset(stream: ClientStream, code: number): void {
    if (stream.id > 0) this.#send(encodeUint32Frame(frameType.reset, stream.id, code));
  }

  #close(stream: ClientStream): void {
    this.#streams.delete(stream.id);
    this.#blocked.delete(stream);
    if (stream.id === 0) this.#waiting = this.#waiting.filter((one) => one !== stream);
    while (this.#waiting.length > 0 && this.#streams.size < this.#peer.maxStreams && !this.#closed)
      this.#open(this.#waiting.shift()!);
    if (this.#goingAway && this.open === 0) this.#socket.destroy();
  }

  #read(chunk: Buffer): void {
    this.#events.onActivity();
    try {
      this.#reader.push(chunk);
      for (let frame = this.#reader.next(); frame; frame = this.#reader.next()) this.#onFrame(frame);
    } catch (error) {
      const { code, message } =
        error instanceof Http2Error ? error : { code: errorCode.internalError, message: (error as Error).message };
      this.#socket.write(encodeGoAway(0, code));
      this.destroy(new Error(message, { cause: error }));
    }
  }

  #onFrame(frame: Frame): void {
    if (this.#closed) return;
    checkFrame(frame);
    if (!this.#ready && frame.type !== frameType.settings)
      throw new Http2Error(errorCode.protocolError, "the server's first frame is not SETTINGS");
    this.#headerBlocks.check(frame);
    switch (frame.type) {
      case frameType.data:
        return this.#onData(frame);
      case frameType.headers:
      case frameType.continuation:
        return this.#onHeaders(frame);
      case frameType.reset:
        return this.#onReset(frame);
      case frameType.settings:
        return this.#onSettings(frame);
      case frameType.ping:
        return this.#onPing(frame);
      case frameType.goAway:
        return this.#onGoAway(frame);
      case frameType.windowUpdate:
        return this.#onWindowUpdate(frame);
      case frameType.pushPromise:
        throw new Http2Error(errorCode.protocolError, "PUSH_PROMISE, though SETTINGS_ENABLE_PUSH is 0");
    }
  }

  #onData(frame: Frame): void {
    // Padding counts too (RFC 9113, section 6.9.1).
    if (!this.#receiveWindow.receive(frame.payload.length))
      throw new Http2Error(errorCode.flowControlError, "the server exceeds the connection's flow-control window");
    const more = this.#receiveWindow.credit(frame.payload.length);
    if (more > 0) this.#send(encodeUint32Frame(frameType.windowUpdate, 0, more));
    const stream = this.#streams.get(frame.stream);
    if (!stream) return this.#unknown(frame);
    const data = withoutPadding(frame);
    if (!stream.receiveWindow.receive(frame.payload.length))
      throw new Http2Error(errorCode.flowControlError, "the server exceeds the stream's flow-control window");
    const padding = frame.payload.length - data.length;
    if (padding > 0) this.#credit(stream, padding);
    stream.receiveData(data);
    if ((frame.flags & flag.endStream) !== 0) this.#onEnd(stream);
  }

  #onHeaders(frame: Frame): void {
    const block = this.#headerBlocks.add(frame);
    if (!block) return;
    // Decoded in any case: it changes the dynamic table that later blocks refer to.
    const headers = this.#hpack.decode(block.bytes);
    if (!headers)
      throw new Http2Error(
        errorCode.enhanceYourCalm,
        `headers of more than ${this.#sizes.maxHeaderBytes} bytes are refused`,
      );
    const stream = this.#streams.get(frame.stream);
    if (!stream) return this.#unknown(frame);
    stream.receiveHeaders(headers, block.isEnd);
    if (block.isEnd) this.#onEnd(stream);
  }

  /** Frames on a closed stream may still be in flight and are ignored; on an idle one they are an error. */
  #unknown(frame: Frame): void {
    if (frame.stream === 0 || frame.stream % 2 === 0 || frame.stream >= this.#nextId)
      throw new Http2Error(errorCode.protocolError, `frame on stream ${frame.stream}, which is idle`);
  }

  #onEnd(stream: ClientStream): void {
    // The response is complete: the rest of the request body is not needed.
    if (!stream.sentEnd) this.#reset(stream, errorCode.cancel);
    stream.finish({ kind: "ended" });
  }

  #onReset(frame: Frame): void {
    const code = frame.payload.readUInt32BE(0);
    this.#streams
      .get(frame.stream)
      ?.finish(code === errorCode.refusedStream ? { kind: "refused" } : { kind: "reset", code });
  }

  #onSettings({ flags, payload }: Frame): void {
    if ((flags & flag.ack) !== 0) return;
    const before = this.#peer.initialWindow;
    this.#peer.apply(payload);
    // Applies to open streams too, whose windows may become negative (RFC 9113, section 6.9.2).
    for (const stream of this.#streams.values()) stream.sendWindow += this.#peer.initialWindow - before;
    this.#send(allocateFrame(frameType.settings, flag.ack, 0, 0));
    this.#pumpAll();
    if (this.#ready) return;
    this.#ready = true;
    this.#events.onReady();
  }

  #onPing({ flags, payload }: Frame): void {
    if ((flags & flag.ack) === 0) return this.#send(encodeFrame(frameType.ping, flag.ack, 0, payload));
    const key = payload.toString("latin1");
    const onAck = this.#pings.get(key);
    this.#pings.delete(key);
    onAck?.();
  }

  #onGoAway({ payload }: Frame): void {
    this.#goingAway = true;
    const last = payload.readUInt32BE(0) & maxStreamId;
    const code = payload.readUInt32BE(4);
    if (code !== errorCode.noError)
      this.#error ??= new Error(
        `the server ended the connection with error ${code}${payload.length > 8 ? ` (${payload.toString("latin1", 8, 200)})` : ""}`,
      );
    for (const stream of [...this.#waiting, ...this.#streams.values()])
      if (stream.id === 0 || stream.id > last) stream.finish({ kind: "refused" });
    if (this.open === 0) this.#socket.destroy();
  }

  #onWindowUpdate({ stream: id, payload }: Frame): void {
    const more = payload.readUInt32BE(0) & maxWindow;
    if (id === 0) {
      this.#sendWindow += more;
      if (more === 0 || this.#sendWindow > maxWindow)
        throw new Http2Error(errorCode.flowControlError, "WINDOW_UPDATE out of range");
      return this.#pumpAll();
    }
    const stream = this.#streams.get(id);
    if (!stream) return;
    stream.sendWindow += more;
    if (more === 0 || stream.sendWindow > maxWindow) return stream.reset(errorCode.flowControlError);
    this.#pump(stream);
  }

  #pumpAll(): void {
    for (const stream of this.#blocked) if (this.#sendWindow > 0) this.#pump(stream);
  }

  /** Frames of one iteration of the event loop are one write. */
  #send(...frames: readonly Buffer[]): void {
    for (const frame of frames) this.#out.push(frame);
    if (this.#flushing) return;
    this.#flushing = true;
    setImmediate(() => this.#flush());
  }

  #flush(): void {
    this.#flushing = false;
    const frames = this.#out;
    this.#out = [];
    if (this.#socket.writableLength > limitBytes) return this.destroy(new Error("the server does not read"));
    if (this.#socket.writable) this.#socket.write(frames.length === 1 ? frames[0]! : Buffer.concat(frames));
  }

  #onClose(): void {
    this.#closed = true;
    const end: StreamEnd = { kind: "lost", error: this.#error };
    for (const stream of [...this.#waiting, ...this.#streams.values()])
      stream.finish(stream.id === 0 ? { kind: "refused" } : end);
    this.#events.onClose(this.#error);
  }
}
