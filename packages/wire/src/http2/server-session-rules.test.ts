import { connect, type Socket } from "node:net";
import { describe, expect, it } from "vitest";
import {
  allocateFrame,
  encodeFrame,
  encodeNumber,
  encodeSettings,
  flag,
  type Frame,
  FrameReader,
  frameType,
  preface,
} from "./frame.js";
import type { Header } from "./header.js";
import { encodeHeaders } from "./hpack-encoder.js";
import { answer, open, serve } from "./served-session.test.support.js";

describe("a client that breaks the rules", () => {
  const block = (more: readonly Header[] = []): Buffer =>
    encodeHeaders([[":method", "GET"], [":scheme", "http"], [":path", "/"], [":authority", "x"], ...more]);
  const get = (stream: number, flags = flag.endHeaders | flag.endStream, more: readonly Header[] = []): Buffer =>
    encodeFrame(frameType.headers, flags, stream, block(more));
  const post = (stream: number, more: readonly Header[] = []): Buffer => get(stream, flag.endHeaders, [...more]);
  const headers = (list: readonly Header[]): Buffer =>
    encodeFrame(frameType.headers, flag.endHeaders | flag.endStream, 1, encodeHeaders(list));
  const data = (stream: number, bytes: number, flags = 0): Buffer =>
    encodeFrame(frameType.data, flags, stream, Buffer.alloc(bytes));
  const greeting = [preface, encodeSettings([])];

  /** What comes back, as `type stream code` for resets and farewells; until the connection ends, or a ping that is sent last is answered. */
  const say = async (port: number, frames: readonly Buffer[]): Promise<string[]> => {
    const heard: string[] = [];
    const reader = new FrameReader();
    const socket: Socket = connect(port, "127.0.0.1");
    open.push({ close: () => socket.destroy() });
    socket.on("error", () => {});
    socket.write(Buffer.concat([...frames, encodeFrame(frameType.ping, 0, 0, Buffer.from("the last"))]));
    await new Promise<void>((resolve) => {
      const hear = ({ type, flags, stream, payload }: Frame): void => {
        if (type === frameType.goAway) heard.push(`goaway ${payload.readUInt32BE(4)}`);
        if (type === frameType.reset) heard.push(`reset ${stream} ${payload.readUInt32BE(0)}`);
        if (type === frameType.headers) heard.push(`answer ${stream}`);
        if (type === frameType.ping && flags === flag.ack && String(payload) === "the last") resolve();
      };
      socket.on("data", (chunk: Buffer) => {
        reader.push(chunk);
        for (let frame = reader.next(); frame; frame = reader.next()) hear(frame);
      });
      socket.on("close", () => resolve());
    });
    return heard;
  };

  const endsConnection = [
    { name: "speaks another protocol", frames: [Buffer.from("GET / HTTP/1.1\r\nhost: a\r\n\r\n")], code: 1 },
    { name: "begins without settings", frames: [preface, get(1)], code: 1 },
    { name: "sends a frame that is too long", frames: [...greeting, allocateFrame(0, 0, 1, 300_000)], code: 6 },
    {
      name: "sends a ping of the wrong length",
      frames: [...greeting, encodeFrame(frameType.ping, 0, 0, Buffer.alloc(7))],
      code: 6,
    },
    {
      name: "sends a ping on a stream",
      frames: [...greeting, encodeFrame(frameType.ping, 0, 1, Buffer.alloc(8))],
      code: 1,
    },
    {
      name: "confirms settings with settings",
      frames: [...greeting, encodeFrame(frameType.settings, flag.ack, 0, Buffer.alloc(6))],
      code: 6,
    },
    { name: "asks for frames of no size", frames: [...greeting, encodeSettings([[5, 1]])], code: 1 },
    { name: "asks for windows of no size", frames: [...greeting, encodeSettings([[4, 2 ** 31]])], code: 3 },
    { name: "opens a stream of ours", frames: [...greeting, get(2)], code: 1 },
    { name: "sends data on a stream that nobody opened", frames: [...greeting, data(1, 5)], code: 1 },
    { name: "sends data on no stream", frames: [...greeting, data(0, 5)], code: 1 },
    { name: "resets a stream that nobody opened", frames: [...greeting, encodeNumber(frameType.reset, 1, 8)], code: 1 },
    {
      name: "enlarges the window of a stream that nobody opened",
      frames: [...greeting, encodeNumber(frameType.windowUpdate, 1, 8)],
      code: 1,
    },
    {
      name: "enlarges its window by nothing",
      frames: [...greeting, encodeNumber(frameType.windowUpdate, 0, 0)],
      code: 1,
    },
    {
      name: "enlarges its window beyond all bounds",
      frames: [...greeting, encodeNumber(frameType.windowUpdate, 0, 0x7fffffff)],
      code: 3,
    },
    { name: "continues nothing", frames: [...greeting, encodeFrame(frameType.continuation, 4, 1, block())], code: 1 },
    {
      name: "interrupts its headers",
      frames: [...greeting, encodeFrame(frameType.headers, 0, 1, block()), data(1, 1)],
      code: 1,
    },
    {
      name: "sends headers without end",
      frames: [
        ...greeting,
        encodeFrame(frameType.headers, 0, 1, block()),
        ...Array.from({ length: 70 }, () => encodeFrame(frameType.continuation, 0, 1, Buffer.alloc(16_000))),
      ],
      code: 1,
    },
    {
      name: "sends headers byte by byte",
      frames: [
        ...greeting,
        encodeFrame(frameType.headers, 0, 1, block()),
        ...Array.from({ length: 300 }, () => encodeFrame(frameType.continuation, 0, 1, Buffer.alloc(1))),
      ],
      code: 1,
    },
    {
      name: "sends headers that cannot be read",
      frames: [...greeting, encodeFrame(frameType.headers, flag.endHeaders, 1, Buffer.of(0x80))],
      code: 9,
    },
    {
      name: "pads more than there is",
      frames: [...greeting, post(1), encodeFrame(frameType.data, flag.padded, 1, Buffer.of(9, 0))],
      code: 1,
    },
    { name: "pushes", frames: [...greeting, encodeFrame(frameType.pushPromise, 4, 1, Buffer.alloc(8))], code: 1 },
    { name: "goes back to a lower stream", frames: [...greeting, get(3), get(1)], code: 1 },
    {
      name: "confirms settings that were not sent",
      frames: [
        ...greeting,
        encodeFrame(frameType.settings, flag.ack, 0, Buffer.alloc(0)),
        encodeFrame(frameType.settings, flag.ack, 0, Buffer.alloc(0)),
      ],
      code: 1,
    },
    {
      name: "says a setting twice",
      frames: [
        ...greeting,
        encodeSettings([
          [4, 1],
          [4, 2],
        ]),
      ],
      code: 1,
    },
    {
      name: "gives up on everything",
      frames: [
        ...greeting,
        ...Array.from({ length: 1500 }, (_, at) => [
          post(2 * at + 1),
          encodeNumber(frameType.reset, 2 * at + 1, 8),
        ]).flat(),
      ],
      code: 11,
    },
  ];
  for (const { name, frames, code } of endsConnection) {
    it(`and ${name} ends its connection`, async () => {
      const { port } = await serve(() => {});
      expect((await say(port, frames)).at(-1)).toBe(`goaway ${code}`);
    });
  }

  const endsStream = [
    {
      name: "sends more than its window",
      frames: [post(1), ...Array.from({ length: 65 }, () => data(1, 16_384))],
      code: 3,
    },
    {
      name: "sends a body that is longer than it said",
      frames: [post(1, [["content-length", "3"]]), data(1, 4)],
      code: 1,
    },
    {
      name: "sends a body whose length it cannot say",
      frames: [post(1, [["content-length", "many"]]), data(1, 4)],
      code: 1,
    },
    {
      name: "has a path without a slash",
      frames: [
        headers([
          [":method", "GET"],
          [":scheme", "http"],
          [":path", "http://x/"],
        ]),
      ],
      code: 1,
    },
    { name: "sends data behind the end", frames: [get(1), data(1, 2)], code: 5 },
    { name: "sends headers behind the end", frames: [get(1), get(1)], code: 5 },
    { name: "sends headers in the middle", frames: [post(1), post(1)], code: 1 },
    { name: "has pseudo headers in trailers", frames: [post(1), get(1)], code: 1 },
    {
      name: "depends on itself",
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
    { name: "enlarges a window by nothing", frames: [get(1), encodeNumber(frameType.windowUpdate, 1, 0)], code: 1 },
    {
      name: "enlarges a window beyond all bounds",
      frames: [get(1), encodeNumber(frameType.windowUpdate, 1, 0x7fffffff)],
      code: 3,
    },
    {
      name: "has no method",
      frames: [
        headers([
          [":scheme", "http"],
          [":path", "/"],
        ]),
      ],
      code: 1,
    },
    {
      name: "has no scheme",
      frames: [
        headers([
          [":method", "GET"],
          [":path", "/"],
        ]),
      ],
      code: 1,
    },
    {
      name: "has no path",
      frames: [
        headers([
          [":method", "GET"],
          [":scheme", "http"],
        ]),
      ],
      code: 1,
    },
    {
      name: "has an empty path",
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
      name: "says a pseudo header twice",
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
      name: "has a pseudo header of answers",
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
      name: "has a pseudo header behind others",
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
    { name: "has a name with capitals", frames: [get(1, 5, [["Accept", "a"]])], code: 1 },
    { name: "has a value with a line break", frames: [get(1, 5, [["a", "b\r\nc: d"]])], code: 1 },
    {
      name: "connects to nowhere",
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
    it(`and ${name} ends its request, and no other`, async () => {
      const { port } = await serve((stream, path) => (path === "/" && stream.id > 1 ? answer(stream) : undefined));
      const heard = await say(port, [...greeting, ...frames, get(3)]);
      expect(heard).toEqual([`reset 1 ${code}`, "answer 3"]);
    });
  }

  const refused = [
    { name: "has a header of the connection", more: ["connection", "close"] },
    { name: "has another coding of transfers", more: ["te", "gzip"] },
  ] as const;
  for (const { name, more } of refused) {
    it(`and ${name} is answered so`, async () => {
      const { port, told } = await serve(() => {});
      expect(await say(port, [...greeting, get(1, 5, [more])])).toEqual(["answer 1"]);
      expect(told).toEqual([]);
    });
  }

  it("and sends a body that is shorter than it said: whoever reads it is told", async () => {
    const whys: (string | undefined)[] = [];
    const { port } = await serve((stream) =>
      stream.read({ onData() {}, onEnd: () => whys.push("ended"), onCut: (why) => (whys.push(why), answer(stream)) }),
    );
    expect(await say(port, [...greeting, post(1, [["content-length", "3"]]), data(1, 2, flag.endStream)])).toEqual([
      "answer 1",
    ]);
    expect(whys).toEqual(["request declared a Content-Length of 3 but only wrote 2 bytes"]);
  });

  it("may send frames as long as it was told", async () => {
    const { port } = await serve((stream) => {
      let bytes = 0;
      stream.read({
        onData: (part) => (stream.credit(part.length), (bytes += part.length)),
        onEnd: () => bytes === 262_144 && answer(stream),
        onCut() {},
      });
    });
    expect(await say(port, [...greeting, post(1), data(1, 262_144, flag.endStream)])).toEqual(["answer 1"]);
  });

  it("may reset a request that was not answered yet, and goes on", async () => {
    const { port, told } = await serve((stream, path) => void (path === "/1" || answer(stream)));
    expect(await say(port, [...greeting, get(1), encodeNumber(frameType.reset, 1, 8), get(3)])).toContain("answer 3");
    expect(told.length).toBe(2);
  });

  it("may go on sending a body for a while after its early response", async () => {
    const { port } = await serve((stream) => answer(stream));
    expect(await say(port, [...greeting, post(1), get(3), data(1, 100), data(1, 0, flag.endStream)])).toEqual([
      "answer 1",
      "answer 3",
    ]);
  });

  it("and sends headers that are too long hears so", async () => {
    const { port } = await serve(() => {});
    // One entry of the table, a quarter of a million times.
    const bomb = Buffer.concat([Buffer.from("40 01 61 01 62".replaceAll(" ", ""), "hex"), Buffer.alloc(16_000, 0xbe)]);
    const frames = [
      encodeFrame(frameType.headers, flag.endStream, 1, bomb),
      ...Array.from({ length: 10 }, (_, at) =>
        encodeFrame(frameType.continuation, at === 9 ? flag.endHeaders : 0, 1, Buffer.alloc(16_000, 0xbe)),
      ),
    ];
    expect(await say(port, [...greeting, ...frames])).toEqual(["answer 1"]);
  });

  it("and does not read its answers is not read either", async () => {
    let answered = 0;
    const { port } = await serve((stream) => {
      answered += 1;
      stream.respond(200, { long: "x".repeat(10_000) }, true);
    }, 1000);
    const socket = connect(port, "127.0.0.1");
    open.push({ close: () => socket.destroy() });
    socket.pause();
    socket.write(Buffer.concat([...greeting, ...Array.from({ length: 20_000 }, (_, at) => get(2 * at + 1))]));
    let before = -1;
    await expect
      .poll(() => [before, (before = answered)], { interval: 300, timeout: 10_000 })
      .toSatisfy(([a, b]) => a === b && b > 0);
    expect(answered).toBeLessThan(5_000);
    socket.resume();
    await expect.poll(() => answered, { timeout: 10_000 }).toBe(20_000);
  });
});
