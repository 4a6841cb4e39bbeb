import { type ConnectionOptions, connect, type TLSSocket } from "node:tls";
import { encodeHeaders } from "@coxswain/wire/http2";
import { decodeHeaders } from "./abuse-headers.test.support.js";

/** RFC 9113, sections 6 and 7. */
export const type = {
  data: 0,
  headers: 1,
  priority: 2,
  reset: 3,
  settings: 4,
  push: 5,
  ping: 6,
  goAway: 7,
  windowUpdate: 8,
  continuation: 9,
} as const;
export const flag = { none: 0, endStream: 1, ack: 1, endHeaders: 4, padded: 8, priority: 32 } as const;
const codes = [
  "NO_ERROR",
  "PROTOCOL_ERROR",
  "INTERNAL_ERROR",
  "FLOW_CONTROL_ERROR",
  "SETTINGS_TIMEOUT",
  "STREAM_CLOSED",
  "FRAME_SIZE_ERROR",
  "REFUSED_STREAM",
  "CANCEL",
  "COMPRESSION_ERROR",
  "CONNECT_ERROR",
  "ENHANCE_YOUR_CALM",
];

export type Fields = readonly (readonly [name: string, value: string])[];

/** What arrived, in order. */
export interface Seen {
  readonly type: number;
  readonly flags: number;
  readonly stream: number;
  readonly payload: Buffer;
}

export function frame(kind: number, flags: number, stream: number, payload: Uint8Array | string = ""): Buffer {
  const bytes = Buffer.from(payload as Uint8Array);
  const head = Buffer.alloc(9);
  head.writeUIntBE(bytes.length, 0, 3);
  head[3] = kind;
  head[4] = flags;
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, bytes]);
}

const number = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};

/** A whole request head; `flags`: whether a body follows. */
export const headers = (stream: number, fields: Fields, flags: number = flag.endStream | flag.endHeaders): Buffer =>
  frame(type.headers, flags, stream, encodeHeaders(fields));
export const data = (stream: number, bytes: Uint8Array | string, flags: number = flag.none): Buffer =>
  frame(type.data, flags, stream, bytes);
export const reset = (stream: number, code = 8): Buffer => frame(type.reset, 0, stream, number(code));
export const windowUpdate = (stream: number, by: number): Buffer => frame(type.windowUpdate, 0, stream, number(by));
export const goAway = (last: number, code = 0): Buffer =>
  frame(type.goAway, 0, 0, Buffer.concat([number(last), number(code)]));
export const ping = (text = "coxswain", flags: number = flag.none): Buffer => frame(type.ping, flags, 0, text);
export const settings = (values: readonly (readonly [id: number, value: number])[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 6);
  values.forEach(([id, value], index) => {
    bytes.writeUInt16BE(id, index * 6);
    bytes.writeUInt32BE(value, index * 6 + 2);
  });
  return frame(type.settings, 0, 0, bytes);
};

/** The pseudo headers of a request, in the usual order. */
export const asking = (path: string, method = "GET", more: Fields = []): Fields => [
  [":method", method],
  [":scheme", "https"],
  [":authority", "127.0.0.1"],
  [":path", path],
  ...more,
];

/** One connection, frame by frame. It answers nothing by itself but settings: no pings, no windows. */
export class RawConnection {
  readonly socket: TLSSocket;
  readonly seen: Seen[] = [];
  isClosed = false;
  #rest = Buffer.alloc(0);
  #waiting: (() => void)[] = [];
  #pings = 0;
  readonly #sent = new Map<number, number>();

