import type { Socket } from "node:net";
import type { Clock } from "../clock.js";
import type { Task, TaskScheduler } from "../task-scheduler.js";
import { AnswerSender } from "./answer-sender.js";
import { BodyCredit } from "./body-credit.js";
import { ConnectionTimer } from "./connection-timer.js";
import {
  allocateFrame,
  encodeGoAway,
  encodeNumber,
  encodeSettings,
  flag,
  type Frame,
  frameType,
  maxWindow,
  setting,
  withoutPadding,
} from "./frame.js";
import { FrameIntake } from "./frame-intake.js";
import type { Header } from "./header.js";
import { dependencyOf, type HeaderBlock } from "./header-gathering.js";
import { errorCode, Http2Error } from "./http2-error.js";
import { Outbox } from "./outbox.js";
import { Patience } from "./patience.js";
import { RecentIds } from "./recent-ids.js";
import { ReceiveWindow } from "./receive-window.js";
import { faultOfRequest, faultOfTrailers, findMisplacedHeader } from "./request-rules.js";
import { type ResponseHeaders, type ServerCarrier, ServerStream } from "./server-stream.js";

/** What kube-apiserver announces: most objects fit into one frame and one window. One slow upload does not hold up the others: there is a window for each. */
const streamWindow = 256 * 1024;
const maxFrameBytes = 256 * 1024;
/** As the protocol counts them, names and values with 32 bytes for each. */
const maxHeaderBytes = (1 << 20) + 320;
/** Requests that may have come with the one after which their connection ends. */
const mostLatecomers = 1000;
/** A client that is still sending sees its answer before it is told to stop: curl forgets the one for the other. */
const hushMs = 20;
/** Bytes that are read from the socket and not yet processed, at most: a whole frame must fit. */
const maxBacklogBytes = 2 * maxFrameBytes;

export interface ServerSessionOptions {
  /** Requests at once. */
  readonly maxStreams: number;
  readonly clock: Clock;
  /** Shared with other connections. */
  readonly scheduler: TaskScheduler;
  readonly onRequest: (stream: ServerStream) => void;
  /** A request that is not to be served, and only needs an answer: its headers are too long (431), and nothing is known of it, or are not for HTTP/2 (400). */
  readonly onRefused: (stream: ServerStream, status: 400 | 431, why: string) => void;
  /** Once, when the connection is gone. */
  readonly onClose: () => void;
}

/**
 * The server's side of an HTTP/2 connection (RFC 9113), made for many requests at once: those that wait for their turn are
 * only bytes, and what is answered in one turn goes out in one write. No push, no priorities.
 */
export class ServerSession implements ServerCarrier, Task {
  /** The user, once authenticated: connections of one user share one flow. */
  flow: string | undefined;
  readonly #socket: Socket;
  readonly #options: ServerSessionOptions;
  readonly #intake = new FrameIntake({ maxFrameBytes, maxHeaderBytes });
  readonly #out: Outbox;
  readonly #sender: AnswerSender;
  readonly #streams = new Map<number, ServerStream>();
  #isScheduled = false;
  /** A request goes on in promise jobs: these are to run, and count, before more is begun. */
  #hasBegun = false;
  /** Requests that we ended before their clients had said everything; what they still say is passed over. */
  readonly #unheard = new RecentIds(1000);
  readonly #patience: Patience;
  #areOursHeard = false;
  /** Requests up to this stream are served, though the connection is to end. */
  #lastWelcome: number | undefined;
  #isLeaving = false;
  #isClosed = false;
  #lastStream = 0;
  readonly #bodies: BodyCredit;
  readonly #timer: ConnectionTimer;

