import type { Duplex } from "node:stream";
import { drained } from "../bytes/drained.js";
import { type ControlFrame, encodeControl, encodeData, flag, FrameReader, frameType, uint32 } from "./frame.js";
import { HeaderInflater, HeaderWriter, type SpdyHeaders } from "./header-block.js";
import { numberOfReason, reasonOfNumber, SpdyError } from "./spdy-error.js";
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

export function createSpdyConnection(socket: Duplex, options: SpdyOptions): SpdyConnection {
  const { role, maxStreams = 1024 } = options;
  const ours = role === "client" ? 1 : 0;
  const streams = new Map<number, SpdyStream>();
  const opening = new Map<number, { accept(): void; refuse(error: Error): void }>();
  const pings = new Map<number, () => void>();
  const headerWriter = new HeaderWriter();
  const headerReader = new HeaderInflater();
  let nextStream = role === "client" ? 1 : 2;
  let nextPing = nextStream;
  let lastAccepted = 0;
  let closing = false;
  let gone = false;

  const send = (frame: Buffer): boolean => (socket.writable ? socket.write(frame) : true);
  const reply = createReplies(socket);
  const carrier: StreamCarrier = {
    send(stream, data, fin, done) {
      if (send(encodeData(stream, fin, data))) done();
      else void drained(socket).then(done);
    },
    reset: (stream, reason) =>
      void (gone || reply(encodeControl(frameType.reset, 0, uint32(stream), uint32(numberOfReason(reason))))),
    relieved() {
      if (socket.isPaused() && ![...streams.values()].some((stream) => stream.full)) socket.resume();
    },
    finished(stream) {
      streams.delete(stream);
      if (closing && streams.size === 0) socket.end();
    },
  };

  const onSynStream = ({ flags, payload }: ControlFrame): void => {
    const id = payload.readUInt32BE(0) & maxStreamId;
    // Read in any case: the next headers continue these.
    const headers = headerReader.read(payload.subarray(10));
    if (id % 2 === ours || id === 0 || id <= lastAccepted)
      throw new SpdyError("protocol-error", `the stream number ${id} is not the other side's to use`);
    lastAccepted = id;
    if (closing || streams.size >= maxStreams) return carrier.reset(id, "refused-stream");
    const stream = new SpdyStream(id, headers, carrier);
    streams.set(id, stream);
    // Whatever its user writes at once goes out behind the reply.
    stream.cork();
    if (options.onStream === undefined || options.onStream(stream) === false) return stream.reset("refused-stream");
    reply(encodeControl(frameType.synReply, 0, uint32(id), headerWriter.write(new Map())));
    stream.uncork();
    if ((flags & flag.fin) !== 0) stream.receiveEnd();
    if ((flags & flag.unidirectional) !== 0) stream.end();
  };
  const onSynReply = ({ flags, payload }: ControlFrame): void => {
    const id = payload.readUInt32BE(0) & maxStreamId;
    headerReader.read(payload.subarray(4));
    opening.get(id)?.accept();
    if ((flags & flag.fin) !== 0) streams.get(id)?.receiveEnd();
  };
  const onReset = ({ payload }: ControlFrame): void => {
    const id = payload.readUInt32BE(0) & maxStreamId;
    const reason = reasonOfNumber(payload.readUInt32BE(4));
    opening.get(id)?.refuse(new SpdyError(reason, `the other side refused the stream: ${reason}`));
    streams.get(id)?.receiveReset(reason);
  };
  const onPing = ({ payload }: ControlFrame): void => {
    const id = payload.readUInt32BE(0);
    if (id % 2 !== ours) return void (socket.writableNeedDrain || send(encodeControl(frameType.ping, 0, uint32(id))));
    pings.get(id)?.();
  };
  const onControl = (frame: ControlFrame): void => {
    if (frame.payload.length < (minimumBytes[frame.type] ?? 0))
      throw new SpdyError("protocol-error", `a control frame of type ${frame.type} is too short`);
    if (frame.type === frameType.synStream) onSynStream(frame);
    else if (frame.type === frameType.synReply) onSynReply(frame);
    else if (frame.type === frameType.reset) onReset(frame);
    else if (frame.type === frameType.ping) onPing(frame);
    else if (frame.type === frameType.headers) headerReader.read(frame.payload.subarray(4));
    else if (frame.type === frameType.goAway) closing = true;
    // Settings and window updates are about flow control.
  };
  const onData = (id: number, data: Buffer, fin: boolean): void => {
    const stream = streams.get(id);
    // Data for a stream that is over may still be under way.
    if (!stream) return;
    stream.receive(data, fin);
    if (stream.full) socket.pause();
  };

  const reader = new FrameReader({ onControl, onData });
  const read = (chunk: Buffer): void => {
    try {
      reader.push(chunk);
    } catch {
      // Whatever it was, nothing that follows could be understood.
      send(encodeControl(frameType.goAway, 0, uint32(lastAccepted), uint32(1)));
      socket.destroy();
    }
  };
  const closed = new Promise<void>((resolve) => {
    socket.once("close", () => {
      gone = true;
      closing = true;
      for (const { refuse } of opening.values()) refuse(new SpdyError("cancel", "the connection is gone"));
      for (const stream of streams.values()) stream.disconnect();
      for (const answer of pings.values()) answer();
      resolve();
    });
  });
  socket.on("error", () => socket.destroy());
  socket.once("end", () => socket.end());
  if (options.head && options.head.length > 0) read(Buffer.from(options.head));
  socket.on("data", read);

  return {
    createStream(headers) {
      return new Promise((resolve, reject) => {
        if (closing || nextStream > maxStreamId)
          return reject(new SpdyError("refused-stream", "the connection takes no more streams"));
        const id = nextStream;
        nextStream += 2;
        const stream = new SpdyStream(id, headers, carrier);
        streams.set(id, stream);
        opening.set(id, {
          accept: () => (opening.delete(id), resolve(stream)),
          refuse(error) {
            opening.delete(id);
            stream.on("error", () => undefined); // Reported by this promise.
            reject(error);
          },
        });
        send(
          encodeControl(
            frameType.synStream,
            0,
            uint32(id),
            uint32(0),
            Buffer.from([0, 0]),
            headerWriter.write(headers),
          ),
        );
      });
    },
    ping() {
      if (gone) return Promise.resolve();
      const id = nextPing;
      nextPing = nextPing + 2 > 0xffff_fff0 ? (role === "client" ? 1 : 2) : nextPing + 2;
      return new Promise((resolve) => {
        pings.set(id, () => (pings.delete(id), resolve()));
        send(encodeControl(frameType.ping, 0, uint32(id)));
      });
    },
    close() {
      if (!closing) {
        closing = true;
        send(encodeControl(frameType.goAway, 0, uint32(lastAccepted), uint32(0)));
      }
      if (streams.size === 0) socket.end();
      return closed;
    },
    destroy: () => void socket.destroy(),
    closed,
  };
}
