import { createServer, type Http2Server, type ServerHttp2Stream } from "node:http2";
import { type AddressInfo, connect, createServer as createTcpServer, type Server, type Socket } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import {
  allocateFrame,
  encodeFrame,
  encodeSettings,
  encodeUint32Frame,
  FrameReader,
  frameType,
  preface,
} from "../frame.js";
import { type Header, headerValue } from "../header.js";
import { encodeHeaders } from "../hpack-encoder.js";
import { ClientSession } from "./client-session.js";
import type { ClientStream, StreamEnd } from "./client-stream.js";

const open: { close(): unknown }[] = [];
afterEach(() => open.splice(0).forEach((thing) => thing.close()));

const listen = async (server: Server | Http2Server): Promise<number> => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  open.push(server as Server);
  return ((server as Server).address() as AddressInfo).port;
};
const serve = (onStream: (stream: ServerHttp2Stream, path: string) => void, settings = {}): Promise<number> => {
  const server = createServer({ settings });
  server.on("sessionError", () => undefined);
  server.on("stream", (stream, headers) => {
    stream.on("error", () => undefined);
    onStream(stream, String(headers[":path"]));
  });
  return listen(server);
};
/** Answers with exactly these bytes after the greeting. */
const serveRaw = (onGreeted: (socket: Socket) => void): Promise<number> =>
  listen(
    createTcpServer((socket) => {
      socket.on("error", () => undefined);
      socket.once("data", () => {
        socket.write(encodeSettings([]));
        setTimeout(() => onGreeted(socket), 20);
      });
    }),
  );

interface Opened {
  readonly session: ClientSession;
  readonly closed: Promise<Error | undefined>;
}
const openSession = (port: number): Promise<Opened> =>
  new Promise((resolve, reject) => {
    let closeNow: (error: Error | undefined) => void;
    const closed = new Promise<Error | undefined>((settle) => (closeNow = settle));
    const session = new ClientSession(connect(port, "127.0.0.1"), {
      onReady: () => resolve({ session, closed }),
      onActivity: () => undefined,
      onClose(error) {
        closeNow(error);
        reject(error ?? new Error("closed"));
      },
    });
    open.push({ close: () => session.destroy() });
  });

interface Answer {
  readonly headers: Header[];
  readonly body: Buffer;
  readonly end: StreamEnd;
}
const ask = (
  session: ClientSession,
  path: string,
  body?: Buffer,
  act?: (stream: ClientStream) => void,
): Promise<Answer> =>
  new Promise((resolve) => {
    const headers: Header[] = [];
    const parts: Buffer[] = [];
    const stream = session.request(
      encodeHeaders([
        [":method", "POST"],
        [":scheme", "http"],
        [":path", path],
        [":authority", "x"],
      ]),
      {
        onHeaders: (some) => void headers.push(...some),
        onData: (part) => void parts.push(part),
        onEnd: (end) => resolve({ headers, body: Buffer.concat(parts), end }),
      },
    );
    if (act) act(stream);
    else stream.end(body);
  });

const echo = (stream: ServerHttp2Stream): void => {
  stream.respond({ ":status": 200 }, { waitForTrailers: true });
  stream.on("wantTrailers", () => stream.sendTrailers({ "x-status": "done" }));
  stream.pipe(stream);
};

describe("a client session, with Node's server", () => {
  it("carries many concurrent requests, with headers, bodies and trailers", async () => {
    const { session } = await openSession(await serve(echo));
    await Promise.all(
      [0, 1, 100, 16_384, 16_385, 65_535, 65_536, 300_000].map(async (size, index) => {
        const body = Buffer.alloc(size, String(index));
        const answer = await ask(session, `/${index}`, body);
        expect([
          headerValue(answer.headers, ":status"),
          headerValue(answer.headers, "x-status"),
          answer.end.kind,
        ]).toEqual(["200", "done", "ended"]);
        expect(answer.body.equals(body)).toBe(true);
      }),
    );
    expect(session.open).toBe(0);
  });

  it("sends long bodies through small windows, and reads responses longer than its own", async () => {
    const { session } = await openSession(await serve(echo, { initialWindowSize: 1000 }));
    const body = Buffer.alloc(20_000_000, "abcdefg");
    const answer = await ask(session, "/", body);
    expect(answer.body.equals(body)).toBe(true);
  });

  it("applies flow control to a response that is not read, and then gets all of it", async () => {
    let sent = 0;
    const port = await serve((stream) => {
      stream.respond({ ":status": 200 });
      const write = (): void => {
        while (sent < 30_000_000 && stream.write(Buffer.alloc(50_000))) sent += 50_000;
        if (sent >= 30_000_000) stream.end();
        else {
          sent += 50_000;
          stream.once("drain", write);
        }
      };
      write();
    });
    const { session } = await openSession(port);
    const answer = await ask(session, "/", undefined, (stream) => {
      stream.end();
      stream.pause();
      setTimeout(() => {
        expect(sent).toBeLessThan(10_000_000);
        stream.resume();
      }, 200);
    });
    expect(answer.body.length).toBe(sent);
  });

  it("waits for the server's limit on concurrent streams", async () => {
    let now = 0;
    let most = 0;
    const port = await serve(
      (stream) => {
        now += 1;
        most = Math.max(most, now);
        setTimeout(() => {
          now -= 1;
          stream.respond({ ":status": 200 }, { endStream: true });
        }, 5);
      },
      { maxConcurrentStreams: 3 },
    );
    const { session } = await openSession(port);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => ask(session, `/${index}`, Buffer.alloc(10))),
    );
    expect(answers.every(({ end }) => end.kind === "ended")).toBe(true);
    expect(most).toBe(3);
  });

  it("reports resets and refused streams", async () => {
    const port = await serve((stream, path) => {
      if (path === "/reset") stream.close(11);
      if (path === "/refuse") stream.close(7);
      if (path === "/lose") stream.session?.destroy();
    });
    const { session } = await openSession(port);
    expect((await ask(session, "/reset")).end).toEqual({ kind: "reset", code: 11 });
    expect((await ask(session, "/refuse")).end).toEqual({ kind: "refused" });
    expect((await ask(session, "/", undefined, (stream) => stream.reset(8))).end).toEqual({ kind: "reset", code: 8 });
    expect(["lost", "reset"]).toContain((await ask(session, "/lose")).end.kind);
  });

  it("gets its PING frames acknowledged", async () => {
    const { session } = await openSession(await serve(echo));
    await Promise.all(Array.from({ length: 5 }, () => new Promise<void>((resolve) => session.ping(resolve))));
  });

  it("completes open streams after GOAWAY, and opens no more", async () => {
    const server = createServer();
    server.on("stream", (stream, headers) => {
      if (headers[":path"] === "/bye") stream.session!.close();
      setTimeout(() => (stream.respond({ ":status": 200 }), stream.end("late")), 50);
    });
    const { session, closed } = await openSession(await listen(server));
    const answers = await Promise.all([ask(session, "/a"), ask(session, "/bye")]);
    expect(answers.map(({ body }) => String(body))).toEqual(["late", "late"]);
    expect(session.usable).toBe(false);
    expect(await closed).toBeUndefined();
  });
});

