import { Duplex } from "node:stream";
import { UnreadBytes } from "../bytes/index.js";
import type { WebSocketConnection } from "./websocket.js";

/** Several streams over one WebSocket: each message begins with the number of its channel. */
export interface ChannelProtocol {
  /** As bytes, or as text: the number as a digit, then base64. */
  readonly codec: "binary" | "base64";
  /** Whether a channel can be ended alone, by a message of 255 and its number. */
  readonly endsChannels: boolean;
}

/** The subprotocols of this kind that are in use. */
export const channelProtocols: Readonly<Record<string, ChannelProtocol>> = {
  "": { codec: "binary", endsChannels: false },
  "channel.k8s.io": { codec: "binary", endsChannels: false },
  "base64.channel.k8s.io": { codec: "base64", endsChannels: false },
  "v2.channel.k8s.io": { codec: "binary", endsChannels: false },
  "v3.channel.k8s.io": { codec: "binary", endsChannels: false },
  "v4.channel.k8s.io": { codec: "binary", endsChannels: false },
  "v4.base64.channel.k8s.io": { codec: "base64", endsChannels: false },
  "v5.channel.k8s.io": { codec: "binary", endsChannels: true },
};

/** Backpressure: so many bytes of a channel wait for its reader before the peer is not read from any more. */
const maxUnreadBytes = 64 * 1024;
const endSignal = 255;
const digitZero = 0x30;

export interface Channels {
  /** A stream in both directions; use the half that the protocol means. The same number gives the same stream. */
  channel(number: number): Duplex;
  /** Sends a message without content on a channel: clients take it for the sign that the connection is open. */
  announce(number: number): void;
  /** Closes the WebSocket once everything written has been sent. */
  close(code?: number, reason?: string): Promise<void>;
  /** When the WebSocket is gone. */
  readonly closed: Promise<{ readonly code: number; readonly reason: string; readonly wasClean: boolean }>;
}

/**
 * @param count channels 0 to `count` - 1; messages for others are passed over
 *
 * A channel that is not read blocks all of them: discard what is not wanted (`resume()`).
 */
export function openChannels(
  websocket: WebSocketConnection,
  { codec, endsChannels }: ChannelProtocol,
  count: number,
): Channels {
  const channels = Array.from(
    { length: count },
    (_, number) => new Channel(number, websocket, { codec, endsChannels }, () => relieve()),
  );
  const relieve = (): void => {
    if (channels.every((channel) => !channel.full)) websocket.resume();
  };
  const closed = new Promise<{ code: number; reason: string; wasClean: boolean }>((resolve) => {
    websocket.listen({
      onMessage(data) {
        if (data.length === 0) return;
        if (endsChannels && data[0] === endSignal) {
          if (data.length !== 2 || data[1]! >= count) websocket.close(1002, "an end signal names no channel");
          else channels[data[1]!]!.receiveEnd();
          return;
        }
        const channel = channels[codec === "base64" ? data[0]! - digitZero : data[0]!];
        const content = codec === "base64" ? Buffer.from(data.toString("latin1", 1), "base64") : data.subarray(1);
        if (channel && !channel.receive(content)) websocket.pause();
      },
      onClose(how) {
        for (const channel of channels) channel.disconnect();
        resolve(how);
      },
    });
  });
  return {
    channel: (number) => {
      const channel = channels[number];
      if (!channel) throw new RangeError(`there is no channel ${number}`);
      return channel;
    },
    closed,
    announce: (number) => void websocket.send(codec === "binary" ? Buffer.from([number]) : `${number}`),
    async close(code, reason) {
      await Promise.all(channels.map((channel) => channel.flushed()));
      websocket.close(code, reason);
      await closed;
    },
  };
}

class Channel extends Duplex {
  readonly #number: number;
  readonly #websocket: WebSocketConnection;
  readonly #protocol: ChannelProtocol;
  readonly #onRelief: () => void;
  readonly #unread = new UnreadBytes((bytes) => this.push(bytes));
  #open = true;
  #ended = false;

  constructor(number: number, websocket: WebSocketConnection, protocol: ChannelProtocol, onRelief: () => void) {
    super({ allowHalfOpen: true, autoDestroy: false, readableHighWaterMark: UnreadBytes.highWaterMark });
    this.#number = number;
    this.#websocket = websocket;
    this.#protocol = protocol;
    this.#onRelief = onRelief;
  }

  /** It has received more than its reader wants for now. */
  get full(): boolean {
    return this.#unread.length >= maxUnreadBytes && !this.#ended && !this.destroyed;
  }

  /** False when it has enough for now. */
  receive(content: Buffer): boolean {
    if (this.#ended || this.destroyed) return true;
    this.#unread.add(content);
    return !this.full;
  }

  receiveEnd(): void {
    if (this.#ended || this.destroyed) return;
    this.#ended = true;
    this.#unread.end();
    // Nothing more comes, so nothing needs to be held back on its account.
    this.#onRelief();
  }

  disconnect(): void {
    this.#open = false;
    this.receiveEnd();
  }

  /** Resolves when everything written so far is with the socket. */
  async flushed(): Promise<void> {
    if (this.writableLength > 0) await new Promise<void>((resolve) => this.write(Buffer.alloc(0), () => resolve()));
  }

  override _read(): void {
    const wasFull = this.full;
    this.#unread.ask();
    if (wasFull) this.#onRelief();
  }

  override _write(chunk: Buffer, _: BufferEncoding, done: (error?: Error) => void): void {
    if (!this.#open || chunk.length === 0) return done();
    const message =
      this.#protocol.codec === "binary"
        ? Buffer.concat([Buffer.from([this.#number]), chunk])
        : `${this.#number}${chunk.toString("base64")}`;
    if (this.#websocket.send(message)) done();
    else void this.#websocket.drained().then(() => done());
  }

  override _final(done: () => void): void {
    if (this.#open && this.#protocol.endsChannels) this.#websocket.send(Buffer.from([endSignal, this.#number]));
    done();
  }
}
