import type { Duplex } from "node:stream";
import { drained } from "../bytes/drained.js";
import { type ControlFrame, encodeControl, encodeData, FrameReader, flag, frameType, uint32 } from "./frame.js";
import { HeaderInflater, HeaderWriter, type SpdyHeaders } from "./header-block.js";
import { numberOfReason, type ResetReason, reasonOfNumber, SpdyError } from "./spdy-error.js";
import { SpdyStream, type StreamCarrier } from "./stream.js";

export interface SpdyOptions {
  readonly role: "server" | "client";
  /** Bytes that came with the handshake. */
  readonly head?: Uint8Array;
  /**
   * The other side opened a stream. Return false to refuse it. What it sends waits until the stream is read.
   * @default all are refused
   */
  readonly onStream?: (stream: SpdyStream) => boolean | void;
  /** Open at once, by the other side; more are refused. @default 1024 */
  readonly maxStreams?: number;
}

/**
 * Streams over one connection, as SPDY/3.1 has them.
 *
 * Flow control is left out on purpose: the other implementations in use send no window updates, so that waiting for
 * them would block for ever. Hence a stream that is not read blocks the whole connection in the end.
 */
export interface SpdyConnection {
  /** Resolves when the other side has accepted it. @throws SpdyError when it refuses */
  createStream(headers: SpdyHeaders): Promise<SpdyStream>;
  /** Asks for a sign of life. Resolves when it has come, or the connection is gone. */
  ping(): Promise<void>;
  /** Opens and accepts no more streams; ends when those that are open have ended. */
  close(): Promise<void>;
  /** Ends everything at once. */
  destroy(): void;
  readonly closed: Promise<void>;
}

const maxStreamId = 0x7fff_ffff;
/**
 * Replies to control frames (SYN_REPLY, RST_STREAM) that the other side does not read: more end the connection, for a peer that opens
 * streams and reads nothing would fill the memory with refusals (CVE-2019-9514 of HTTP/2). Twice the streams that may be open.
 */
const maxUnsentReplies = 2048;

/** Shorter ones have nothing to read. */
const minimumBytes: Readonly<Record<number, number>> = {
  [frameType.synStream]: 10,
  [frameType.synReply]: 4,
  [frameType.reset]: 8,
  [frameType.ping]: 4,
  [frameType.headers]: 4,
};

/** Sends replies to control frames. */
function createReplies(socket: Duplex): (frame: Buffer) => void {
  let unsent = 0;
  return (frame) => {
    if (!socket.writable) return;
    unsent += 1;
    socket.write(frame, () => (unsent -= 1));
    if (unsent > maxUnsentReplies) socket.destroy();
  };
}

export const createSpdyConnection = (socket: Duplex, options: SpdyOptions): SpdyConnection =>
  new Connection(socket, options);

/** A stream that the other side has not accepted yet. */
interface Opening {
  accept(): void;
  refuse(error: Error): void;
}

class Connection implements SpdyConnection, StreamCarrier {
  readonly closed: Promise<void>;
  readonly #socket: Duplex;
  readonly #options: SpdyOptions;
  readonly #maxStreams: number;
  /** Numbers of streams and pings that are ours are odd where this is 1. */
  readonly #ours: 0 | 1;
  readonly #streams = new Map<number, SpdyStream>();
  readonly #opening = new Map<number, Opening>();
  readonly #pings = new Map<number, () => void>();
  readonly #headerWriter = new HeaderWriter();
  readonly #headerReader = new HeaderInflater();
  readonly #reader: FrameReader;
  readonly #reply: (frame: Buffer) => void;
  #nextStream: number;
  #nextPing: number;
  #lastAccepted = 0;
  #isClosing = false;
  #isGone = false;