describe("a protocol error of the server closes the connection", () => {
  const answer = encodeHeaders([[":status", "200"]]);
  const cases = [
    { name: "a frame that is too long", bytes: [allocateFrame(0, 0, 1, 20_000)], reason: /over the limit of 16384/ },
    {
      name: "a response on an idle stream",
      bytes: [encodeFrame(frameType.headers, 5, 7, answer)],
      reason: /stream 7, which is idle/,
    },
    {
      name: "PUSH_PROMISE",
      bytes: [encodeFrame(frameType.pushPromise, 4, 1, Buffer.alloc(8))],
      reason: /PUSH_PROMISE/,
    },
    {
      name: "an interrupted header block",
      bytes: [encodeFrame(frameType.headers, 0, 1, answer), encodeFrame(frameType.data, 0, 1, Buffer.alloc(1))],
      reason: /interrupted/,
    },
    {
      name: "CONTINUATION without a header block",
      bytes: [encodeFrame(frameType.continuation, 4, 1, answer)],
      reason: /without a header block to continue/,
    },
    {
      name: "a malformed header block",
      bytes: [encodeFrame(frameType.headers, 4, 1, Buffer.of(0x80))],
      reason: /HPACK/,
    },
    {
      name: "a CONTINUATION flood",
      bytes: [
        encodeFrame(frameType.headers, 0, 1, answer),
        ...Array.from({ length: 20 }, () => encodeFrame(frameType.continuation, 0, 1, Buffer.alloc(16_000))),
      ],
      reason: /a header block is too long/,
    },
    {
      name: "too much padding",
      bytes: [encodeFrame(frameType.data, 8, 1, Buffer.of(9, 0))],
      reason: /padding exceeds/,
    },
    {
      name: "a flow-control window above 2^31-1",
      bytes: [encodeUint32Frame(frameType.windowUpdate, 0, 0x7fffffff)],
      reason: /out of range/,
    },
    {
      name: "PING of the wrong length",
      bytes: [encodeFrame(frameType.ping, 0, 0, Buffer.alloc(4))],
      reason: /wrong length/,
    },
    {
      name: "SETTINGS of the wrong length",
      bytes: [encodeFrame(frameType.settings, 0, 0, Buffer.alloc(5))],
      reason: /wrong length/,
    },
    {
      name: "an invalid SETTINGS_MAX_FRAME_SIZE",
      bytes: [encodeSettings([[5, 100]])],
      reason: /SETTINGS_MAX_FRAME_SIZE/,
    },
  ];
  for (const { name, bytes, reason } of cases) {
    it(name, async () => {
      const { session, closed } = await openSession(
        await serveRaw((socket) => void socket.write(Buffer.concat(bytes))),
      );
      const asked = ask(session, "/");
      expect((await closed)?.message).toMatch(reason);
      expect((await asked).end.kind).toBe("lost");
    });
  }

  it("unknown frames are ignored, and PING is acknowledged", async () => {
    const received: number[] = [];
    const port = await serveRaw((socket) => {
      const reader = new FrameReader();
      socket.on("data", (chunk: Buffer) => {
        reader.push(chunk);
        for (let frame = reader.next(); frame; frame = reader.next()) received.push(frame.type * 10 + frame.flags);
      });
      socket.write(
        Buffer.concat([
          encodeFrame(77, 0, 0, Buffer.alloc(3)),
          encodeFrame(frameType.priority, 0, 1, Buffer.alloc(5)),
          encodeFrame(frameType.ping, 0, 0, Buffer.alloc(8)),
        ]),
      );
    });
    await openSession(port);
    await expect.poll(() => received).toContain(frameType.ping * 10 + 1);
  });

  it("a server without HTTP/2 fails the connection", async () => {
    const port = await listen(
      createTcpServer(
        (socket) =>
          void socket.on("error", () => undefined).end("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n"),
      ),
    );
    await expect(openSession(port)).rejects.toThrow(/first frame is not SETTINGS|over the limit/);
    expect(preface.length).toBe(24);
  });
});
