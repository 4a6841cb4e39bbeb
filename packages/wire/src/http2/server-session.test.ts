import { connect as connectHttp2, type ClientHttp2Session, type ClientHttp2Stream, constants, type OutgoingHttpHeaders } from "node:http2";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { allocateFrame, encodeFrame, encodeNumber, encodeSettings, flag, type Frame, FrameReader, frameType, preface } from "./frame.js";
import { type Header, headerValue } from "./header.js";
import { encodeHeaders } from "./hpack-encoder.js";
import { ServerSession } from "./server-session.js";
import type { ServerStream } from "./server-stream.js";
import { Turns } from "../turns/index.js";

const clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  setTimer(ms: number, fire: () => void) {
    const timer = setTimeout(fire, ms);
    return { cancel: () => clearTimeout(timer) };
  },
};

const open: { close(): unknown }[] = [];
afterEach(() => open.splice(0).reverse().forEach((thing) => thing.close()));

interface Served {
  readonly port: number;
  readonly sessions: ServerSession[];
  /** Paths of the requests that were told. */
  readonly told: string[];
}

const serve = async (onRequest: (stream: ServerStream, path: string) => void, maxStreams = 100): Promise<Served> => {
  const sessions: ServerSession[] = [];
  const told: string[] = [];
  const turns = new Turns(clock);
  const server = createServer((socket) => {
    open.push({ close: () => socket.destroy() });
    sessions.push(
      new ServerSession(socket, {
        maxStreams,
        clock,
        turns,
        onRequest(stream) {
          const path = headerValue(stream.headers, ":path") ?? "";
          told.push(path);
          onRequest(stream, path);
        },
        onRefused: (stream, status) => stream.respond(status, {}, true),
        onClose() {},
      }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  open.push(server);
  return { port: (server.address() as AddressInfo).port, sessions, told };
};

const echo = (stream: ServerStream): void => {
  stream.respond(200, { "content-type": "text/plain" }, false);
  stream.read({
    onData(data) {
      if (stream.write(data)) stream.credit(data.length);
      else stream.whenRoom(() => stream.credit(data.length));
    },
    onEnd: () => stream.end(),
    onCut() {},
  });
};
const answer = (stream: ServerStream, text = "ok"): void => {
  stream.respond(200, {}, false);
  stream.end(Buffer.from(text));
};

describe("a server session, with Node's client", () => {
  const openClient = (port: number, settings = {}): ClientHttp2Session => {
    const client = connectHttp2(`http://127.0.0.1:${port}`, { settings });
    client.on("error", () => {});
    open.push({ close: () => client.destroy() });
    return client;
  };
  interface Heard {
    readonly status: number | undefined;
    readonly body: Buffer;
    /** Of the reset, 0 if there was none. */
    readonly code: number;
  }
  const ask = (client: ClientHttp2Session, headers: OutgoingHttpHeaders, body?: Buffer, act?: (stream: ClientHttp2Stream) => void): Promise<Heard> =>
    new Promise((resolve) => {
      const stream = client.request({ ":method": "POST", ...headers });
      let status: number | undefined;
      const parts: Buffer[] = [];
      stream.on("response", (head) => (status = head[":status"]));
      stream.on("data", (part: Buffer) => parts.push(part));
      stream.on("error", () => {});
      stream.on("close", () => resolve({ status, body: Buffer.concat(parts), code: stream.rstCode ?? 0 }));
      if (act) act(stream);
      else stream.end(body);
    });

  it("carries many requests at once, of all sizes", async () => {
    const { port } = await serve(echo);
    const client = openClient(port);
    await Promise.all(
      [0, 1, 100, 16_384, 16_385, 65_535, 65_536, 300_000, 3_000_000].map(async (size, index) => {
        const body = Buffer.alloc(size, String(index));
        const heard = await ask(client, { ":path": `/${index}` }, body);
        expect([heard.status, heard.code]).toEqual([200, 0]);
        expect(heard.body.equals(body)).toBe(true);
      }),
    );
  });

  it("sends long answers through small windows", async () => {
    const body = Buffer.alloc(2_000_000, "abcdefg");
    const { port } = await serve((stream) => answer(stream, String(body)));
    const heard = await ask(openClient(port, { initialWindowSize: 1000 }), { ":path": "/" });
    expect(heard.body.equals(body)).toBe(true);
  });

  it("does not let a long answer that nobody reads keep others on the connection waiting", async () => {
    const { port } = await serve((stream, path) => {
      stream.respond(200, {}, false);
      stream.end(path === "/long" ? Buffer.alloc(5_000_000) : Buffer.from("short"));
    });
    const client = openClient(port);
    await new Promise((resolve) => client.once("connect", resolve));
    client.setLocalWindowSize(100_000_000);
    const long = client.request({ ":path": "/long" }); // without a reader its window stays full
    long.pause();
    expect(String((await ask(client, { ":path": "/short" })).body)).toBe("short");
  });

  it("tells who writes when there is no room, and when there is again", async () => {
    let waits = 0;
    const { port } = await serve((stream) => {
      stream.respond(200, {}, false);
      let left = 200;
      const more = (): void => {
        while (left > 0) {
          left -= 1;
          if (stream.write(Buffer.alloc(10_000))) continue;
          waits += 1;
          return stream.whenRoom(more);
        }
        stream.end();
      };
      more();
    });
    const heard = await ask(openClient(port), { ":path": "/" });
    expect(heard.body.length).toBe(2_000_000);
    expect(waits).toBeGreaterThan(0);
  });

  it("refuses requests above the limit, which may be sent again", async () => {
    const waiting: ServerStream[] = [];
    const { port } = await serve((stream) => void waiting.push(stream), 2);
    const client = openClient(port);
    // Before the client knows the limit it may open more.
    const heard = Array.from({ length: 3 }, (_, index) => ask(client, { ":path": `/${index}`, ":method": "GET" }));
    expect((await heard[2]!).code).toBe(constants.NGHTTP2_REFUSED_STREAM);
    waiting.forEach((stream) => answer(stream));
    expect((await Promise.all(heard.slice(0, 2))).map(({ status }) => status)).toEqual([200, 200]);
  });

  it("hears when a client gives up, and tells one that it is cut", async () => {
    const over: string[] = [];
    const { port } = await serve((stream, path) => {
      stream.whenOver(() => over.push(path));
      if (path === "/cut") {
        stream.respond(200, {}, false);
        stream.reset(constants.NGHTTP2_CANCEL);
      }
    });
    const client = openClient(port);
    expect((await ask(client, { ":path": "/cut" })).code).toBe(constants.NGHTTP2_CANCEL);
    await ask(client, { ":path": "/given-up" }, undefined, (stream) => setTimeout(() => stream.close(constants.NGHTTP2_CANCEL), 50));
    await expect.poll(() => over).toEqual(["/cut", "/given-up"]);
    const lost = client.request({ ":path": "/lost" });
    lost.on("error", () => {});
    setTimeout(() => client.destroy(), 50);
    await expect.poll(() => over).toContain("/lost");
  });

  it("answers before a body has come, and does not wait for the rest", async () => {
    const { port } = await serve((stream) => {
      stream.respond(413, {}, false);
      stream.end(Buffer.from("too much"));
    });
    const heard = await ask(openClient(port), { ":path": "/" }, undefined, (stream) => stream.write(Buffer.alloc(100_000)));
    expect([heard.status, String(heard.body), heard.code]).toEqual([413, "too much", 0]);
  });

  it("takes bodies that nobody reads no further than their window, and gives it back", async () => {
    const { port } = await serve((stream, path) => (path === "/echo" ? echo(stream) : stream.whenOver(() => {})));
    const client = openClient(port);
    const stuck = Array.from({ length: 15 }, (_, at) => client.request({ ":path": `/${at}`, ":method": "POST" }));
    for (const stream of stuck) stream.on("error", () => {}).end(Buffer.alloc(300_000));
    const body = Buffer.alloc(900_000, "x");
    expect((await ask(client, { ":path": "/echo" }, body)).body.length).toBe(body.length);
    for (const stream of stuck) stream.close(constants.NGHTTP2_CANCEL);
    for (let times = 0; times < 30; times++) expect((await ask(client, { ":path": "/echo" }, body)).body.length).toBe(body.length);
  });

  it("says that a body may come to who waits for that", async () => {
    const { port } = await serve((stream) => stream.read({ onData() {}, onEnd: () => answer(stream, "heard"), onCut() {} }));
    const heard = await ask(openClient(port), { ":path": "/", expect: "100-continue" }, undefined, (stream) => stream.on("continue", () => stream.end("body")));
    expect([heard.status, String(heard.body)]).toEqual([200, "heard"]);
  });

  it("takes trailers for the end of a body", async () => {
    const { port } = await serve(echo);
    const client = openClient(port);
    const heard = await new Promise<string>((resolve) => {
      const stream = client.request({ ":path": "/", ":method": "POST" }, { waitForTrailers: true });
      let body = "";
      stream.on("wantTrailers", () => stream.sendTrailers({ checksum: "1" }));
      stream.on("data", (part) => (body += String(part)));
      stream.on("end", () => resolve(body));
      stream.end("text");
    });
    expect(heard).toBe("text");
  });

  it("sends headers of any length", async () => {
    const { port } = await serve((stream) => stream.respond(200, { long: "x".repeat(40_000) }, true));
    const client = connectHttp2(`http://127.0.0.1:${port}`, { maxHeaderListPairs: 100, settings: { maxHeaderListSize: 100_000 } });
    open.push({ close: () => client.destroy() });
    const length = await new Promise((resolve) => client.request({ ":path": "/" }).on("response", (headers) => resolve(headers["long"]?.length)));
    expect(length).toBe(40_000);
  });

  it("answers all that came with a request after which the connection is to end", async () => {
    const { port, sessions } = await serve((stream, path) => {
      if (path === "/0") sessions[0]!.close();
      answer(stream, path);
    });
    const client = openClient(port);
    const closed = new Promise((resolve) => client.on("close", resolve));
    const heard = await Promise.all(Array.from({ length: 50 }, (_, index) => ask(client, { ":path": `/${index}`, ":method": "GET" })));
    expect(heard.map(({ body }) => String(body))).toEqual(Array.from({ length: 50 }, (_, index) => `/${index}`));
    await closed;
  });

  it("tells of requests that were not begun when it is ended, so that they may be tried again", async () => {
    const { port, sessions, told } = await serve((stream, path) => {
      answer(stream, path);
      sessions[0]!.end();
    });
    const client = openClient(port);
    const heard = await Promise.all(Array.from({ length: 5 }, (_, index) => ask(client, { ":path": `/${index}`, ":method": "GET" })));
    expect(told).toEqual(["/0"]);
    expect(heard.map(({ status, code }) => status ?? code)).toEqual([200, 7, 7, 7, 7]);
  });

  it("begins nothing more when it is closed at once, and answers what was begun", async () => {
    const waiting: ServerStream[] = [];
    const { port, sessions, told } = await serve((stream) => {
      waiting.push(stream);
      sessions[0]!.closeNow();
    });
    const client = openClient(port);
    const heard = Array.from({ length: 5 }, (_, index) => ask(client, { ":path": `/${index}`, ":method": "GET" }));
    expect((await Promise.all(heard.slice(1))).map(({ status, code }) => status ?? code)).toEqual([7, 7, 7, 7]);
    expect(told).toEqual(["/0"]);
    answer(waiting[0]!, "late");
    expect(String((await heard[0]!).body)).toBe("late");
  });

  it("answers what is under way when it is closed, and then ends the connection", async () => {
    const waiting: ServerStream[] = [];
    const { port, sessions } = await serve((stream) => void waiting.push(stream));
    const client = openClient(port);
    const closed = new Promise((resolve) => client.on("close", resolve));
    const heard = ask(client, { ":path": "/" });
    await expect.poll(() => waiting.length).toBe(1);
    sessions[0]!.close();
    await new Promise((resolve) => client.on("goaway", resolve));
    answer(waiting[0]!, "late");
    expect(String((await heard).body)).toBe("late");
    await closed;
  });
});

describe("a client that breaks the rules", () => {
  const block = (more: readonly Header[] = []): Buffer => encodeHeaders([[":method", "GET"], [":scheme", "http"], [":path", "/"], [":authority", "x"], ...more]);
  const get = (stream: number, flags = flag.endHeaders | flag.endStream, more: readonly Header[] = []): Buffer => encodeFrame(frameType.headers, flags, stream, block(more));
  const post = (stream: number, more: readonly Header[] = []): Buffer => get(stream, flag.endHeaders, [...more]);
  const headers = (list: readonly Header[]): Buffer => encodeFrame(frameType.headers, flag.endHeaders | flag.endStream, 1, encodeHeaders(list));
  const data = (stream: number, bytes: number, flags = 0): Buffer => encodeFrame(frameType.data, flags, stream, Buffer.alloc(bytes));
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
    { name: "sends a ping of the wrong length", frames: [...greeting, encodeFrame(frameType.ping, 0, 0, Buffer.alloc(7))], code: 6 },
    { name: "sends a ping on a stream", frames: [...greeting, encodeFrame(frameType.ping, 0, 1, Buffer.alloc(8))], code: 1 },
    { name: "confirms settings with settings", frames: [...greeting, encodeFrame(frameType.settings, flag.ack, 0, Buffer.alloc(6))], code: 6 },
    { name: "asks for frames of no size", frames: [...greeting, encodeSettings([[5, 1]])], code: 1 },
    { name: "asks for windows of no size", frames: [...greeting, encodeSettings([[4, 2 ** 31]])], code: 3 },
    { name: "opens a stream of ours", frames: [...greeting, get(2)], code: 1 },
    { name: "sends data on a stream that nobody opened", frames: [...greeting, data(1, 5)], code: 1 },
    { name: "sends data on no stream", frames: [...greeting, data(0, 5)], code: 1 },
    { name: "resets a stream that nobody opened", frames: [...greeting, encodeNumber(frameType.reset, 1, 8)], code: 1 },
    { name: "enlarges the window of a stream that nobody opened", frames: [...greeting, encodeNumber(frameType.windowUpdate, 1, 8)], code: 1 },
    { name: "enlarges its window by nothing", frames: [...greeting, encodeNumber(frameType.windowUpdate, 0, 0)], code: 1 },
    { name: "enlarges its window beyond all bounds", frames: [...greeting, encodeNumber(frameType.windowUpdate, 0, 0x7fffffff)], code: 3 },
    { name: "continues nothing", frames: [...greeting, encodeFrame(frameType.continuation, 4, 1, block())], code: 1 },
    { name: "interrupts its headers", frames: [...greeting, encodeFrame(frameType.headers, 0, 1, block()), data(1, 1)], code: 1 },
    { name: "sends headers without end", frames: [...greeting, encodeFrame(frameType.headers, 0, 1, block()), ...Array.from({ length: 70 }, () => encodeFrame(frameType.continuation, 0, 1, Buffer.alloc(16_000)))], code: 1 },
    { name: "sends headers byte by byte", frames: [...greeting, encodeFrame(frameType.headers, 0, 1, block()), ...Array.from({ length: 300 }, () => encodeFrame(frameType.continuation, 0, 1, Buffer.alloc(1)))], code: 1 },
    { name: "sends headers that cannot be read", frames: [...greeting, encodeFrame(frameType.headers, flag.endHeaders, 1, Buffer.of(0x80))], code: 9 },
    { name: "pads more than there is", frames: [...greeting, post(1), encodeFrame(frameType.data, flag.padded, 1, Buffer.of(9, 0))], code: 1 },
    { name: "pushes", frames: [...greeting, encodeFrame(frameType.pushPromise, 4, 1, Buffer.alloc(8))], code: 1 },
    { name: "goes back to a lower stream", frames: [...greeting, get(3), get(1)], code: 1 },
    { name: "confirms settings that were not sent", frames: [...greeting, encodeFrame(frameType.settings, flag.ack, 0, Buffer.alloc(0)), encodeFrame(frameType.settings, flag.ack, 0, Buffer.alloc(0))], code: 1 },
    { name: "says a setting twice", frames: [...greeting, encodeSettings([[4, 1], [4, 2]])], code: 1 },
    { name: "gives up on everything", frames: [...greeting, ...Array.from({ length: 1500 }, (_, at) => [post(2 * at + 1), encodeNumber(frameType.reset, 2 * at + 1, 8)]).flat()], code: 11 },
  ];
  for (const { name, frames, code } of endsConnection) {
    it(`and ${name} ends its connection`, async () => {
      const { port } = await serve(() => {});
      expect((await say(port, frames)).at(-1)).toBe(`goaway ${code}`);
    });
  }

  const endsStream = [
    { name: "sends more than its window", frames: [post(1), ...Array.from({ length: 65 }, () => data(1, 16_384))], code: 3 },
    { name: "sends a body that is longer than it said", frames: [post(1, [["content-length", "3"]]), data(1, 4)], code: 1 },
    { name: "sends a body whose length it cannot say", frames: [post(1, [["content-length", "many"]]), data(1, 4)], code: 1 },
    { name: "has a path without a slash", frames: [headers([[":method", "GET"], [":scheme", "http"], [":path", "http://x/"]])], code: 1 },
    { name: "sends data behind the end", frames: [get(1), data(1, 2)], code: 5 },
    { name: "sends headers behind the end", frames: [get(1), get(1)], code: 5 },
    { name: "sends headers in the middle", frames: [post(1), post(1)], code: 1 },
    { name: "has pseudo headers in trailers", frames: [post(1), get(1)], code: 1 },
    { name: "depends on itself", frames: [encodeFrame(frameType.headers, flag.endHeaders | flag.endStream | flag.priority, 1, Buffer.concat([Buffer.of(0, 0, 0, 1, 0), block()]))], code: 1 },
    { name: "enlarges a window by nothing", frames: [get(1), encodeNumber(frameType.windowUpdate, 1, 0)], code: 1 },
    { name: "enlarges a window beyond all bounds", frames: [get(1), encodeNumber(frameType.windowUpdate, 1, 0x7fffffff)], code: 3 },
    { name: "has no method", frames: [headers([[":scheme", "http"], [":path", "/"]])], code: 1 },
    { name: "has no scheme", frames: [headers([[":method", "GET"], [":path", "/"]])], code: 1 },
    { name: "has no path", frames: [headers([[":method", "GET"], [":scheme", "http"]])], code: 1 },
    { name: "has an empty path", frames: [headers([[":method", "GET"], [":scheme", "http"], [":path", ""]])], code: 1 },
    { name: "says a pseudo header twice", frames: [headers([[":method", "GET"], [":method", "PUT"], [":scheme", "http"], [":path", "/"]])], code: 1 },
    { name: "has a pseudo header of answers", frames: [headers([[":method", "GET"], [":scheme", "http"], [":path", "/"], [":status", "200"]])], code: 1 },
    { name: "has a pseudo header behind others", frames: [headers([[":method", "GET"], [":scheme", "http"], ["a", "b"], [":path", "/"]])], code: 1 },
    { name: "has a name with capitals", frames: [get(1, 5, [["Accept", "a"]])], code: 1 },
    { name: "has a value with a line break", frames: [get(1, 5, [["a", "b\r\nc: d"]])], code: 1 },
    { name: "connects to nowhere", frames: [headers([[":method", "CONNECT"], [":scheme", "http"], [":path", "/"], [":authority", "a"]])], code: 1 },
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
    const { port } = await serve((stream) => stream.read({ onData() {}, onEnd: () => whys.push("ended"), onCut: (why) => (whys.push(why), answer(stream)) }));
    expect(await say(port, [...greeting, post(1, [["content-length", "3"]]), data(1, 2, flag.endStream)])).toEqual(["answer 1"]);
    expect(whys).toEqual(["request declared a Content-Length of 3 but only wrote 2 bytes"]);
  });

  it("may send frames as long as it was told", async () => {
    const { port } = await serve((stream) => {
      let bytes = 0;
      stream.read({ onData: (part) => (stream.credit(part.length), (bytes += part.length)), onEnd: () => bytes === 262_144 && answer(stream), onCut() {} });
    });
    expect(await say(port, [...greeting, post(1), data(1, 262_144, flag.endStream)])).toEqual(["answer 1"]);
  });

  it("is not heard when it gave up in the same breath", async () => {
    const { port, told } = await serve((stream) => answer(stream));
    expect(await say(port, [...greeting, get(1), encodeNumber(frameType.reset, 1, 8), get(3)])).toEqual(["answer 3"]);
    expect(told.length).toBe(1);
  });

  it("may go on sending for a while to who answered early", async () => {
    const { port } = await serve((stream) => answer(stream));
    expect(await say(port, [...greeting, post(1), get(3), data(1, 100), data(1, 0, flag.endStream)])).toEqual(["answer 3", "answer 1"]);
  });

  it("is heard with requests whose bodies have come, before those whose have not", async () => {
    const { port, told } = await serve((stream, path) => answer(stream, path));
    expect(await say(port, [...greeting, post(1), post(3), data(3, 5, flag.endStream), data(1, 5)])).toEqual(["answer 3", "answer 1"]);
    expect(told.length).toBe(2);
  });

  it("and sends headers that are too long hears so", async () => {
    const { port } = await serve(() => {});
    // One entry of the table, a quarter of a million times.
    const bomb = Buffer.concat([Buffer.from("40 01 61 01 62".replaceAll(" ", ""), "hex"), Buffer.alloc(16_000, 0xbe)]);
    const frames = [encodeFrame(frameType.headers, flag.endStream, 1, bomb), ...Array.from({ length: 10 }, (_, at) => encodeFrame(frameType.continuation, at === 9 ? flag.endHeaders : 0, 1, Buffer.alloc(16_000, 0xbe)))];
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
    await expect.poll(() => [before, (before = answered)], { interval: 300, timeout: 10_000 }).toSatisfy(([a, b]) => a === b && b > 0);
    expect(answered).toBeLessThan(5_000);
    socket.resume();
    await expect.poll(() => answered, { timeout: 10_000 }).toBe(20_000);
  });
});