  constructor(socket: Duplex, options: SpdyOptions) {
    this.#socket = socket;
    this.#options = options;
    this.#maxStreams = options.maxStreams ?? 1024;
    this.#ours = options.role === "client" ? 1 : 0;
    this.#nextStream = this.#nextPing = options.role === "client" ? 1 : 2;
    this.#reply = createReplies(socket);
    this.#reader = new FrameReader({
      onControl: (frame) => this.#onControl(frame),
      onData: (id, data, fin) => this.#onData(id, data, fin),
    });
    this.closed = new Promise((resolve) => {
      socket.once("close", () => {
        this.#disconnect();
        resolve();
      });
    });
    socket.on("error", () => socket.destroy());
    socket.once("end", () => socket.end());
    if (options.head && options.head.length > 0) this.#read(Buffer.from(options.head));
    socket.on("data", (chunk: Buffer) => this.#read(chunk));
  }

  createStream(headers: SpdyHeaders): Promise<SpdyStream> {
    return new Promise((resolve, reject) => {
      if (this.#isClosing || this.#nextStream > maxStreamId)
        return reject(new SpdyError("refused-stream", "the connection takes no more streams"));
      const id = this.#nextStream;
      this.#nextStream += 2;
      const stream = new SpdyStream(id, headers, this);
      this.#streams.set(id, stream);
      this.#opening.set(id, {
        accept: () => (this.#opening.delete(id), resolve(stream)),
        refuse: (error) => {
          this.#opening.delete(id);
          stream.on("error", () => undefined); // Reported by this promise.
          reject(error);
        },
      });
      const block = this.#headerWriter.write(headers);
      this.#send(encodeControl(frameType.synStream, 0, uint32(id), uint32(0), Buffer.from([0, 0]), block));
    });
  }

  ping(): Promise<void> {
    if (this.#isGone) return Promise.resolve();
    const id = this.#nextPing;
    this.#nextPing = id + 2 > 0xffff_fff0 ? 2 - this.#ours : id + 2;
    return new Promise((resolve) => {
      this.#pings.set(id, () => (this.#pings.delete(id), resolve()));
      this.#send(encodeControl(frameType.ping, 0, uint32(id)));
    });
  }

  close(): Promise<void> {
    if (!this.#isClosing) {
      this.#isClosing = true;
      this.#send(encodeControl(frameType.goAway, 0, uint32(this.#lastAccepted), uint32(0)));
    }
    if (this.#streams.size === 0) this.#socket.end();
    return this.closed;
  }

  destroy(): void {
    this.#socket.destroy();
  }

  /** From a stream. */
  send(stream: number, data: Uint8Array, fin: boolean, done: () => void): void {
    if (this.#send(encodeData(stream, fin, data))) done();
    else void drained(this.#socket).then(done);
  }

  /** From a stream. */
  reset(stream: number, reason: ResetReason): void {
    if (!this.#isGone) this.#reply(encodeControl(frameType.reset, 0, uint32(stream), uint32(numberOfReason(reason))));
  }

  /** From a stream. */
  relieved(): void {
    if (this.#socket.isPaused() && ![...this.#streams.values()].some((stream) => stream.full)) this.#socket.resume();
  }

  /** From a stream. */
  finished(stream: number): void {
    this.#streams.delete(stream);
    if (this.#isClosing && this.#streams.size === 0) this.#socket.end();
  }

  #send(frame: Buffer): boolean {
    return this.#socket.writable ? this.#socket.write(frame) : true;
  }

  #read(chunk: Buffer): void {
    try {
      this.#reader.push(chunk);
    } catch {
      // Whatever it was, nothing that follows could be understood.
      this.#send(encodeControl(frameType.goAway, 0, uint32(this.#lastAccepted), uint32(1)));
      this.#socket.destroy();
    }
  }

  #disconnect(): void {
    this.#isGone = true;
    this.#isClosing = true;
    for (const { refuse } of this.#opening.values()) refuse(new SpdyError("cancel", "the connection is gone"));
    for (const stream of this.#streams.values()) stream.disconnect();
    for (const answer of this.#pings.values()) answer();
  }

  #onControl(frame: ControlFrame): void {
    const { type, payload } = frame;
    if (payload.length < (minimumBytes[type] ?? 0))
      throw new SpdyError("protocol-error", `a control frame of type ${type} is too short`);
    if (type === frameType.synStream) this.#onSynStream(frame);
    else if (type === frameType.synReply) this.#onSynReply(frame);
    else if (type === frameType.reset) this.#onReset(frame);
    else if (type === frameType.ping) this.#onPing(frame);
    else if (type === frameType.headers) this.#headerReader.read(payload.subarray(4));
    else if (type === frameType.goAway) this.#isClosing = true;
    // Settings and window updates are about flow control.
  }

  #onSynStream({ flags, payload }: ControlFrame): void {
    const id = payload.readUInt32BE(0) & maxStreamId;
    // Read in any case: the next headers continue these.
    const headers = this.#headerReader.read(payload.subarray(10));
    if (id % 2 === this.#ours || id === 0 || id <= this.#lastAccepted)
      throw new SpdyError("protocol-error", `the stream number ${id} is not the other side's to use`);
    this.#lastAccepted = id;
    if (this.#isClosing || this.#streams.size >= this.#maxStreams) return this.reset(id, "refused-stream");
    const stream = new SpdyStream(id, headers, this);
    this.#streams.set(id, stream);
    // Whatever its user writes at once goes out behind the reply.
    stream.cork();
    const { onStream } = this.#options;
    if (onStream === undefined || onStream(stream) === false) return stream.reset("refused-stream");
    this.#reply(encodeControl(frameType.synReply, 0, uint32(id), this.#headerWriter.write(new Map())));
    stream.uncork();
    if ((flags & flag.fin) !== 0) stream.receiveEnd();
    if ((flags & flag.unidirectional) !== 0) stream.end();
  }

  #onSynReply({ flags, payload }: ControlFrame): void {
    const id = payload.readUInt32BE(0) & maxStreamId;
    this.#headerReader.read(payload.subarray(4));
    this.#opening.get(id)?.accept();
    if ((flags & flag.fin) !== 0) this.#streams.get(id)?.receiveEnd();
  }

  #onReset({ payload }: ControlFrame): void {
    const id = payload.readUInt32BE(0) & maxStreamId;
    const reason = reasonOfNumber(payload.readUInt32BE(4));
    this.#opening.get(id)?.refuse(new SpdyError(reason, `the other side refused the stream: ${reason}`));
    this.#streams.get(id)?.receiveReset(reason);
  }

  #onPing({ payload }: ControlFrame): void {
    const id = payload.readUInt32BE(0);
    if (id % 2 === this.#ours) return this.#pings.get(id)?.();
    // A peer that sends pings and does not read the answers gets no more of them.
    if (!this.#socket.writableNeedDrain) this.#send(encodeControl(frameType.ping, 0, uint32(id)));
  }

  #onData(id: number, data: Buffer, fin: boolean): void {
    const stream = this.#streams.get(id);
    // Data for a stream that is over may still be under way.
    if (!stream) return;
    stream.receive(data, fin);
    if (stream.full) this.#socket.pause();
  }
}
