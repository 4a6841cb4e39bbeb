import type { Socket } from "node:net";
import type { Clock } from "../clock.js";
import { allocateFrame, defaultFrameBytes, defaultWindow, encodeGoAway, encodeNumber, encodeSettings, flag, type Frame, FrameReader, frameType, maxStreamId, maxWindow, preface, setting, withoutPadding } from "./frame.js";
import { checkFrame } from "./frame-rules.js";
import type { Header } from "./header.js";
import { HeaderCompressor } from "./header-compressor.js";
import { HpackDecoder } from "./hpack-decoder.js";
import { errorCode, Http2Error } from "./http2-error.js";
import { Outbox } from "./outbox.js";
import { Patience } from "./patience.js";
import { PeerSettings } from "./peer-settings.js";
import { faultOfRequest, faultOfTrailers, findMisplacedHeader } from "./request-rules.js";
import { type ResponseHeaders, type ServerCarrier, ServerStream } from "./server-stream.js";
import type { Patron, Turns } from "./turns.js";

/** Of bodies that nobody has read yet: for each request, and for all of a connection. One slow upload should not hold up the others. */
const streamWindow = 1 << 20;
const sessionWindow = 16 << 20;
/** As the protocol counts them, names and values with 32 bytes for each. */
const maxHeaderBytes = 1 << 20;
/** For the client to say that it speaks HTTP/2. */
const greetingMs = 10_000;
/** A connection that carries nothing is closed. */
const idleMs = 90_000;
/** A client that is told to go has time to hear it. */
const farewellMs = 1000;
/** One answer's share of the room there is, while others wait, too. */
const shareBytes = 64 * 1024;
/** Requests that we ended before their clients had said everything; what they still say is passed over. */
const mostUnheard = 1000;
/** Of one connection, before it is another's turn: requests, and frames of a request. */
const mostAtOnce = 8;
const mostFrames = 64;
/** Read and not yet looked at. */
const backlogBytes = 128 * 1024;
/** No header needs more frames, even if each holds little. */
const mostContinuations = 256;

export interface ServerSessionOptions {
  /** Requests at once. */
  readonly maxStreams: number;
  readonly clock: Clock;
  /** Shared with other connections. */
  readonly turns: Turns;
  readonly onRequest: (stream: ServerStream) => void;
  /** A request that is not to be served, and only needs an answer: its headers are too long (431), and nothing is known of it, or are not for HTTP/2 (400). */
  readonly onRefused: (stream: ServerStream, status: 400 | 431, why: string) => void;
  /** Once, when the connection is gone. */
  readonly onClose: () => void;
}

/**
 * The server's side of an HTTP/2 connection (RFC 9113), made for many requests at once: a waiting one is a single small object.
 * What is answered in one turn of the event loop goes out in one write. No push, no priorities.
 */
export class ServerSession implements ServerCarrier, Patron {
  /** Whom the client speaks for: connections of one user share their turns. */
  user: string | undefined;
  readonly #socket: Socket;
  readonly #options: ServerSessionOptions;
  readonly #reader = new FrameReader();
  readonly #hpack = new HpackDecoder(maxHeaderBytes);
  readonly #compressor = new HeaderCompressor();
  readonly #out: Outbox;
  readonly #peer = new PeerSettings();
  readonly #streams = new Map<number, ServerStream>();
  /** The request that was read last. It is told when the next one comes, or nothing more does: by then its body may be there, or its client have given up. */
  #fresh: ServerStream | undefined;
  #isEnlisted = false;
  /** Have something to send, and no window or no room for it. */
  readonly #blocked = new Set<ServerStream>();
  readonly #unheard = new Set<number>();
  readonly #patience: Patience;
  #greeted = 0;
  #hasSettings = false;
  #areOursHeard = false;
  #isLeaving = false;
  #isClosed = false;
  #lastStream = 0;
  #sendWindow = defaultWindow;
  #receiveWindow = sessionWindow;
  #unconfirmed = 0;
  #headers: HeaderParts | undefined;
  #timer: { cancel(): void } | undefined;
  #wasUsed = false;

