import type { Socket } from "node:net";
import type { Task } from "@coxswain/runtime/scheduler";
import { ConnectionTimer } from "./connection-timer.js";
import {
  encodeGoAway,
  encodeUint32Frame,
  type Frame,
  flag,
  frameType,
  maxWindow,
  settingsAck,
  withoutPadding,
} from "./frame.js";
import { FrameRateLimiter } from "./frame-rate-limiter.js";
import { FrameReceiver } from "./frame-receiver.js";
import type { Header } from "./header.js";
import { dependencyOf, type HeaderBlock } from "./header-block-assembler.js";
import { errorCode, Http2Error } from "./http2-error.js";
import { ReceiveFlowControl } from "./receive-flow-control.js";
import { noReceiveWindow, ReceiveWindow } from "./receive-window.js";
import { RecentIds } from "./recent-ids.js";
import { findConnectionHeader, findOpenError, findTrailersError } from "./request-rules.js";
import { ResponseSender } from "./response-sender.js";
import * as limits from "./server-limits.js";
import type { ServerSessionOptions } from "./server-session-options.js";
import { type ResponseHeaders, ServerStream, type ServerStreamSession } from "./server-stream.js";
import { WriteBuffer } from "./write-buffer.js";

/**
 * The server side of an HTTP/2 connection (RFC 9113), made for many concurrent streams: requests that wait for the scheduler are
 * unparsed bytes, and the responses of one time slice are one write. No server push, no priorities.
 */
export class ServerSession implements ServerStreamSession, Task {
  /** The user, once authenticated: connections of one user share one flow. */
  flow: string | undefined;
  readonly #socket: Socket;
  readonly #options: ServerSessionOptions;
  readonly #sizes: limits.SessionSizes;
  readonly #receiver: FrameReceiver;
  readonly #out: WriteBuffer;
  readonly #sender: ResponseSender;
  readonly #streams = new Map<number, ServerStream>();
  #isScheduled = false;
  /**
   * Its HEADERS were received. It is begun when the next frame is of another stream, or has not arrived: frames that
   * make the request malformed, or reset it, come first, as in Go's server.
   */
  #unbegun: ServerStream | undefined;
  /**
   * A request continues in promise jobs. They count in its time slice only if they run before more is begun: without
   * this, another user's GET takes three times as long beside a flood of creates.
   */
  #hasBegun = false;
  /** Streams closed here before END_STREAM was received: frames that still arrive on them are ignored. */
  readonly #ignoredStreams = new RecentIds(1000);
  readonly #resetLimiter: FrameRateLimiter;
  readonly #emptyDataLimiter: FrameRateLimiter;
  #hasSettingsAck = false;
  /** Set by `close`: streams up to this one are still served. */
  #lastAcceptedStream: number | undefined;
  #hasSentGoAway = false;
  #isClosed = false;
  #lastStream = 0;
  readonly #receiveFlow: ReceiveFlowControl;
  readonly #timer: ConnectionTimer;

  constructor(socket: Socket, options: ServerSessionOptions) {
    this.#socket = socket;
    this.#options = options;
    this.#sizes = options.sizes ?? limits.defaultSizes(options.maxStreams);
    this.#receiver = new FrameReceiver(this.#sizes);
    this.#resetLimiter = new FrameRateLimiter(options.clock);
    this.#emptyDataLimiter = new FrameRateLimiter(options.clock);
    this.#out = new WriteBuffer(socket, () => this.#onDrain());
    this.#sender = new ResponseSender(this.#out);
    this.#out.put(limits.serverSettings(options.maxStreams, this.#sizes));
    this.#receiveFlow = new ReceiveFlowControl(this.#out, this.#sizes.connectionWindow);
    socket.on("data", (chunk: Buffer) => this.#read(chunk));
    socket.on("error", () => socket.destroy());
    socket.once("close", () => this.#onClose());
    this.#timer = new ConnectionTimer(options.clock);
    this.#timer.start({
      hasReceivedSettings: () => this.#receiver.hasSettings,
      isBusy: () => this.#streams.size > 0,
      onPrefaceTimeout: () => socket.destroy(),
      onIdle: () => this.close(),
    });
  }

