import type { Socket } from "node:net";
import { ClientStream, type StreamCarrier, type StreamEnd, type StreamEvents } from "./client-stream.js";
import {
  allocateFrame,
  defaultWindow,
  encodeFrame,
  encodeGoAway,
  encodeNumber,
  encodeSettings,
  flag,
  type Frame,
  FrameReader,
  frameType,
  maxStreamId,
  maxWindow,
  preface,
  setting,
  withoutPadding,
} from "./frame.js";
import { checkFrame } from "./frame-rules.js";
import { HeaderGathering } from "./header-gathering.js";
import { HpackDecoder } from "./hpack-decoder.js";
import { errorCode, Http2Error } from "./http2-error.js";
import { PeerSettings } from "./peer-settings.js";
import { ReceiveWindow } from "./receive-window.js";

/** Room for what the server may send before we have read it: a long answer should not wait for each 64 KB to be confirmed. */
const streamWindow = 4 * 1024 * 1024;
const sessionWindow = 16 * 1024 * 1024;
const maxHeaderBlock = 256 * 1024;

export interface SessionEvents {
  /** The server has said that it speaks HTTP/2. */
  readonly onReady: () => void;
  /** Something came from the server. */
  readonly onActivity: () => void;
  /** Once, when the connection is gone. */
  readonly onClose: (error: Error | undefined) => void;
}

/**
 * The client's side of an HTTP/2 connection (RFC 9113), made for many short requests: node:http2 spends several times as
 * much on each. What was asked for in one turn of the event loop goes out in one write. No push, no priorities.
 */
export class ClientSession {
  readonly #socket: Socket;
  readonly #events: SessionEvents;
  readonly #reader = new FrameReader();
  readonly #hpack = new HpackDecoder(maxHeaderBlock);
  readonly #gathering = new HeaderGathering(maxHeaderBlock);
  readonly #streams = new Map<number, ClientStream>();
  /** Opened when the server has room. */
  #waiting: ClientStream[] = [];
  /** Have something to send, and no window for it. */
  readonly #blocked = new Set<ClientStream>();
  readonly #pings = new Map<string, () => void>();
  readonly #carrier: StreamCarrier;
  #out: Buffer[] = [];
  #flushing = false;
  #nextId = 1;
  #nextPing = 1;
  #ready = false;
  #goingAway = false;
  #closed = false;
  #error: Error | undefined;
  #sendWindow = defaultWindow;
  readonly #receiveWindow = new ReceiveWindow(sessionWindow);
  readonly #peer = new PeerSettings();