  constructor(socket: Socket, options: ServerSessionOptions) {
    this.#socket = socket;
    this.#options = options;
    this.#patience = new Patience(options.clock);
    this.#out = new Outbox(socket, () => this.#onRoom());
    this.#out.put(encodeSettings([[setting.maxConcurrentStreams, options.maxStreams], [setting.initialWindowSize, streamWindow], [setting.maxHeaderListSize, maxHeaderBytes]]));
    this.#out.put(encodeNumber(frameType.windowUpdate, 0, sessionWindow - defaultWindow));
    socket.on("data", (chunk: Buffer) => this.#read(chunk));
    socket.on("error", () => socket.destroy());
    socket.once("close", () => this.#onClose());
    this.#timer = options.clock.setTimer(greetingMs, () => (this.#hasSettings ? this.#watchIdle() : socket.destroy()));
  }

  /** No further requests; those under way are answered, and then the connection ends. */
  close(): void {
    if (this.#isLeaving || this.#isClosed) return;
    this.#isLeaving = true;
    this.#out.put(encodeGoAway(this.#lastStream, errorCode.noError));
    this.#endIfDone();
  }

  sendHead(stream: ServerStream, status: number, headers: ResponseHeaders, end: boolean): void {
    const block = this.#compressor.encode(status, headers);
    for (let offset = 0; offset === 0 || offset < block.length; offset += defaultFrameBytes) {
      const length = Math.min(defaultFrameBytes, block.length - offset);
      const flags = (offset + length >= block.length ? flag.endHeaders : 0) | (end && offset === 0 ? flag.endStream : 0);
      this.#out.frame(offset === 0 ? frameType.headers : frameType.continuation, flags, stream.id, block, offset, length);
    }
  }

  pump(stream: ServerStream): void {
    this.#pump(stream, Number.POSITIVE_INFINITY);
  }

  /** Sends what both windows and the outbox allow, and `most` bytes at the most. @returns whether that was anything */
  #pump(stream: ServerStream, most: number): boolean {
    let left = most;
    for (let data = stream.next; data; data = stream.next) {
      const length = Math.min(data.length, stream.sendWindow, this.#sendWindow, defaultFrameBytes, left);
      if (length <= 0 || this.#out.isCrowded) {
        this.#blocked.add(stream);
        return left < most;
      }
      this.#sendData(stream, data, length);
      left -= length;
    }
    if (stream.owesEnd) this.#sendData(stream, nothing, 0);
    this.#blocked.delete(stream);
    stream.afterSending();
    return true;
  }

  #sendData(stream: ServerStream, data: Uint8Array, length: number): void {
    stream.sendWindow -= length;
    this.#sendWindow -= length;
    this.#out.frame(frameType.data, stream.sent(length) ? flag.endStream : 0, stream.id, data, 0, length);
  }

  /** In turns: a long answer does not keep the others waiting. */
  #pumpBlocked(): void {
    for (let moved = true; moved && this.#blocked.size > 0; ) {
      moved = false;
      let left = this.#blocked.size;
      for (const stream of this.#blocked) {
        if (left-- === 0) break;
        if (this.#out.isCrowded || this.#sendWindow <= 0) return;
        this.#blocked.delete(stream); // and, if it still has something, last in the row
        moved = this.#pump(stream, shareBytes) || moved;
      }
    }
  }

  #onRoom(): void {
    this.#pumpBlocked();
    if (this.#reader.backlog > 0 || this.#fresh) this.#enlist();
    this.#regulate();
  }

  credit(stream: ServerStream, bytes: number): void {
    stream.held -= bytes;
    this.#creditSession(bytes);
    if (stream.hasEnded || stream.isOver) return;
    stream.unconfirmed += bytes;
    if (stream.unconfirmed < streamWindow / 2) return;
    this.#out.put(encodeNumber(frameType.windowUpdate, stream.id, stream.unconfirmed));
    stream.receiveWindow += stream.unconfirmed;
    stream.unconfirmed = 0;
  }

  #creditSession(bytes: number): void {
    this.#unconfirmed += bytes;
    if (this.#unconfirmed < sessionWindow / 2) return;
    this.#out.put(encodeNumber(frameType.windowUpdate, 0, this.#unconfirmed));
    this.#receiveWindow += this.#unconfirmed;
    this.#unconfirmed = 0;
  }

  sendReset(stream: ServerStream, code: number): void {
    this.#out.put(encodeNumber(frameType.reset, stream.id, code));
    if (!stream.hasEnded) this.#passOver(stream.id);
  }

  #passOver(id: number): void {
    for (const oldest of this.#unheard) {
      if (this.#unheard.size < mostUnheard) break;
      this.#unheard.delete(oldest);
    }
    this.#unheard.add(id);
  }

  over(stream: ServerStream): void {
    this.#streams.delete(stream.id);
    this.#blocked.delete(stream);
    if (stream.held > 0) this.#creditSession(stream.held);
    this.#endIfDone();
  }

  /** All is answered: now it is the client's to hang up. */
  #endIfDone(): void {
    if (!this.#isLeaving || this.#isClosed || this.#streams.size > 0) return;
    this.#timer?.cancel();
    this.#timer = this.#options.clock.setTimer(farewellMs, () => this.end());
  }

  /** Ends the connection behind what is under way to the client. One that does not hang up then is not waited for. */
  end(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#out.flush();
    this.#timer?.cancel();
    this.#socket.end(() => (this.#timer = this.#options.clock.setTimer(farewellMs, () => this.#socket.destroy())));
    this.#regulate();
  }

  #watchIdle(): void {
    this.#timer = this.#options.clock.setTimer(idleMs, () => {
      if (!this.#wasUsed && this.#streams.size === 0) return this.close();
      this.#wasUsed = false;
      this.#watchIdle();
    });
  }