  /** Graceful shutdown: what has been received is served, then GOAWAY is sent and the connection closed. */
  close(): void {
    if (this.#hasSentGoAway || this.#isClosed) return;
    if (this.#isScheduled) this.#lastAcceptedStream ??= this.#lastStream + 2 * limits.maxStreamsAfterClose;
    else this.#sendGoAway();
  }

  /** Sends GOAWAY now: requests that were not begun are left to the client to retry, open streams are completed. */
  closeNow(): void {
    if (this.#hasSentGoAway || this.#isClosed) return;
    this.#unbegun?.reset(errorCode.refusedStream);
    this.#sendGoAway();
  }

  #sendGoAway(): void {
    this.#hasSentGoAway = true;
    this.#out.put(encodeGoAway(this.#lastStream, errorCode.noError));
    this.#closeWhenDone();
  }

  /** Streams that are open. */
  get open(): number {
    return this.#streams.size;
  }

  /** Received and not processed, or written and not sent. */
  get heldBytes(): number {
    return this.#receiver.backlog + this.#socket.writableLength;
  }

  sendHeaders(stream: ServerStream, status: number | undefined, headers: ResponseHeaders, end: boolean): void {
    this.#sender.sendHeaders(stream, status, headers, end);
  }

  pump(stream: ServerStream): void {
    this.#sender.pump(stream);
  }

  #onDrain(): void {
    this.#sender.pumpBlocked();
    if (this.#receiver.backlog > 0 || this.#unbegun) this.#schedule();
    this.#applyBackpressure();
  }

  credit(stream: ServerStream, bytes: number): void {
    this.#receiveFlow.credit(stream, bytes);
  }

  sendReset(stream: ServerStream, code: number): void {
    this.#out.put(encodeUint32Frame(frameType.reset, stream.id, code));
    if (!stream.hasReceivedEnd) this.#ignoredStreams.add(stream.id);
  }

  resetLater({ id }: ServerStream): void {
    this.#ignoredStreams.add(id);
    this.#options.clock.setTimer(limits.resetDelayMs, () => {
      if (this.#ignoredStreams.has(id) && !this.#isClosed)
        this.#out.put(encodeUint32Frame(frameType.reset, id, errorCode.noError));
    });
  }

  streamClosed(stream: ServerStream): void {
    if (this.#unbegun === stream) this.#unbegun = undefined;
    this.#streams.delete(stream.id);
    this.#sender.remove(stream);
    this.#receiveFlow.remove(stream);
    this.#closeWhenDone();
  }

  /** After GOAWAY and the last response the client has a moment to close the connection. */
  #closeWhenDone(): void {
    if (!this.#hasSentGoAway || this.#isClosed || this.#streams.size > 0) return;
    this.#timer.closeAfterGrace(() => this.end());
  }

  /** Closes the connection after flushing its output; destroys it if the client does not close in time. */
  end(): void {
    if (this.#isClosed) return;
    this.#unbegun?.reset(errorCode.refusedStream);
    if (!this.#hasSentGoAway) this.#out.put(encodeGoAway(this.#lastStream, errorCode.noError));
    this.#isClosed = true;
    this.#out.flush();
    this.#timer.cancel();
    this.#socket.end(() => this.#timer.closeAfterGrace(() => this.#socket.destroy()));
    this.#applyBackpressure();
  }

  #onClose(): void {
    this.#isClosed = true;
    this.#timer.cancel();
    for (const stream of this.#streams.values()) stream.abort();
    this.#options.onClose();
  }

  #read(chunk: Buffer): void {
    if (this.#isClosed) return; // after GOAWAY and end of output: input is ignored
    this.#timer.noteActivity();
    this.#receiver.push(chunk);
    this.#schedule();
    this.#applyBackpressure();
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    this.#options.scheduler.schedule(this);
  }

  /** Processes frames while there is time, or until a request has begun that continues asynchronously. */
  run(hasTime: () => boolean): boolean {
    this.#out.cork();
    try {
      this.#hasBegun = false;
      let more = this.#takeFrame();
      while (more && !this.#hasBegun && hasTime()) more = this.#takeFrame();
      this.#isScheduled = more;
      if (this.#lastAcceptedStream !== undefined && !more && !this.#hasSentGoAway && !this.#isClosed)
        this.#sendGoAway();
    } catch (error) {
      this.#isScheduled = false;
      this.#fail(error);
    } finally {
      // A connection with more to do is corked until the next iteration, so that its responses are one write.
      this.#out.uncork(this.#isScheduled ? "in the next iteration" : "now");
    }
    this.#applyBackpressure();
    return this.#isScheduled;
  }

  /** Backpressure: a client that sends faster than it is served, or does not read its responses, is not read from. */
  #applyBackpressure(): void {
    const isOver = !this.#isClosed && (this.#out.isOverLimit || this.#receiver.backlog > limits.maxBacklogBytes);
    if (isOver === this.#socket.isPaused()) return;
    if (isOver) this.#socket.pause();
    else this.#socket.resume();
  }

  /** Connection error: GOAWAY with its code. */
  #fail(error: unknown): void {
    const code = error instanceof Http2Error ? error.code : errorCode.internalError;
    this.#out.put(encodeGoAway(this.#lastStream, code));
    this.#hasSentGoAway = true;
    for (const stream of this.#streams.values()) stream.abort();
    this.end();
    if (!(error instanceof Http2Error)) throw error; // a bug of this server
  }

  /** @returns false: there is no whole frame, or no room for the response */
  #takeFrame(): boolean {
    if (this.#isClosed || this.#out.isOverLimit) return false;
    const hasFrame = this.#receiver.peekType() !== undefined;
    const stream = this.#unbegun;
    if (stream && !(hasFrame && this.#receiver.peekStream() === stream.id)) {
      this.#unbegun = undefined;
      this.#begin(stream);
      return hasFrame;
    }
    if (!hasFrame) return false;
    try {
      this.#onFrame(this.#receiver.next());
    } catch (error) {
      if (!(error instanceof Http2Error) || error.stream === undefined) throw error;
      this.#resetStream(error.stream, error.code);
      // A reset that the client provokes counts like its own (MadeYouReset, CVE-2025-8671).
      this.#countReset();
    }
    return true;
  }

  #resetStream(id: number, code: number): void {
    const stream = this.#streams.get(id);
    if (stream) return stream.reset(code);
    this.#out.put(encodeUint32Frame(frameType.reset, id, code));
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
          throw new Http2Error(errorCode.protocolError, "a stream depends on itself", frame.stream);
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
        return this.#hasSentGoAway ? undefined : this.#sendGoAway();
      case frameType.pushPromise:
        throw new Http2Error(errorCode.protocolError, "PUSH_PROMISE from a client");
    }
  }

  #onHeaders(frame: Frame): void {
    const read = this.#receiver.readHeaders(frame);
    if (!read) return;
    const { block, headers } = read;
    if (block.stream > this.#lastStream) this.#open(block, headers);
    else this.#onTrailers(block, headers);
  }

  #open(block: HeaderBlock, headers: Header[] | undefined): void {
    const { stream: id, isEnd } = block;
    if (id % 2 === 0) throw new Http2Error(errorCode.protocolError, `a client opened stream ${id}, which is even`);
    if (this.#lastAcceptedStream !== undefined && id > this.#lastAcceptedStream && !this.#hasSentGoAway)
      this.#sendGoAway();
    if (this.#hasSentGoAway) return; // above the last stream id in GOAWAY: ignored
    this.#lastStream = id;
    const refusal =
      this.#streams.size >= this.#options.maxStreams
        ? new Http2Error(errorCode.refusedStream, "SETTINGS_MAX_CONCURRENT_STREAMS is exceeded", id)
        : findOpenError(block, headers);
    if (refusal) {
      if (!isEnd) this.#ignoredStreams.add(id);
      throw refusal;
    }
    const stream = new ServerStream(this, {
      id,
      headers: headers ?? [],
      hasBody: !isEnd,
      sendWindow: this.#sender.initialWindow,
      receiveWindow: isEnd ? noReceiveWindow : new ReceiveWindow(this.#sizes.streamWindow),
    });
    this.#streams.set(id, stream);
    const connectionHeader = headers && findConnectionHeader(headers);
    if (!headers) this.#options.onRefused(stream, 431, "headers are too long");
    else if (connectionHeader !== undefined) this.#options.onRefused(stream, 400, connectionHeader);
    else this.#unbegun = stream;
  }

  #begin(stream: ServerStream): void {
    this.#options.onRequest(stream);
    this.#hasBegun ||= stream.hasReceivedEnd && !stream.hasSentHeaders;
  }

  #endBody(stream: ServerStream, trailers: readonly Header[] = []): void {
    stream.receiveEnd(trailers);
    this.#hasBegun ||= stream !== this.#unbegun;
  }

  #onTrailers({ stream: id, isEnd }: HeaderBlock, headers: Header[] | undefined): void {
    const stream = this.#streams.get(id);
    if (!stream) {
      if (!this.#ignoredStreams.has(id)) throw new Http2Error(errorCode.protocolError, `stream ${id} is closed`);
      if (isEnd) this.#ignoredStreams.delete(id);
      return;
    }
    if (stream.hasReceivedEnd) throw new Http2Error(errorCode.streamClosed, "HEADERS after END_STREAM", id);
    if (!isEnd || !headers || findTrailersError(headers) !== undefined)
      throw new Http2Error(errorCode.protocolError, "malformed trailers", id);
    this.#endBody(stream, headers);
  }

  #onData(frame: Frame): void {
    const { stream: id, payload } = frame;
    const isEnd = (frame.flags & flag.endStream) !== 0;
    this.#receiveFlow.receive(payload.length);
    const data = withoutPadding(frame);
    if (data.length === 0 && !isEnd && !this.#emptyDataLimiter.allow())
      throw new Http2Error(errorCode.enhanceYourCalm, "the client sends too many DATA frames without data");
    const stream = this.#streams.get(id);
    if (!stream || stream.hasReceivedEnd) {
      this.#requireOpened(id, "DATA");
      this.#receiveFlow.creditConnection(payload.length);
      if (id <= this.#lastStream && !this.#ignoredStreams.has(id))
        throw new Http2Error(errorCode.streamClosed, "DATA after END_STREAM", id);
      if (isEnd) this.#ignoredStreams.delete(id);
      return;
    }
    this.#receiveFlow.receiveOnStream(stream, payload.length);
    if (payload.length > data.length) this.credit(stream, payload.length - data.length);
    stream.receive(data);
    if (isEnd && !stream.isClosed) this.#endBody(stream);
  }

  #onReset({ stream: id }: Frame): void {
    this.#requireOpened(id, "RST_STREAM");
    this.#ignoredStreams.delete(id);
    const stream = this.#streams.get(id);
    if (!stream) return;
    stream.abort();
    this.#countReset();
  }

  #countReset(): void {
    if (!this.#resetLimiter.allow())
      throw new Http2Error(errorCode.enhanceYourCalm, "the client resets too many streams");
  }

  #onSettings({ flags, payload }: Frame): void {
    if ((flags & flag.ack) !== 0) {
      if (this.#hasSettingsAck)
        throw new Http2Error(errorCode.protocolError, "SETTINGS with ACK that acknowledges nothing");
      return void (this.#hasSettingsAck = true);
    }
    this.#sender.applySettings(payload, [...this.#streams.values()]);
    this.#receiver.hasSettings = true;
    this.#out.put(settingsAck);
    this.#sender.pumpBlocked();
  }

  #onWindowUpdate({ stream: id, payload }: Frame): void {
    const more = payload.readUInt32BE(0) & maxWindow;
    if (id === 0) return this.#sender.increaseWindow(more);
    this.#requireOpened(id, "WINDOW_UPDATE");
    const stream = this.#streams.get(id);
    if (stream) this.#sender.increaseStreamWindow(stream, more);
  }

  /** @throws Http2Error for a frame on an idle stream (RFC 9113, section 5.1) */
  #requireOpened(id: number, what: string): void {
    if (id > this.#lastStream && !this.#hasSentGoAway)
      throw new Http2Error(errorCode.protocolError, `${what} on stream ${id}, which is idle`);
  }
}
