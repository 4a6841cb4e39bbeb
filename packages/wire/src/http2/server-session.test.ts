import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect as connectHttp2,
  constants,
  type OutgoingHttpHeaders,
} from "node:http2";
import type { Socket } from "node:net";
import { Duplex } from "node:stream";
import { describe, expect, it } from "vitest";
import { allocateFrame, frameType, preface } from "./frame.js";
import { answer, echo, open, serve } from "./served-session.test.support.js";
import { ServerSession } from "./server-session.js";
import type { ServerStream } from "./server-stream.js";

describe("a server session, with Node's client", () => {
  const openClient = (port: number, settings = {}): ClientHttp2Session => {
    const client = connectHttp2(`http://127.0.0.1:${port}`, { settings });
    client.on("error", () => {});
    open.push({ close: () => client.destroy() });
    return client;
  };
  interface ClientResponse {
    readonly status: number | undefined;
    readonly body: Buffer;
    /** Of the reset, 0 if there was none. */
    readonly code: number;
  }
  const ask = (
    client: ClientHttp2Session,
    headers: OutgoingHttpHeaders,
    body?: Buffer,
    act?: (stream: ClientHttp2Stream) => void,
  ): Promise<ClientResponse> =>
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

  const sizes = [0, 1, 100, 16_384, 16_385, 65_535, 65_536, 300_000, 3_000_000];
  const expectEcho = async (client: ClientHttp2Session, body: Buffer): Promise<void> => {
    const response = await ask(client, { ":path": "/" }, body);
    expect([response.status, response.code]).toEqual([200, 0]);
    expect(response.body.equals(body)).toBe(true);
  };

  it("carries many concurrent requests, of all sizes", async () => {
    const { port } = await serve(echo);
    const client = openClient(port);
    await Promise.all(sizes.map((size, index) => expectEcho(client, Buffer.alloc(size, String(index)))));
  });

  it("carries as much for several users on several connections", async () => {
    const { port, sessions } = await serve((stream) => {
      sessions.forEach((session, index) => (session.flow = `user-${index}`));
      echo(stream);
    });
    const clients = [openClient(port), openClient(port), openClient(port)];
    for (const client of clients) await expectEcho(client, Buffer.alloc(1));
    await Promise.all(
      clients.flatMap((client) => sizes.map((size, index) => expectEcho(client, Buffer.alloc(size, String(index))))),
    );
  });

  it("sends long responses through small windows", async () => {
    const body = Buffer.alloc(2_000_000, "abcdefg");
    const { port } = await serve((stream) => answer(stream, String(body)));
    const response = await ask(openClient(port, { initialWindowSize: 1000 }), { ":path": "/" });
    expect(response.body.equals(body)).toBe(true);
  });

  it("serves other streams of a connection while a long response is not read", async () => {
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

  it("reports when a write must wait, and when it may continue", async () => {
    let waits = 0;
    const { port } = await serve((stream) => {
      stream.respond(200, {}, false);
      let left = 200;
      const more = (): void => {
        while (left > 0) {
          left -= 1;
          if (stream.write(Buffer.alloc(10_000))) continue;
          waits += 1;
          return stream.onceDrained(more);
        }
        stream.end();
      };
      more();
    });
    const response = await ask(openClient(port), { ":path": "/" });
    expect(response.body.length).toBe(2_000_000);
    expect(waits).toBeGreaterThan(0);
  });

  it("refuses streams above the limit, which may be retried", async () => {
    const waiting: ServerStream[] = [];
    const { port } = await serve((stream) => void waiting.push(stream), 2);
    const client = openClient(port);
    // Before the client knows the limit it may open more.
    const response = Array.from({ length: 3 }, (_, index) => ask(client, { ":path": `/${index}`, ":method": "GET" }));
    expect((await response[2]!).code).toBe(constants.NGHTTP2_REFUSED_STREAM);
    waiting.forEach((stream) => answer(stream));
    expect((await Promise.all(response.slice(0, 2))).map(({ status }) => status)).toEqual([200, 200]);
  });

  it("notices a reset by the client, and resets an incomplete response", async () => {
    const over: string[] = [];
    const { port } = await serve((stream, path) => {
      stream.onceClosed(() => over.push(path));
      if (path === "/cut") {
        stream.respond(200, {}, false);
        stream.reset(constants.NGHTTP2_CANCEL);
      }
    });
    const client = openClient(port);
    expect((await ask(client, { ":path": "/cut" })).code).toBe(constants.NGHTTP2_CANCEL);
    await ask(client, { ":path": "/given-up" }, undefined, (stream) =>
      setTimeout(() => stream.close(constants.NGHTTP2_CANCEL), 50),
    );
    await expect.poll(() => over).toEqual(["/cut", "/given-up"]);
    const lost = client.request({ ":path": "/lost" });
    lost.on("error", () => {});
    setTimeout(() => client.destroy(), 50);
    await expect.poll(() => over).toContain("/lost");
  });

  it("responds before a body has arrived, and does not wait for the rest", async () => {
    const { port } = await serve((stream) => {
      stream.respond(413, {}, false);
      stream.end(Buffer.from("too much"));
    });
    const response = await ask(openClient(port), { ":path": "/" }, undefined, (stream) =>
      stream.write(Buffer.alloc(100_000)),
    );
    expect([response.status, String(response.body), response.code]).toEqual([413, "too much", 0]);
  });

  it("buffers an unread body up to its flow-control window, and then credits it", async () => {
    const { port } = await serve((stream, path) => (path === "/echo" ? echo(stream) : stream.onceClosed(() => {})));
    const client = openClient(port);
    const stuck = Array.from({ length: 15 }, (_, at) => client.request({ ":path": `/${at}`, ":method": "POST" }));
    for (const stream of stuck) stream.on("error", () => {}).end(Buffer.alloc(300_000));
    const body = Buffer.alloc(900_000, "x");
    expect((await ask(client, { ":path": "/echo" }, body)).body.length).toBe(body.length);
    for (const stream of stuck) stream.close(constants.NGHTTP2_CANCEL);
    for (let times = 0; times < 30; times++)
      expect((await ask(client, { ":path": "/echo" }, body)).body.length).toBe(body.length);
  });

  it("sends 100 Continue when the body is read", async () => {
    const { port } = await serve((stream) =>
      stream.read({ onData() {}, onEnd: () => answer(stream, "received"), onAborted() {} }),
    );
    const response = await ask(openClient(port), { ":path": "/", expect: "100-continue" }, undefined, (stream) =>
      stream.on("continue", () => stream.end("body")),
    );
    expect([response.status, String(response.body)]).toEqual([200, "received"]);
  });

  it("takes trailers as the end of a body", async () => {
    const { port } = await serve(echo);
    const client = openClient(port);
    const response = await new Promise<string>((resolve) => {
      const stream = client.request({ ":path": "/", ":method": "POST" }, { waitForTrailers: true });
      let body = "";
      stream.on("wantTrailers", () => stream.sendTrailers({ checksum: "1" }));
      stream.on("data", (part) => (body += String(part)));
      stream.on("end", () => resolve(body));
      stream.end("text");
    });
    expect(response).toBe("text");
  });

  it("sends headers of any length", async () => {
    const { port } = await serve((stream) => stream.respond(200, { long: "x".repeat(40_000) }, true));
    const client = connectHttp2(`http://127.0.0.1:${port}`, {
      maxHeaderListPairs: 100,
      settings: { maxHeaderListSize: 100_000 },
    });
    open.push({ close: () => client.destroy() });
    const length = await new Promise((resolve) =>
      client.request({ ":path": "/" }).on("response", (headers) => resolve(headers["long"]?.length)),
    );
    expect(length).toBe(40_000);
  });

  it("serves the requests that arrived before a graceful close", async () => {
    const { port, sessions } = await serve((stream, path) => {
      if (path === "/0") sessions[0]!.close();
      answer(stream, path);
    });
    const client = openClient(port);
    const closed = new Promise((resolve) => client.on("close", resolve));
    const response = await Promise.all(
      Array.from({ length: 50 }, (_, index) => ask(client, { ":path": `/${index}`, ":method": "GET" })),
    );
    expect(response.map(({ body }) => String(body))).toEqual(Array.from({ length: 50 }, (_, index) => `/${index}`));
    await closed;
  });

  it("leaves requests that were not begun to be retried when it is ended", async () => {
    const { port, sessions, begun } = await serve((stream, path) => {
      answer(stream, path);
      sessions[0]!.end();
    });
    const client = openClient(port);
    const response = await Promise.all(
      Array.from({ length: 5 }, (_, index) => ask(client, { ":path": `/${index}`, ":method": "GET" })),
    );
    expect(begun).toEqual(["/0"]);
    expect(response.map(({ status, code }) => status ?? code)).toEqual([200, 7, 7, 7, 7]);
  });

  it("begins nothing more after closeNow, and completes what was begun", async () => {
    const waiting: ServerStream[] = [];
    const { port, sessions, begun } = await serve((stream) => {
      waiting.push(stream);
      sessions[0]!.closeNow();
    });
    const client = openClient(port);
    const response = Array.from({ length: 5 }, (_, index) => ask(client, { ":path": `/${index}`, ":method": "GET" }));
    expect((await Promise.all(response.slice(1))).map(({ status, code }) => status ?? code)).toEqual([7, 7, 7, 7]);
    expect(begun).toEqual(["/0"]);
    answer(waiting[0]!, "late");
    expect(String((await response[0]!).body)).toBe("late");
  });

  it("completes open streams when it is closed, and then closes the connection", async () => {
    const waiting: ServerStream[] = [];
    const { port, sessions } = await serve((stream) => void waiting.push(stream));
    const client = openClient(port);
    const closed = new Promise((resolve) => client.on("close", resolve));
    const response = ask(client, { ":path": "/" });
    await expect.poll(() => waiting.length).toBe(1);
    sessions[0]!.close();
    await new Promise((resolve) => client.on("goaway", resolve));
    answer(waiting[0]!, "late");
    expect(String((await response).body)).toBe("late");
    await closed;
  });
});

describe("backpressure of a server session", () => {
  const frame = (bytes: number): Buffer => Buffer.concat([preface, allocateFrame(frameType.settings, 0, 0, bytes)]);
  it.each([
    { title: "reads on while the backlog is small", bytes: 100_000, isPaused: false },
    { title: "pauses a client that sends faster than it is served", bytes: 600_000, isPaused: true },
  ])("$title", ({ bytes, isPaused }) => {
    const socket = new Duplex({ read() {}, write: (_chunk, _encoding, done) => done() }) as Socket;
    const clock = { now: () => 0, monotonic: () => 0, setTimer: () => ({ cancel() {} }) };
    const session = new ServerSession(socket, {
      maxStreams: 100,
      clock,
      scheduler: { schedule() {} },
      onRequest() {},
      onRefused() {},
      onClose() {},
    });
    expect(session.flow).toBeUndefined();
    socket.emit("data", frame(bytes));
    expect(socket.isPaused()).toBe(isPaused);
  });
});