  #onClose(): void {
    this.#isClosed = true;
    this.#timer?.cancel();
    for (const stream of this.#streams.values()) stream.cut();
    this.#options.onClose();
  }

  #read(chunk: Buffer): void {
    if (this.#isClosed) return; // we have said goodbye; what still comes is not heard
    this.#wasUsed = true;
    this.#reader.push(chunk);
    this.#enlist();
    this.#regulate();
  }

  #enlist(): void {
    if (this.#isEnlisted) return;
    this.#isEnlisted = true;
    this.#options.turns.enlist(this);
  }

  /** Requests wait as the bytes that they came in: thousands of them cost nothing but room. Those that are served together are answered in one write. */
  serve(until: number): boolean {
    this.#out.hold();
    try {
      let more = this.#serveOne();
      for (let served = 1; more && served < mostAtOnce && this.#options.clock.monotonic() < until; served += 1) more = this.#serveOne();
      this.#isEnlisted = more;
    } catch (error) {
      this.#isEnlisted = false;
      this.#fail(error);
    } finally {
      this.#out.release();
    }
    this.#regulate();
    return this.#isEnlisted;
  }

  /** @returns whether there is more to do */
  #serveOne(): boolean {
    if (this.#greeted < preface.length && !this.#greet()) return false;
    for (let frames = 0; frames < mostFrames; frames += 1) {
      if (this.#out.isStuffed) return false; // until there is room
      const type = this.#isClosed ? undefined : this.#reader.peekType();
      if (this.#fresh && (type === undefined || (type === frameType.headers && this.#reader.peekStream() !== this.#fresh.id))) {
        this.#tellFresh();
        return type !== undefined;
      }
      if (type === undefined) return false;
      this.#onFrame(this.#reader.next()!);
    }
    return true;
  }

  /** Who does not read answers, or sends faster than it is served, is not read for a while. */
  #regulate(): void {
    const isTooMuch = !this.#isClosed && (this.#out.isStuffed || this.#reader.backlog > backlogBytes);
    if (isTooMuch === this.#socket.isPaused()) return;
    if (isTooMuch) this.#socket.pause();
    else this.#socket.resume();
  }

  /** @returns whether it is complete */
  #greet(): boolean {
    const bytes = this.#reader.take(preface.length - this.#greeted);
    if (bytes.compare(preface, this.#greeted, this.#greeted + bytes.length) !== 0) throw new Http2Error(errorCode.protocolError, "the client does not speak HTTP/2");
    this.#greeted += bytes.length;
    return this.#greeted === preface.length;
  }

  #tellFresh(): void {
    const stream = this.#fresh!;
    this.#fresh = undefined;
    if (!stream.isOver) this.#options.onRequest(stream);
  }

  /** The connection cannot go on. */
  #fail(error: unknown): void {
    const code = error instanceof Http2Error ? error.code : errorCode.internalError;
    this.#out.put(encodeGoAway(this.#lastStream, code));
    for (const stream of this.#streams.values()) stream.cut();
    this.end();
    if (!(error instanceof Http2Error)) throw error; // a mistake of ours
  }

  #onFrame(frame: Frame): void {
    try {
      this.#take(frame);
    } catch (error) {
      if (!(error instanceof Http2Error) || error.stream === undefined) throw error;
      this.#refuse(error.stream, error.code);
    }
  }

  #refuse(id: number, code: number): void {
    const stream = this.#streams.get(id);
    if (stream) return stream.reset(code);
    this.#out.put(encodeNumber(frameType.reset, id, code));
  }

