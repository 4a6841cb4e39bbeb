import { connect, type Socket } from "node:net";
import { describe, expect, it } from "vitest";
import {
  allocateFrame,
  encodeFrame,
  encodeSettings,
  encodeUint32Frame,
  type Frame,
  FrameReader,
  flag,
  frameType,
  preface,
} from "./frame.js";
import type { Header } from "./header.js";
import { encodeHeaders } from "./hpack-encoder.js";
import { answer, open, serve } from "./served-session.test.support.js";

describe("a client", () => {
  const block = (more: readonly Header[] = []): Buffer =>
    encodeHeaders([[":method", "GET"], [":scheme", "http"], [":path", "/"], [":authority", "x"], ...more]);
  const get = (stream: number, flags = flag.endHeaders | flag.endStream, more: readonly Header[] = []): Buffer =>
    encodeFrame(frameType.headers, flags, stream, block(more));
  const post = (stream: number, more: readonly Header[] = []): Buffer => get(stream, flag.endHeaders, [...more]);
  const headers = (list: readonly Header[]): Buffer =>
    encodeFrame(frameType.headers, flag.endHeaders | flag.endStream, 1, encodeHeaders(list));
  const data = (stream: number, bytes: number, flags = 0): Buffer =>
    encodeFrame(frameType.data, flags, stream, Buffer.alloc(bytes));
  const start = [preface, encodeSettings([])];

  /** The frames received, as `type stream code` for RST_STREAM and GOAWAY, until the connection closes or the PING sent last is acknowledged. */
  const exchange = async (port: number, frames: readonly Buffer[]): Promise<string[]> => {
    const received: string[] = [];
    const reader = new FrameReader();
    const socket: Socket = connect(port, "127.0.0.1");
    open.push({ close: () => socket.destroy() });
    socket.on("error", () => {});
    socket.write(Buffer.concat([...frames, encodeFrame(frameType.ping, 0, 0, Buffer.from("the last"))]));
    await new Promise<void>((resolve) => {
      const receive = ({ type, flags, stream, payload }: Frame): void => {
        if (type === frameType.goAway) received.push(`goaway ${payload.readUInt32BE(4)}`);
        if (type === frameType.reset) received.push(`reset ${stream} ${payload.readUInt32BE(0)}`);
        if (type === frameType.headers) received.push(`response ${stream}`);
        if (type === frameType.ping && flags === flag.ack && String(payload) === "the last") resolve();
      };
      socket.on("data", (chunk: Buffer) => {
        reader.push(chunk);
        for (let frame = reader.next(); frame; frame = reader.next()) receive(frame);
      });
      socket.on("close", () => resolve());
    });
    return received;
  };

  const endsConnection = [
    { name: "sends no HTTP/2 preface", frames: [Buffer.from("GET / HTTP/1.1\r\nhost: a\r\n\r\n")], code: 1 },
    { name: "sends another frame before SETTINGS", frames: [preface, get(1)], code: 1 },
    { name: "sends a frame that is too long", frames: [...start, allocateFrame(0, 0, 1, 300_000)], code: 6 },
    {
      name: "sends PING of the wrong length",
      frames: [...start, encodeFrame(frameType.ping, 0, 0, Buffer.alloc(7))],
      code: 6,
    },
    {
      name: "sends PING on a stream",
      frames: [...start, encodeFrame(frameType.ping, 0, 1, Buffer.alloc(8))],
      code: 1,
    },
    {
      name: "sends SETTINGS with ACK and a payload",
      frames: [...start, encodeFrame(frameType.settings, flag.ack, 0, Buffer.alloc(6))],
      code: 6,
    },
    { name: "sends an invalid SETTINGS_MAX_FRAME_SIZE", frames: [...start, encodeSettings([[5, 1]])], code: 1 },
    {
      name: "sends an invalid SETTINGS_INITIAL_WINDOW_SIZE",
      frames: [...start, encodeSettings([[4, 2 ** 31]])],
      code: 3,
    },
    { name: "opens a stream with an even id", frames: [...start, get(2)], code: 1 },
    { name: "sends DATA on an idle stream", frames: [...start, data(1, 5)], code: 1 },
    { name: "sends DATA on stream 0", frames: [...start, data(0, 5)], code: 1 },
    { name: "resets an idle stream", frames: [...start, encodeUint32Frame(frameType.reset, 1, 8)], code: 1 },
    {
      name: "sends WINDOW_UPDATE on an idle stream",
      frames: [...start, encodeUint32Frame(frameType.windowUpdate, 1, 8)],
      code: 1,
    },
    {
      name: "sends WINDOW_UPDATE with an increment of 0",
      frames: [...start, encodeUint32Frame(frameType.windowUpdate, 0, 0)],
      code: 1,
    },
    {
      name: "makes the connection's window exceed 2^31-1",
      frames: [...start, encodeUint32Frame(frameType.windowUpdate, 0, 0x7fffffff)],
      code: 3,
    },
    {
      name: "sends CONTINUATION without a header block",
      frames: [...start, encodeFrame(frameType.continuation, 4, 1, block())],
      code: 1,
    },
    {
      name: "interrupts a header block",
      frames: [...start, encodeFrame(frameType.headers, 0, 1, block()), data(1, 1)],
      code: 1,
    },
    {
      name: "sends a CONTINUATION flood",
      frames: [
        ...start,
        encodeFrame(frameType.headers, 0, 1, block()),
        ...Array.from({ length: 70 }, () => encodeFrame(frameType.continuation, 0, 1, Buffer.alloc(16_000))),
      ],
      code: 1,
    },
    {
      name: "sends a header block of too many fragments",
      frames: [
        ...start,
        encodeFrame(frameType.headers, 0, 1, block()),
        ...Array.from({ length: 300 }, () => encodeFrame(frameType.continuation, 0, 1, Buffer.alloc(1))),
      ],
      code: 1,
    },
    {
      name: "sends a malformed header block",
      frames: [...start, encodeFrame(frameType.headers, flag.endHeaders, 1, Buffer.of(0x80))],
      code: 9,
    },
    {
      name: "sends more padding than payload",
      frames: [...start, post(1), encodeFrame(frameType.data, flag.padded, 1, Buffer.of(9, 0))],
      code: 1,
    },
    {
      name: "sends PUSH_PROMISE",
      frames: [...start, encodeFrame(frameType.pushPromise, 4, 1, Buffer.alloc(8))],
      code: 1,
    },
    { name: "reuses a lower stream id", frames: [...start, get(3), get(1)], code: 1 },
    {
      name: "acknowledges SETTINGS that were not sent",
      frames: [
        ...start,
        encodeFrame(frameType.settings, flag.ack, 0, Buffer.alloc(0)),
        encodeFrame(frameType.settings, flag.ack, 0, Buffer.alloc(0)),
      ],
      code: 1,
    },
    {
      name: "sends a setting twice",
      frames: [
        ...start,
        encodeSettings([
          [4, 1],
          [4, 2],
        ]),
      ],
      code: 1,
    },
    {
      name: "resets streams rapidly (CVE-2023-44487)",
      frames: [
        ...start,
        ...Array.from({ length: 1500 }, (_, at) => [
          post(2 * at + 1),
          encodeUint32Frame(frameType.reset, 2 * at + 1, 8),
        ]).flat(),
      ],
      code: 11,
    },
    {
      name: "sends DATA without data (CVE-2019-9518)",
      frames: [
        ...start,
        post(1),
        ...Array.from({ length: 1500 }, () => encodeFrame(frameType.data, 0, 1, Buffer.alloc(0))),
      ],
      code: 11,
    },
    {
      name: "sends DATA of padding alone",
      frames: [
        ...start,
        post(1),
        ...Array.from({ length: 1500 }, () => encodeFrame(frameType.data, flag.padded, 1, Buffer.from([1, 0]))),
      ],
      code: 11,
    },
    {
      name: "provokes resets of its streams (CVE-2025-8671)",
      frames: [
        ...start,
        ...Array.from({ length: 1500 }, (_, at) => [
          get(2 * at + 1),
          encodeUint32Frame(frameType.windowUpdate, 2 * at + 1, 0),
        ]).flat(),
      ],
      code: 11,
    },
  ];
  for (const { name, frames, code } of endsConnection) {
    it(`that ${name} gets GOAWAY`, async () => {
      const { port } = await serve(() => {});
      expect((await exchange(port, frames)).at(-1)).toBe(`goaway ${code}`);
    });
  }

  const endsStream = [
    {
      name: "exceeds a stream's flow-control window",
      frames: [post(1), ...Array.from({ length: 65 }, () => data(1, 16_384))],
      code: 3,
    },
    {
      name: "sends a body longer than its Content-Length",
      frames: [post(1, [["content-length", "3"]]), data(1, 4)],
      code: 1,
    },
    {
      name: "sends a malformed Content-Length",
      frames: [post(1, [["content-length", "many"]]), data(1, 4)],
      code: 1,
    },
    {
      name: "sends a :path without a slash",
      frames: [
        headers([
          [":method", "GET"],
          [":scheme", "http"],
          [":path", "http://x/"],
        ]),
      ],
      code: 1,
    },
    { name: "sends DATA after END_STREAM", frames: [get(1), data(1, 2)], code: 5 },
    { name: "sends HEADERS after END_STREAM", frames: [get(1), get(1)], code: 5 },
    { name: "sends HEADERS without END_STREAM as trailers", frames: [post(1), post(1)], code: 1 },
    { name: "sends pseudo-headers in trailers", frames: [post(1), get(1)], code: 1 },
    {
      name: "makes a stream depend on itself",
      frames: [
        encodeFrame(
          frameType.headers,
          flag.endHeaders | flag.endStream | flag.priority,
          1,
          Buffer.concat([Buffer.of(0, 0, 0, 1, 0), block()]),
        ),
      ],
      code: 1,
    },
    {
      name: "sends WINDOW_UPDATE with an increment of 0 on a stream",
      frames: [get(1), encodeUint32Frame(frameType.windowUpdate, 1, 0)],
      code: 1,
    },
    {
      name: "makes a stream's window exceed 2^31-1",
      frames: [get(1), encodeUint32Frame(frameType.windowUpdate, 1, 0x7fffffff)],
      code: 3,
    },
    {
      name: "sends no :method",
      frames: [
        headers([
          [":scheme", "http"],
          [":path", "/"],
        ]),
      ],
      code: 1,
    },
    {
      name: "sends no :scheme",
      frames: [
        headers([
          [":method", "GET"],
          [":path", "/"],
        ]),
      ],
      code: 1,
    },
    {
      name: "sends no :path",
      frames: [
        headers([
          [":method", "GET"],
          [":scheme", "http"],
        ]),
      ],
      code: 1,
    },
    {
      name: "sends an empty :path",
      frames: [
        headers([
          [":method", "GET"],
          [":scheme", "http"],
          [":path", ""],
        ]),
      ],
      code: 1,
    },
    {
      name: "sends a pseudo-header twice",
      frames: [
        headers([
          [":method", "GET"],
          [":method", "PUT"],
          [":scheme", "http"],
          [":path", "/"],
        ]),
      ],
      code: 1,
    },
    {
      name: "sends a response pseudo-header",
      frames: [
        headers([
          [":method", "GET"],
          [":scheme", "http"],
          [":path", "/"],
          [":status", "200"],
        ]),
      ],
      code: 1,
    },
    {
      name: "sends a pseudo-header after regular headers",
      frames: [
        headers([
          [":method", "GET"],
          [":scheme", "http"],
          ["a", "b"],
          [":path", "/"],
        ]),
      ],
      code: 1,
    },
    { name: "sends a header name in upper case", frames: [get(1, 5, [["Accept", "a"]])], code: 1 },
    { name: "sends a header value with a line break", frames: [get(1, 5, [["a", "b\r\nc: d"]])], code: 1 },
    {
      name: "sends CONNECT without :authority",
      frames: [
        headers([
          [":method", "CONNECT"],
          [":scheme", "http"],
          [":path", "/"],
          [":authority", "a"],
        ]),
      ],
      code: 1,
    },
  ];
  for (const { name, frames, code } of endsStream) {
    it(`that ${name} gets a stream error, and other streams go on`, async () => {
      const { port } = await serve((stream, path) => (path === "/" && stream.id > 1 ? answer(stream) : undefined));
      const received = await exchange(port, [...start, ...frames, get(3)]);
      expect(received).toEqual([`reset 1 ${code}`, "response 3"]);
    });
  }

  const refused = [
    { name: "sends a connection-specific header", more: ["connection", "close"] },
    { name: "sends TE other than trailers", more: ["te", "gzip"] },
  ] as const;
  for (const { name, more } of refused) {
    it(`that ${name} is refused with 400`, async () => {
      const { port, begun } = await serve(() => {});
      expect(await exchange(port, [...start, get(1, 5, [more])])).toEqual(["response 1"]);
      expect(begun).toEqual([]);
    });
  }

  it("that sends a body shorter than its Content-Length fails the body's reader", async () => {
    const whys: (string | undefined)[] = [];
    const { port } = await serve((stream) =>
      stream.read({
        onData() {},
        onEnd: () => whys.push("ended"),
        onAborted: (why) => (whys.push(why), answer(stream)),
      }),
    );
    expect(await exchange(port, [...start, post(1, [["content-length", "3"]]), data(1, 2, flag.endStream)])).toEqual([
      "response 1",
    ]);
    expect(whys).toEqual(["request declared a Content-Length of 3 but only wrote 2 bytes"]);
  });

  it("may send frames up to the announced SETTINGS_MAX_FRAME_SIZE", async () => {
    const { port } = await serve((stream) => {
      let bytes = 0;
      stream.read({
        onData: (part) => (stream.credit(part.length), (bytes += part.length)),
        onEnd: () => bytes === 262_144 && answer(stream),
        onAborted() {},
      });
    });
    expect(await exchange(port, [...start, post(1), data(1, 262_144, flag.endStream)])).toEqual(["response 1"]);
  });

  it("that resets a request before another frame is not served it, and goes on", async () => {
    const { port, begun } = await serve((stream) => answer(stream));
    expect(await exchange(port, [...start, get(1), encodeUint32Frame(frameType.reset, 1, 8), get(3)])).toEqual([
      "response 3",
    ]);
    expect(begun.length).toBe(1);
  });

  it("that sends malformed trailers gets a stream error instead of a response", async () => {
    const { port, begun } = await serve((stream) => answer(stream));
    expect(await exchange(port, [...start, post(1), post(1)])).toEqual(["reset 1 1"]);
    expect(begun.length).toBe(0);
  });

  it("may go on sending a body for a while after its early response", async () => {
    const { port } = await serve((stream) => answer(stream));
    expect(await exchange(port, [...start, post(1), get(3), data(1, 100), data(1, 0, flag.endStream)])).toEqual([
      "response 1",
      "response 3",
    ]);
  });

  it("that sends headers above SETTINGS_MAX_HEADER_LIST_SIZE is refused with 431", async () => {
    const { port } = await serve(() => {});
    // One entry of the table, a quarter of a million times.
    const bomb = Buffer.concat([Buffer.from("40 01 61 01 62".replaceAll(" ", ""), "hex"), Buffer.alloc(16_000, 0xbe)]);
    const frames = [
      encodeFrame(frameType.headers, flag.endStream, 1, bomb),
      ...Array.from({ length: 10 }, (_, at) =>
        encodeFrame(frameType.continuation, at === 9 ? flag.endHeaders : 0, 1, Buffer.alloc(16_000, 0xbe)),
      ),
    ];
    expect(await exchange(port, [...start, ...frames])).toEqual(["response 1"]);
  });

  it("that does not read its responses is not read from", async () => {
    let answered = 0;
    const { port } = await serve((stream) => {
      answered += 1;
      stream.respond(200, { long: "x".repeat(10_000) }, true);
    }, 1000);
    const socket = connect(port, "127.0.0.1");
    open.push({ close: () => socket.destroy() });
    socket.pause();
    socket.write(Buffer.concat([...start, ...Array.from({ length: 20_000 }, (_, at) => get(2 * at + 1))]));
    let before = -1;
    await expect
      .poll(() => [before, (before = answered)], { interval: 300, timeout: 10_000 })
      .toSatisfy(([a, b]) => a === b && b > 0);
    expect(answered).toBeLessThan(5_000);
    socket.resume();
    await expect.poll(() => answered, { timeout: 10_000 }).toBe(20_000);
  });
});