  constructor(socket: TLSSocket) {
    this.socket = socket;
    socket.on("data", (chunk: Buffer) => this.#read(chunk));
    socket.on("error", () => {});
    socket.on("close", () => {
      this.isClosed = true;
      this.#wake();
    });
  }

  /** Sends the preface and `first`; the server's HPACK table is set to size 0. */
  static async open(
    options: ConnectionOptions,
    first: readonly (readonly [id: number, value: number])[] = [],
  ): Promise<RawConnection> {
    const socket = connect({ host: "127.0.0.1", ALPNProtocols: ["h2"], ...options });
    const connection = new RawConnection(socket);
    await new Promise<void>((resolve, reject) => socket.once("secureConnect", resolve).once("error", reject));
    socket.setNoDelay(true);
    connection.send(Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"), settings([[1, 0], ...first]));
    await connection.until((seen) => seen.type === type.settings && (seen.flags & flag.ack) !== 0);
    return connection;
  }

  send(...frames: readonly Uint8Array[]): void {
    if (!this.socket.destroyed) this.socket.write(Buffer.concat(frames));
  }

  /** A body, in as much as the server has room for, until it is all sent; false if the stream ended before. */
  async sendBody(stream: number, bytes: Uint8Array): Promise<boolean> {
    for (let at = 0; at < bytes.length; ) {
      const room = Math.min(
        this.#room(0, 65_535),
        this.#room(stream, this.#initialWindow()),
        16_384,
        bytes.length - at,
      );
      if (
        this.isClosed ||
        this.on(stream).some((seen) => seen.type === type.reset || (seen.flags & flag.endStream) !== 0)
      )
        return false;
      if (room <= 0) await this.#next();
      else {
        this.send(data(stream, bytes.subarray(at, at + room), at + room === bytes.length ? flag.endStream : 0));
        for (const id of [0, stream]) this.#sent.set(id, (this.#sent.get(id) ?? 0) + room);
        at += room;
        if (at % (1 << 20) < 16_384) await new Promise((resolve) => setImmediate(resolve)); // what came meanwhile is read
      }
    }
    return true;
  }

  #room(stream: number, initial: number): number {
    return (
      this.seen.reduce(
        (sum, seen) =>
          seen.type === type.windowUpdate && seen.stream === stream ? sum + seen.payload.readUInt32BE(0) : sum,
        initial,
      ) - (this.#sent.get(stream) ?? 0)
    );
  }

  #initialWindow(): number {
    return this.setting(4) ?? 65_535;
  }

  /** The server's last value of one of its settings. */
  setting(id: number): number | undefined {
    let value: number | undefined;
    for (const { type: kind, payload } of this.seen) {
      if (kind !== type.settings) continue;
      for (let at = 0; at < payload.length; at += 6)
        if (payload.readUInt16BE(at) === id) value = payload.readUInt32BE(at + 2);
    }
    return value;
  }

  #next(): Promise<void> {
    return new Promise((resolve) => void this.#waiting.push(resolve));
  }

  /** The first frame of those that came or come; undefined if the connection ends before. */
  async until(is: (seen: Seen) => boolean): Promise<Seen | undefined> {
    for (let at = 0; ; ) {
      for (; at < this.seen.length; at++) if (is(this.seen[at] as Seen)) return this.seen[at];
      if (this.isClosed) return undefined;
      await this.#next();
    }
  }

  /** Resolves when the server has closed. */
  async closed(): Promise<void> {
    while (!this.isClosed) await this.#next();
  }

  /** Whether the server still answers: asked after all it was sent, it has read all of that. */
  async answersPing(): Promise<boolean> {
    const text = String(++this.#pings).padStart(8, "0");
    this.send(ping(text));
    return (
      (await this.until(
        (seen) => seen.type === type.ping && (seen.flags & flag.ack) !== 0 && String(seen.payload) === text,
      )) !== undefined
    );
  }

  on(stream: number): Seen[] {
    return this.seen.filter((seen) => seen.stream === stream);
  }

  /** What a stream came to, once it did: `200`, `400 the words`, `reset CODE`, `goaway CODE`, or `closed`. */
  async outcome(stream: number): Promise<string> {
    const ended = await this.until(
      (seen) =>
        (seen.stream === stream &&
          (seen.type === type.reset || (seen.type <= type.headers && (seen.flags & flag.endStream) !== 0))) ||
        (seen.type === type.goAway && codeOf(seen) !== "NO_ERROR"),
    );
    if (!ended) return "closed";
    if (ended.type === type.goAway) return `goaway ${codeOf(ended)}`;
    if (ended.type === type.reset) return `reset ${codeOf(ended)}`;
    return this.answer(stream).summary;
  }

  /** The outcome of a stream, and then of its connection: none for one that goes on. A reset may be `awaited` that comes a little after the answer. */
  async settled(stream: number, { awaitsReset = false } = {}): Promise<string> {
    const outcome = await this.outcome(stream);
    if (awaitsReset) await this.until((seen) => seen.stream === stream && seen.type === type.reset);
    if (outcome.startsWith("goaway")) {
      await this.closed();
      return outcome;
    }
    if (!(await this.answersPing())) return outcome === "closed" ? outcome : `${outcome}, then closed`;
    const after = outcome.startsWith("reset") ? undefined : this.on(stream).find((seen) => seen.type === type.reset);
    const goAway = this.seen.find((seen) => seen.type === type.goAway);
    return [
      outcome,
      ...(after ? [`reset ${codeOf(after)}`] : []),
      ...(goAway ? [`GOAWAY ${codeOf(goAway)}`] : []),
    ].join(", then ");
  }

  /** What was answered on a stream so far. */
  answer(stream: number): { headers: Record<string, string>; body: Buffer; summary: string } {
    const frames = this.on(stream);
    const head = frames.filter((seen) => seen.type === type.headers).map((seen) => decodeHeaders(seen.payload));
    const last = head.at(-1) ?? {};
    const body = Buffer.concat(frames.filter((seen) => seen.type === type.data).map((seen) => seen.payload));
    const detail = body.length > 0 && Number(last[":status"]) >= 400 ? ` ${sentence(String(body))}` : "";
    return { headers: last, body, summary: `${head.map((one) => one[":status"]).join(", ")}${detail}` };
  }

  #read(chunk: Buffer): void {
    let bytes = Buffer.concat([this.#rest, chunk]);
    while (bytes.length >= 9 && bytes.length >= 9 + bytes.readUIntBE(0, 3)) {
      const end = 9 + bytes.readUIntBE(0, 3);
      const seen = {
        type: bytes[3] ?? 0,
        flags: bytes[4] ?? 0,
        stream: bytes.readUInt32BE(5) & 0x7fffffff,
        payload: bytes.subarray(9, end),
      };
      bytes = bytes.subarray(end);
      this.seen.push(seen);
      if (seen.type === type.settings && (seen.flags & flag.ack) === 0) this.send(frame(type.settings, flag.ack, 0));
    }
    this.#rest = Buffer.from(bytes);
    this.#wake();
  }

  #wake(): void {
    for (const wake of this.#waiting.splice(0)) wake();
  }
}

/** Of RST_STREAM or GOAWAY. */
export const codeOf = (seen: Seen): string =>
  codes[seen.payload.readUInt32BE(seen.type === type.goAway ? 4 : 0)] ?? "?";

/** A Status is shown by its message, anything else as it is. */
function sentence(body: string): string {
  if (!body.startsWith("{")) return body.trim();
  return (JSON.parse(body) as { message?: string }).message ?? body;
}
