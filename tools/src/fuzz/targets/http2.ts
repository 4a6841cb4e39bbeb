import type { Socket } from "node:net";
import { Duplex } from "node:stream";
import { noActivity } from "@coxswain/runtime/activity";
import { measuredTime, TaskScheduler } from "@coxswain/runtime/scheduler";
import { encodeHeaders, HpackDecoder, Http2Error, headerValue, ServerSession } from "@coxswain/wire/http2";
import { accepts, BrokenPromise, type FuzzTarget } from "../fuzz-target.js";

const request = encodeHeaders([
  [":method", "GET"],
  [":scheme", "https"],
  [":path", "/api/v1/namespaces/default/pods?limit=500"],
  [":authority", "localhost"],
  ["accept", "application/json"],
  ["authorization", "Bearer abc"],
]);

/** Header blocks: a decoder reads one or ends the connection, and its table never outgrows its limit. */
export function hpackTarget(): FuzzTarget {
  const maxListBytes = 64 * 1024;
  return {
    name: "hpack",
    seeds: [
      request,
      // A table update, an indexed literal with Huffman coding, and a reference to it.
      Buffer.from("3fe11f4188f439ce75c875fa5784be", "hex"),
      Buffer.from("828684418cf1e3c2e5f23a6ba0ab90f4ff", "hex"),
    ],
    run(input) {
      // The same decoder reads several blocks, as on a connection: the first byte is their number.
      const parts = 1 + ((input[0] ?? 0) % 4);
      const size = Math.ceil(input.length / parts);
      const decoder = new HpackDecoder(maxListBytes);
      return accepts(() => {
        for (let at = 0; at < input.length; at += size) {
          const headers = decoder.decode(Buffer.from(input.subarray(at, at + size)));
          const bytes = (headers ?? []).reduce((sum, [name, value]) => sum + name.length + value.length + 32, 0);
          if (bytes > maxListBytes) throw new BrokenPromise("a list of headers is longer than its limit");
        }
      }, Http2Error);
    },
  };
}

const preface = Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");

function frame(type: number, flags: number, stream: number, payload: Uint8Array = Buffer.alloc(0)): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head.writeUInt8(type, 3);
  head.writeUInt8(flags, 4);
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

const settings = frame(4, 0, 0, Buffer.from("000300000064", "hex"));

/** The clock stands still: no timer fires while an input is read. */
const clock = { now: () => 0, monotonic: () => 0, setTimer: () => ({ cancel() {} }) };

/**
 * What a client sends on an HTTP/2 connection, cut into pieces. Requests are answered by what they sent. The session answers or ends the
 * connection, and holds nothing when the connection is gone.
 */
export function http2Target(): FuzzTarget {
  return {
    name: "http2-frames",
    maxLength: 16_384,
    seeds: [
      Buffer.concat([
        preface,
        settings,
        frame(1, 5, 1, request),
        frame(6, 0, 0, Buffer.alloc(8)),
        frame(7, 0, 0, Buffer.alloc(8)),
      ]),
      Buffer.concat([
        preface,
        settings,
        frame(1, 4, 1, request),
        frame(0, 0, 1, Buffer.from("{}")),
        frame(0, 1, 1, Buffer.from("x")),
        frame(3, 0, 3, Buffer.alloc(4)),
        frame(8, 0, 1, Buffer.from("00000400", "hex")),
      ]),
      Buffer.concat([
        preface,
        settings,
        frame(1, 0, 1, request.subarray(0, 20)),
        frame(9, 4, 1, request.subarray(20)),
        frame(2, 0, 1, Buffer.alloc(5)),
        frame(0, 9, 1, Buffer.from("\x02ab\0\0")),
      ]),
    ],
    words: [0, 1, 2, 3, 4, 6, 7, 8, 9].map((type) => frame(type, 0, 1, Buffer.alloc(type === 6 ? 8 : 4))),
    async run(input) {
      let isClosed = false;
      let answered = 0;
      const socket = new Duplex({ read() {}, write: (_, __, done) => done() });
      // oxlint-disable-next-line no-new -- it lives as long as its socket
      new ServerSession(socket as unknown as Socket, {
        maxStreams: 10,
        clock,
        scheduler: new TaskScheduler({ time: measuredTime(clock), activity: noActivity }),
        onRequest(stream) {
          answered += 1;
          stream.respond(200, { "content-type": "text/plain" }, false);
          stream.write(Buffer.from(headerValue(stream.headers, ":path") ?? ""));
          stream.read({ onData: (data) => stream.credit(data.length), onEnd: () => stream.end(), onAborted() {} });
        },
        onRefused: (stream, status) => stream.respond(status, {}, true),
        onClose: () => void (isClosed = true),
      });
      const size = 1 + (input.length === 0 ? 0 : (input[input.length - 1] as number) * 16);
      for (let at = 0; at < input.length && !socket.destroyed; at += size) {
        socket.push(Buffer.from(input.subarray(at, at + size)));
        await new Promise((resolve) => setImmediate(resolve));
      }
      for (let turn = 0; turn < 4; turn++) await new Promise((resolve) => setImmediate(resolve));
      socket.destroy();
      await new Promise((resolve) => setImmediate(resolve));
      if (!isClosed) throw new BrokenPromise("the session does not notice that its connection is gone");
      return answered > 0;
    },
  };
}