  constructor(socket: Socket, options: ServerSessionOptions) {
    this.#socket = socket;
    this.#options = options;
    this.#patience = new Patience(options.clock);
    this.#out = new Outbox(socket, () => this.#onRoom());
    this.#sender = new AnswerSender(this.#out);
    this.#out.put(
      encodeSettings([
        [setting.maxFrameSize, maxFrameBytes],
        [setting.maxConcurrentStreams, options.maxStreams],
        [setting.maxHeaderListSize, maxHeaderBytes],
        [setting.initialWindowSize, streamWindow],
      ]),
    );
    this.#bodies = new BodyCredit(this.#out, Math.min(streamWindow * options.maxStreams, maxWindow));
    socket.on("data", (chunk: Buffer) => this.#read(chunk));
    socket.on("error", () => socket.destroy());
    socket.once("close", () => this.#onClose());
    this.#timer = new ConnectionTimer(options.clock);
    this.#timer.watch({
      hasGreeted: () => this.#intake.hasSettings,
      isBusy: () => this.#streams.size > 0,
      onLate: () => socket.destroy(),
      onIdle: () => this.close(),
    });
  }

  /** No further requests; those that have come are answered, and then the connection ends. */
  close(): void {
    if (this.#isLeaving || this.#isClosed) return;
    if (this.#isScheduled) this.#lastWelcome ??= this.#lastStream + 2 * mostLatecomers;
    else this.#leave();
  }

  /** Nothing more is begun, not even what has come; what is under way is answered, and then the connection ends. */
  closeNow(): void {
    if (this.#isLeaving || this.#isClosed) return;
    this.#leave();
  }

  #leave(): void {
    this.#isLeaving = true;
    this.#out.put(encodeGoAway(this.#lastStream, errorCode.noError));
    this.#endIfDone();
  }

  sendHead(stream: ServerStream, status: number, headers: ResponseHeaders, end: boolean): void {
    this.#sender.head(stream, status, headers, end);
  }

  pump(stream: ServerStream): void {
    this.#sender.pump(stream);
  }

  #onRoom(): void {
    this.#sender.pumpBlocked();
    if (this.#intake.backlog > 0) this.#schedule();
    this.#regulate();
  }

  credit(stream: ServerStream, bytes: number): void {
    this.#bodies.credit(stream, bytes);
  }

  sendReset(stream: ServerStream, code: number): void {
    this.#out.put(encodeNumber(frameType.reset, stream.id, code));
    if (!stream.hasEnded) this.#unheard.add(stream.id);
  }

  hush({ id }: ServerStream): void {
    this.#unheard.add(id);
    this.#options.clock.setTimer(hushMs, () => {
      if (this.#unheard.has(id) && !this.#isClosed) this.#out.put(encodeNumber(frameType.reset, id, errorCode.noError));
    });
  }

  over(stream: ServerStream): void {
    this.#streams.delete(stream.id);
    this.#sender.forget(stream);
    this.#bodies.forget(stream);
    this.#endIfDone();
  }

  /** All is answered: now it is the client's to hang up. */
  #endIfDone(): void {
    if (!this.#isLeaving || this.#isClosed || this.#streams.size > 0) return;
    this.#timer.bidFarewell(() => this.end());
  }

  /** Ends the connection behind what is under way to the client. One that does not hang up then is not waited for. */
  end(): void {
    if (this.#isClosed) return;
    if (!this.#isLeaving) this.#out.put(encodeGoAway(this.#lastStream, errorCode.noError));
    this.#isClosed = true;
    this.#out.flush();
    this.#timer.cancel();
    this.#socket.end(() => this.#timer.bidFarewell(() => this.#socket.destroy()));
    this.#regulate();
  }

  #onClose(): void {
    this.#isClosed = true;
    this.#timer.cancel();
    for (const stream of [...this.#streams.values()]) stream.cut();
    this.#options.onClose();
  }

  #read(chunk: Buffer): void {
    if (this.#isClosed) return; // we have said goodbye; what still comes is not heard
    this.#timer.noteUse();
    this.#intake.push(chunk);
    this.#schedule();
    this.#regulate();
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    this.#options.scheduler.schedule(this);
  }

  /** Requests wait as the bytes that they came in: thousands of them cost nothing but room. Those that are served together are answered in one write. */
  run(deadline: number): boolean {
    this.#out.hold();
    try {
      this.#hasBegun = false;
      let more = this.#takeFrame();
      while (more && !this.#hasBegun && this.#options.clock.monotonic() < deadline) more = this.#takeFrame();
      this.#isScheduled = more;
      if (this.#lastWelcome !== undefined && !more && !this.#isLeaving && !this.#isClosed) this.#leave();
    } catch (error) {
      this.#isScheduled = false;
      this.#fail(error);
    } finally {
      // Who has more to come waits for others anyway.
      this.#out.release(this.#isScheduled ? "at the end of the turn" : "now");
    }
    this.#regulate();
    return this.#isScheduled;
  }

  /** Backpressure: a client that sends faster than it is served, or does not read its responses, is not read from. */
  #regulate(): void {
    const isOver = !this.#isClosed && (this.#out.isStuffed || this.#intake.backlog > maxBacklogBytes);
    if (isOver === this.#socket.isPaused()) return;
    if (isOver) this.#socket.pause();
    else this.#socket.resume();
  }

  /** The connection cannot go on. */
  #fail(error: unknown): void {
    const code = error instanceof Http2Error ? error.code : errorCode.internalError;
    this.#out.put(encodeGoAway(this.#lastStream, code));
    this.#isLeaving = true;
    for (const stream of [...this.#streams.values()]) stream.cut();
    this.end();
    if (!(error instanceof Http2Error)) throw error; // a mistake of ours
  }

  /** @returns false: there is no whole frame, or no room for the response */
  #takeFrame(): boolean {
    if (this.#isClosed || this.#out.isStuffed || this.#intake.peekType() === undefined) return false;
    try {
      this.#onFrame(this.#intake.next());
    } catch (error) {
      if (!(error instanceof Http2Error) || error.stream === undefined) throw error;
      this.#refuse(error.stream, error.code);
    }
    return true;
  }

  #refuse(id: number, code: number): void {
    const stream = this.#streams.get(id);
    if (stream) return stream.reset(code);
    this.#out.put(encodeNumber(frameType.reset, id, code));
  }

  #onFrame(frame: Frame): void {
    switch (frame.type) {
      case frameType.data:
        return this.#onData(frame);
      case frameType.headers:
      case frameType.continuation:
        return this.#onHeaders(frame);
      case frameType.priority:
        if (dependencyOf(frame) === frame.stream)
          throw new Http2Error(errorCode.protocolError, "a stream cannot depend on itself", frame.stream);
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
        return this.#isLeaving ? undefined : this.#leave();
      case frameType.pushPromise:
        throw new Http2Error(errorCode.protocolError, "clients do not push");
    }
  }

  #onHeaders(frame: Frame): void {
    const read = this.#intake.readHeaders(frame);
    if (!read) return;
    const { block, headers } = read;
    if (block.stream > this.#lastStream) this.#open(block, headers);
    else this.#onTrailers(block, headers);
  }

  #open({ stream: id, isEnd, dependsOnItself }: HeaderBlock, headers: Header[] | undefined): void {
    if (id % 2 === 0) throw new Http2Error(errorCode.protocolError, `a client cannot open stream ${id}`);
    if (this.#lastWelcome !== undefined && id > this.#lastWelcome && !this.#isLeaving) this.#leave();
    if (this.#isLeaving) return; // it has been told which was the last that counts
    this.#lastStream = id;
    const refusal = this.#refusalOf(id, headers, dependsOnItself);
    if (refusal) {
      if (!isEnd) this.#unheard.add(id);
      throw refusal;
    }
    const stream = new ServerStream(this, {
      id,
      headers: headers ?? [],
      hasBody: !isEnd,
      sendWindow: this.#sender.initialWindow,
      receiveWindow: isEnd ? closedWindow : new ReceiveWindow(streamWindow),
    });
    this.#streams.set(id, stream);
    const misplaced = headers && findMisplacedHeader(headers);
    if (!headers) this.#options.onRefused(stream, 431, "headers are too long");
    else if (misplaced !== undefined) this.#options.onRefused(stream, 400, misplaced);
    else this.#begin(stream);
  }

  #begin(stream: ServerStream): void {
    this.#options.onRequest(stream);
    this.#hasBegun ||= stream.hasEnded && !stream.hasHead;
  }

  #endBody(stream: ServerStream): void {
    stream.receiveEnd();
    this.#hasBegun = true;
  }

  #refusalOf(id: number, headers: Header[] | undefined, dependsOnItself: boolean): Http2Error | undefined {
    if (this.#streams.size >= this.#options.maxStreams)
      return new Http2Error(errorCode.refusedStream, "there are too many requests at once", id);
    if (dependsOnItself) return new Http2Error(errorCode.protocolError, "a stream cannot depend on itself", id);
    const fault = headers && faultOfRequest(headers);
    return fault === undefined
      ? undefined
      : new Http2Error(errorCode.protocolError, `a request is malformed: ${fault}`, id);
  }

  #onTrailers({ stream: id, isEnd }: HeaderBlock, headers: Header[] | undefined): void {
    const stream = this.#streams.get(id);
    if (!stream) {
      if (!this.#unheard.has(id)) throw new Http2Error(errorCode.protocolError, `stream ${id} is closed`);
      if (isEnd) this.#unheard.delete(id);
      return;
    }
    if (stream.hasEnded) throw new Http2Error(errorCode.streamClosed, "the request was complete already", id);
    if (!isEnd || !headers || faultOfTrailers(headers) !== undefined)
      throw new Http2Error(errorCode.protocolError, "trailers are malformed", id);
    this.#endBody(stream);
  }

  #onData(frame: Frame): void {
    const { stream: id, payload } = frame;
    const isEnd = (frame.flags & flag.endStream) !== 0;
    this.#bodies.receive(payload.length);
    const data = withoutPadding(frame);
    const stream = this.#streams.get(id);
    if (!stream || stream.hasEnded) {
      this.#mustBeKnown(id, "data");
      this.#bodies.creditAll(payload.length);
      if (id <= this.#lastStream && !this.#unheard.has(id))
        throw new Http2Error(errorCode.streamClosed, "data behind the end of a request", id);
      if (isEnd) this.#unheard.delete(id);
      return;
    }
    this.#bodies.receiveFor(stream, payload.length);
    if (payload.length > data.length) this.credit(stream, payload.length - data.length);
    stream.receive(data);
    if (isEnd && !stream.isOver) this.#endBody(stream);
  }

  #onReset({ stream: id }: Frame): void {
    this.#mustBeKnown(id, "a reset");
    this.#unheard.delete(id);
    const stream = this.#streams.get(id);
    if (!stream) return;
    stream.cut();
    if (!this.#patience.bears())
      throw new Http2Error(errorCode.enhanceYourCalm, "the client gives up on too many requests");
  }

  #onSettings({ flags, payload }: Frame): void {
    if ((flags & flag.ack) !== 0) {
      if (this.#areOursHeard)
        throw new Http2Error(errorCode.protocolError, "settings are confirmed that were not sent");
      return void (this.#areOursHeard = true);
    }
    this.#sender.applySettings(payload, [...this.#streams.values()]);
    this.#intake.hasSettings = true;
    this.#out.put(settingsHeard);
    this.#sender.pumpBlocked();
  }

  #onWindowUpdate({ stream: id, payload }: Frame): void {
    const more = payload.readUInt32BE(0) & maxWindow;
    if (id === 0) return this.#sender.enlarge(more);
    this.#mustBeKnown(id, "a window update");
    const stream = this.#streams.get(id);
    if (stream) this.#sender.enlargeFor(stream, more);
  }

  /** Of streams that nobody opened there is nothing to say. */
  #mustBeKnown(id: number, what: string): void {
    if (id > this.#lastStream && !this.#isLeaving)
      throw new Http2Error(errorCode.protocolError, `${what} on stream ${id}, which nobody opened`);
  }
}

/** Of streams whose client has said everything with the headers. */
const closedWindow = new ReceiveWindow(0);
const settingsHeard = allocateFrame(frameType.settings, flag.ack, 0, 0);