  /** @param socket connected, or about to be */
  constructor(socket: Socket, events: SessionEvents) {
    this.#socket = socket;
    this.#events = events;
    this.#carrier = {
      pump: (stream) => this.#pump(stream),
      credit: (stream, bytes) => this.#credit(stream, bytes),
      reset: (stream, code) => this.#reset(stream, code),
      over: (stream) => this.#over(stream),
    };
    this.#send(
      preface,
      encodeSettings([
        [setting.enablePush, 0],
        [setting.initialWindowSize, streamWindow],
      ]),
      encodeNumber(frameType.windowUpdate, 0, sessionWindow - defaultWindow),
    );
    socket.on("data", (chunk: Buffer) => this.#read(chunk));
    socket.on("error", (error) => this.destroy(error));
    socket.once("end", () => socket.destroy());
    socket.once("close", () => this.#onClose());
  }

  /** Whether new requests may begin. */
  get usable(): boolean {
    return this.#ready && !this.#goingAway && !this.#closed && this.#nextId <= maxStreamId;
  }

  /** How many requests are under way. */
  get open(): number {
    return this.#streams.size + this.#waiting.length;
  }

  request(headerBlock: Buffer, events: StreamEvents): ClientStream {
    const stream = new ClientStream(headerBlock, {
      carrier: this.#carrier,
      receiveWindow: new ReceiveWindow(streamWindow),
      events,
    });
    if (this.#streams.size < this.#peer.maxStreams) this.#open(stream);
    else this.#waiting.push(stream);
    return stream;
  }

  /** @param onAnswer never called when the connection goes first */
  ping(onAnswer: () => void): void {
    const frame = allocateFrame(frameType.ping, 0, 0, 8);
    frame.writeBigUInt64BE(BigInt(this.#nextPing), 9);
    this.#nextPing += 1;
    this.#pings.set(frame.toString("latin1", 9), onAnswer);
    this.#send(frame);
  }

  /** Ends the connection with all its requests. */
  destroy(error?: Error): void {
    this.#error ??= error;
    this.#socket.destroy();
  }

  #open(stream: ClientStream): void {
    stream.id = this.#nextId;
    stream.sendWindow = this.#peer.initialWindow;
    this.#nextId += 2;
    this.#streams.set(stream.id, stream);
    const { headerBlock } = stream;
    for (let offset = 0; offset === 0 || offset < headerBlock.length; offset += this.#peer.maxFrame) {
      const end = offset + this.#peer.maxFrame >= headerBlock.length ? flag.endHeaders : 0;
      this.#send(
        encodeFrame(
          offset === 0 ? frameType.headers : frameType.continuation,
          end,
          stream.id,
          headerBlock.subarray(offset, offset + this.#peer.maxFrame),
        ),
      );
    }
    this.#pump(stream);
  }

  /** Sends as much as both windows allow. */
  #pump(stream: ClientStream): void {
    if (stream.id === 0) return;
    for (;;) {
      const next = stream.take(Math.min(stream.sendWindow, this.#sendWindow, this.#peer.maxFrame));
      if (!next) break;
      stream.sendWindow -= next.data.length;
      this.#sendWindow -= next.data.length;
      this.#send(encodeFrame(frameType.data, next.end ? flag.endStream : 0, stream.id, next.data));
      if (next.end) stream.sentEnd = true;
    }
    if (stream.pending) this.#blocked.add(stream);
    else this.#blocked.delete(stream);
  }

  #credit(stream: ClientStream, bytes: number): void {
    const more = stream.receiveWindow.credit(bytes);
    if (more > 0 && this.#streams.has(stream.id)) this.#send(encodeNumber(frameType.windowUpdate, stream.id, more));
  }

  #reset(stream: ClientStream, code: number): void {
    if (stream.id > 0) this.#send(encodeNumber(frameType.reset, stream.id, code));
  }

  #over(stream: ClientStream): void {
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
      throw new Http2Error(errorCode.protocolError, "the server does not speak HTTP/2");
    this.#gathering.check(frame);
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
        throw new Http2Error(errorCode.protocolError, "the server pushes, though it was asked not to");
    }
  }

  #onData(frame: Frame): void {
    // Padding counts too.
    if (!this.#receiveWindow.receive(frame.payload.length))
      throw new Http2Error(errorCode.flowControlError, "the server sends more than the connection's window allows");
    const more = this.#receiveWindow.credit(frame.payload.length);
    if (more > 0) this.#send(encodeNumber(frameType.windowUpdate, 0, more));
    const stream = this.#streams.get(frame.stream);
    if (!stream) return this.#unknown(frame);
    const data = withoutPadding(frame);
    if (!stream.receiveWindow.receive(frame.payload.length))
      throw new Http2Error(errorCode.flowControlError, "the server sends more than its window allows");
    const padding = frame.payload.length - data.length;
    if (padding > 0) this.#credit(stream, padding);
    stream.receiveData(data);
    if ((frame.flags & flag.endStream) !== 0) this.#onEnd(stream);
  }

  #onHeaders(frame: Frame): void {
    const block = this.#gathering.add(frame);
    if (!block) return;
    // Read in any case: later headers refer to these.
    const headers = this.#hpack.decode(block.bytes);
    if (!headers)
      throw new Http2Error(errorCode.enhanceYourCalm, `headers of more than ${maxHeaderBlock} bytes are refused`);
    const stream = this.#streams.get(frame.stream);
    if (!stream) return this.#unknown(frame);
    stream.receiveHeaders(headers);
    if (block.isEnd) this.#onEnd(stream);
  }

  /** For a stream that is over something may still be under way. One that never was is against the rules. */
  #unknown(frame: Frame): void {
    if (frame.stream === 0 || frame.stream % 2 === 0 || frame.stream >= this.#nextId)
      throw new Http2Error(errorCode.protocolError, `the server sends on stream ${frame.stream}, which nobody opened`);
  }

  #onEnd(stream: ClientStream): void {
    // The answer is complete; what the request still had to say is in vain.
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
    // Counts for the streams that are open, too, and may make their windows negative.
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
    const answer = this.#pings.get(key);
    this.#pings.delete(key);
    answer?.();
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
        throw new Http2Error(errorCode.flowControlError, "a window update is out of bounds");
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

  /** Gathers what is sent in this turn of the event loop. */
  #send(...frames: readonly Buffer[]): void {
    this.#out.push(...frames);
    if (this.#flushing) return;
    this.#flushing = true;
    setImmediate(() => this.#flush());
  }

  #flush(): void {
    this.#flushing = false;
    const frames = this.#out;
    this.#out = [];
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