  #take(frame: Frame): void {
    checkFrame(frame);
    if (!this.#hasSettings && frame.type !== frameType.settings) throw new Http2Error(errorCode.protocolError, "the client begins without settings");
    if (this.#headers && (frame.type !== frameType.continuation || frame.stream !== this.#headers.stream)) throw new Http2Error(errorCode.protocolError, "headers are interrupted by another frame");
    switch (frame.type) {
      case frameType.data:
        return this.#onData(frame);
      case frameType.headers:
        this.#headers = { stream: frame.stream, end: (frame.flags & flag.endStream) !== 0, dependsOnItself: (frame.flags & flag.priority) !== 0 && dependencyOf(frame) === frame.stream, parts: [], length: 0 };
        return this.#onHeaderPart(this.#headers, frame, withoutPadding(frame));
      case frameType.continuation:
        if (!this.#headers) throw new Http2Error(errorCode.protocolError, "a continuation has nothing to continue");
        return this.#onHeaderPart(this.#headers, frame, frame.payload);
      case frameType.priority:
        if (dependencyOf(frame) === frame.stream) throw new Http2Error(errorCode.protocolError, "a stream cannot depend on itself", frame.stream);
        return;
      case frameType.reset:
        return this.#onReset(frame);
      case frameType.settings:
        return this.#onSettings(frame);
      case frameType.ping:
        if ((frame.flags & flag.ack) === 0) this.#out.frame(frameType.ping, flag.ack, 0, frame.payload);
        return;
      case frameType.windowUpdate:
        return this.#onWindowUpdate(frame);
      case frameType.goAway:
        return this.close();
      case frameType.pushPromise:
        throw new Http2Error(errorCode.protocolError, "clients do not push");
    }
  }

  #onHeaderPart(headers: HeaderParts, { flags }: Frame, part: Buffer): void {
    headers.parts.push(part);
    headers.length += part.length;
    if (headers.length > maxHeaderBytes || headers.parts.length > mostContinuations) throw new Http2Error(errorCode.protocolError, "headers are too long");
    if ((flags & flag.endHeaders) === 0) return;
    this.#headers = undefined;
    // Read in any case: later headers refer to these.
    const list = this.#hpack.decode(headers.parts.length === 1 ? part : Buffer.concat(headers.parts));
    if (headers.stream > this.#lastStream) this.#open(headers, list);
    else this.#onTrailers(headers, list);
  }

  #open({ stream: id, end, dependsOnItself }: HeaderParts, headers: Header[] | undefined): void {
    if (id % 2 === 0) throw new Http2Error(errorCode.protocolError, `a client cannot open stream ${id}`);
    if (this.#isLeaving) return; // it has been told which was the last that counts
    this.#lastStream = id;
    if (!end) this.#passOver(id); // until it is known to be heard
    if (this.#streams.size >= this.#options.maxStreams) throw new Http2Error(errorCode.refusedStream, "there are too many requests at once", id);
    if (dependsOnItself) throw new Http2Error(errorCode.protocolError, "a stream cannot depend on itself", id);
    const fault = headers && faultOfRequest(headers);
    if (fault !== undefined) throw new Http2Error(errorCode.protocolError, `a request is malformed: ${fault}`, id);
    this.#unheard.delete(id);
    const stream = new ServerStream(this, { id, headers: headers ?? [], hasBody: !end, sendWindow: this.#peer.initialWindow, receiveWindow: streamWindow });
    this.#streams.set(id, stream);
    const misplaced = headers && findMisplacedHeader(headers);
    if (!headers) this.#options.onRefused(stream, 431, "headers are too long");
    else if (misplaced !== undefined) this.#options.onRefused(stream, 400, misplaced);
    else this.#fresh = stream;
  }

  #onTrailers({ stream: id, end }: HeaderParts, headers: Header[] | undefined): void {
    const stream = this.#streams.get(id);
    if (!stream) {
      if (!this.#unheard.has(id)) throw new Http2Error(errorCode.protocolError, `stream ${id} is closed`);
      if (end) this.#unheard.delete(id);
      return;
    }
    if (stream.hasEnded) throw new Http2Error(errorCode.streamClosed, "the request was complete already", id);
    if (!end || !headers || faultOfTrailers(headers) !== undefined) throw new Http2Error(errorCode.protocolError, "trailers are malformed", id);
    stream.receiveEnd();
  }

  #onData(frame: Frame): void {
    const { stream: id, payload } = frame;
    const isEnd = (frame.flags & flag.endStream) !== 0;
    this.#receiveWindow -= payload.length;
    if (this.#receiveWindow < 0) throw new Http2Error(errorCode.flowControlError, "the client sends more than the connection's window allows");
    const data = withoutPadding(frame);
    const stream = this.#streams.get(id);
    if (!stream || stream.hasEnded) {
      this.#mustBeKnown(id, "data");
      this.#creditSession(payload.length);
      if (id <= this.#lastStream && !this.#unheard.has(id)) throw new Http2Error(errorCode.streamClosed, "data behind the end of a request", id);
      if (isEnd) this.#unheard.delete(id);
      return;
    }
    stream.held += payload.length;
    stream.receiveWindow -= payload.length;
    if (stream.receiveWindow < 0) throw new Http2Error(errorCode.flowControlError, "the client sends more than the stream's window allows", id);
    if (payload.length > data.length) this.credit(stream, payload.length - data.length);
    stream.receive(data);
    if (isEnd && !stream.isOver) stream.receiveEnd();
  }

  #onReset({ stream: id }: Frame): void {
    this.#mustBeKnown(id, "a reset");
    this.#unheard.delete(id);
    const stream = this.#streams.get(id);
    if (!stream) return;
    stream.cut();
    if (!this.#patience.bears()) throw new Http2Error(errorCode.enhanceYourCalm, "the client gives up on too many requests");
  }

  #onSettings({ flags, payload }: Frame): void {
    if ((flags & flag.ack) !== 0) {
      if (this.#areOursHeard) throw new Http2Error(errorCode.protocolError, "settings are confirmed that were not sent");
      this.#areOursHeard = true;
      return;
    }
    const before = this.#peer.initialWindow;
    this.#peer.apply(payload);
    this.#hasSettings = true;
    this.#compressor.limitTable(this.#peer.headerTableSize);
    // Counts for the streams that are open, too, and may make their windows negative.
    for (const stream of this.#streams.values()) {
      stream.sendWindow += this.#peer.initialWindow - before;
      if (stream.sendWindow > maxWindow) throw new Http2Error(errorCode.flowControlError, "a window is out of bounds");
    }
    this.#out.put(settingsHeard);
    this.#pumpBlocked();
  }

  #onWindowUpdate({ stream: id, payload }: Frame): void {
    const more = payload.readUInt32BE(0) & maxWindow;
    if (id === 0) {
      if (more === 0) throw new Http2Error(errorCode.protocolError, "a window is enlarged by nothing");
      this.#sendWindow += more;
      if (this.#sendWindow > maxWindow) throw new Http2Error(errorCode.flowControlError, "a window is out of bounds");
      return this.#pumpBlocked();
    }
    this.#mustBeKnown(id, "a window update");
    const stream = this.#streams.get(id);
    if (!stream) return;
    if (more === 0) throw new Http2Error(errorCode.protocolError, "a window is enlarged by nothing", id);
    stream.sendWindow += more;
    if (stream.sendWindow > maxWindow) throw new Http2Error(errorCode.flowControlError, "a window is out of bounds", id);
    if (this.#blocked.has(stream)) this.pump(stream);
  }

  /** Of streams that nobody opened there is nothing to say. */
  #mustBeKnown(id: number, what: string): void {
    if (id > this.#lastStream && !this.#isLeaving) throw new Http2Error(errorCode.protocolError, `${what} on stream ${id}, which nobody opened`);
  }
}

/** The parts of a block of headers, as they come. */
interface HeaderParts {
  readonly stream: number;
  readonly end: boolean;
  readonly dependsOnItself: boolean;
  readonly parts: Buffer[];
  length: number;
}

const nothing = new Uint8Array(0);
const settingsHeard = allocateFrame(frameType.settings, flag.ack, 0, 0);

/** On which stream this one is said to depend. */
const dependencyOf = ({ type, flags, payload }: Frame): number => {
  const at = type === frameType.headers && (flags & flag.padded) !== 0 ? 1 : 0;
  return payload.length < at + 4 ? 0 : payload.readUInt32BE(at) & maxStreamId;
};
