import { createServer } from "node:http";
import { type AddressInfo, connect as connectTcp } from "node:net";
import { Duplex } from "node:stream";
import { afterEach, describe, expect, it } from "vitest";
import { refuseUpgrade } from "../upgrade/index.js";
import { acceptWebSocket, connectWebSocket, planHandshake, tunnelThrough } from "../websocket/index.js";
import { encodeControl, encodeData, FrameReader, uint32 } from "./frame.js";
import { HeaderWriter } from "./header-block.js";
import {
  acceptSpdy,
  connectSpdy,
  createSpdyConnection,
  isSpdyRequest,
  type SpdyConnection,
  type SpdyOptions,
  type SpdyStream,
} from "./index.js";

const clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  setTimer: (ms: number, fire: () => void) => ({ cancel: clearTimeout.bind(undefined, setTimeout(fire, ms)) }),
};
const random = { bytes: (length: number) => crypto.getRandomValues(new Uint8Array(length)) };
const open: { close(): unknown }[] = [];
afterEach(() => open.splice(0).forEach((thing) => thing.close()));

const named = (name: string): Map<string, string[]> => new Map([["streamtype", [name]]]);
const nameOf = (stream: SpdyStream): string => stream.headers.get("streamtype")?.[0] ?? "";
const all = async (stream: Duplex): Promise<Buffer> => {
  const parts: Buffer[] = [];
  for await (const part of stream) parts.push(part as Buffer);
  return Buffer.concat(parts);
};
/** Echoes; refuses streams of that name; resets others of that name after some bytes, or behind a result; never reads the idle. */
const onStream = (stream: SpdyStream): boolean | void => {
  stream.on("error", () => undefined);
  if (nameOf(stream) === "refuse") return false;
  if (nameOf(stream) === "idle") return;
  if (nameOf(stream) === "reset") return void stream.once("data", () => stream.reset("internal-error"));
  if (nameOf(stream) === "result") return void stream.once("data", () => (stream.write("exit code 3"), stream.reset()));
  if (nameOf(stream) === "hello") stream.write("hello ");
  stream.pipe(stream);
};

async function serve(options: Partial<SpdyOptions> = {}): Promise<{ url: string; accepted: SpdyConnection[] }> {
  const accepted: SpdyConnection[] = [];
  const server = createServer((_, response) => void response.writeHead(403).end("forbidden"));
  server.on("upgrade", (request, socket, head) => {
    if (!isSpdyRequest(request.headers)) return refuseUpgrade(socket, 400, "no SPDY");
    accepted.push(acceptSpdy(socket, head, { onStream, headers: { "X-Stream-Protocol-Version": "v4" }, ...options }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  open.push({
    close: () => (accepted.forEach((connection) => connection.destroy()), server.closeAllConnections(), server.close()),
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, accepted };
}

describe("a SPDY connection", () => {
  it("carries streams of all sizes at once", async () => {
    const { url } = await serve();
    const { connection, headers } = await connectSpdy({ url, method: "POST" });
    expect(headers["x-stream-protocol-version"]).toBe("v4");
    await Promise.all(
      [0, 1, 1000, 32_768, 100_000, 1_000_000].map(async (size, index) => {
        const stream = await connection.createStream(named(`s${index}`));
        const data = Buffer.alloc(size, `${index}abc`);
        stream.end(data);
        expect((await all(stream)).equals(data)).toBe(true);
      }),
    );
    await connection.ping();
    await connection.close();
  });

  it("sends what a server writes at once behind its reply", async () => {
    const { connection } = await connectSpdy({ url: (await serve()).url });
    const stream = await connection.createStream(named("hello"));
    stream.end("world");
    expect(String(await all(stream))).toBe("hello world");
    connection.destroy();
  });

  it("reports why a stream was refused or reset", async () => {
    const { connection } = await connectSpdy({ url: (await serve()).url });
    await expect(connection.createStream(named("refuse"))).rejects.toMatchObject({
      name: "SpdyError",
      reason: "refused-stream",
    });
    const stream = await connection.createStream(named("reset"));
    stream.write("x");
    await expect(all(stream)).rejects.toMatchObject({ reason: "internal-error" });
    const other = await connection.createStream(named("still well"));
    other.end("x");
    expect(String(await all(other))).toBe("x");
    connection.destroy();
  });

  it("refuses streams beyond its limit, and takes more when some have ended", async () => {
    const { connection } = await connectSpdy({ url: (await serve({ maxStreams: 2 })).url });
    const [first] = await Promise.all([connection.createStream(named("a")), connection.createStream(named("b"))]);
    await expect(connection.createStream(named("c"))).rejects.toMatchObject({ reason: "refused-stream" });
    first.end();
    await all(first);
    await connection.createStream(named("d"));
    connection.destroy();
  });

  it("closes when its streams have ended, and opens no more", async () => {
    const { connection } = await connectSpdy({ url: (await serve()).url });
    const stream = await connection.createStream(named("a"));
    const closed = connection.close();
    await expect(connection.createStream(named("b"))).rejects.toMatchObject({ reason: "refused-stream" });
    stream.end("last bytes");
    expect(String(await all(stream))).toBe("last bytes");
    await closed;
  });

  it("ends streams when the connection is lost", async () => {
    const { url, accepted } = await serve();
    const { connection } = await connectSpdy({ url });
    const stream = await connection.createStream(named("a"));
    stream.write("x");
    await new Promise((resolve) => stream.once("data", resolve));
    accepted[0]!.destroy();
    expect((await all(stream)).length).toBe(0);
    await connection.closed;
    await connection.ping();
  });

  it("reads what came right in front of a reset: the exit code of a command that containerd ran", async () => {
    const { url } = await serve();
    const { connection } = await connectSpdy({ url });
    open.push({ close: () => connection.destroy() });
    const stream = await connection.createStream(named("result"));
    stream.write("run");
    expect((await all(stream)).toString()).toBe("exit code 3");
    await expect.poll(() => stream.destroyed).toBe(true);
  });

  it("resets the peer's stream when one is destroyed", async () => {
    const gone: string[] = [];
    const { url } = await serve({
      onStream: (stream) => void stream.on("error", (error: Error) => gone.push(error.message)).resume(),
    });
    const { connection } = await connectSpdy({ url });
    (await connection.createStream(named("a"))).destroy();
    await expect.poll(() => gone).toEqual(["the other side reset the stream: cancel"]);
    connection.destroy();
  });

  it("applies backpressure to a stream that is not read", async () => {
    const { connection } = await connectSpdy({ url: (await serve()).url });
    const stream = await connection.createStream(named("idle"));
    let sent = 0;
    const full = new Promise<void>((resolve) => {
      const write = (): void => {
        while (sent < 200_000_000 && stream.write(Buffer.alloc(100_000))) sent += 100_000;
        const waiting = setTimeout(resolve, 300);
        stream.once("drain", () => (clearTimeout(waiting), write()));
      };
      write();
    });
    await full;
    expect(sent).toBeLessThan(50_000_000);
    connection.destroy();
  });

  it("keeps frames of one byte that nobody reads as one block", async () => {
    const streams: SpdyStream[] = [];
    const socket = new Duplex({ read() {}, write: (_chunk, _encoding, done) => done() });
    createSpdyConnection(socket, { role: "server", onStream: (stream) => void streams.push(stream) });
    const headers = new HeaderWriter().write(named("a"));
    socket.emit("data", encodeControl(1, 0, uint32(1), uint32(0), Buffer.from([0, 0]), headers));
    const slab = Buffer.concat(Array.from({ length: 1000 }, () => encodeData(1, false, Buffer.from("x"))));
    for (let at = 0; at < 50; at++) socket.emit("data", slab);
    expect((streams[0]!.read() as Buffer).length).toBe(50_000);
    socket.destroy();
  });

  it("ends with a peer that opens streams and does not read the refusals", async () => {
    const socket = new Duplex({ read() {}, write() {} });
    createSpdyConnection(socket, { role: "server", maxStreams: 0 });
    const writer = new HeaderWriter();
    for (let id = 1; id < 10_000 && !socket.destroyed; id += 2)
      socket.emit("data", encodeControl(1, 0, uint32(id), uint32(0), Buffer.from([0, 0]), writer.write(named("a"))));
    expect([socket.destroyed, socket.writableLength < 100_000]).toEqual([true, true]);
  });

  it("reports a refused handshake", async () => {
    const { url } = await serve();
    const http = createServer((_, response) => void response.writeHead(403).end("forbidden"));
    await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
    open.push(http);
    await expect(
      connectSpdy({ url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/` }),
    ).rejects.toMatchObject({
      name: "UpgradeRefused",
      status: 403,
      message: expect.stringContaining("forbidden") as string,
    });
    expect(url).toBeTruthy();
  });

  it("goes through a WebSocket", async () => {
    const server = createServer();
    server.on("upgrade", (request, socket, head) => {
      const plan = planHandshake(request.headers, ["SPDY/3.1+portforward.k8s.io"]);
      if (plan.kind === "refuse") return refuseUpgrade(socket, plan.status, plan.message);
      createSpdyConnection(tunnelThrough(acceptWebSocket(socket, head, plan, { clock, random })), {
        role: "server",
        onStream,
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    open.push({ close: () => (server.closeAllConnections(), server.close()) });
    const websocket = await connectWebSocket({
      url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}/`,
      protocols: ["SPDY/3.1+portforward.k8s.io"],
      clock,
      random,
    });
    const connection = createSpdyConnection(tunnelThrough(websocket), { role: "client" });
    const stream = await connection.createStream(named("a"));
    const data = Buffer.alloc(2_000_000, "abc");
    stream.end(data);
    expect((await all(stream)).equals(data)).toBe(true);
    await connection.close();
  });
});

describe("frames that break the rules end the connection", () => {
  const syn = (id: number): Buffer =>
    encodeControl(1, 0, uint32(id), uint32(0), Buffer.from([0, 0]), new HeaderWriter().write(new Map()));
  const cases = [
    { name: "another version", bytes: Buffer.from("8002000100000000", "hex") },
    { name: "a control frame of a megabyte", bytes: Buffer.from("800300010010000000", "hex") },
    { name: "a short stream opening", bytes: encodeControl(1, 0, uint32(1)) },
    { name: "a stream with the server's number", bytes: syn(2) },
    { name: "a stream without a number", bytes: syn(0) },
    {
      name: "headers that cannot be read",
      bytes: encodeControl(1, 0, uint32(1), uint32(0), Buffer.from([0, 0, 1, 2, 3])),
    },
  ];
  for (const { name, bytes } of cases) {
    it(name, async () => {
      const { url } = await serve();
      const socket = connectTcp(Number(new URL(url).port), "127.0.0.1");
      socket.write("POST / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: SPDY/3.1\r\n\r\n");
      await new Promise((resolve) => socket.once("data", resolve));
      socket.write(bytes);
      socket.resume();
      await new Promise((resolve) => socket.once("close", resolve));
    });
  }

  it("but unknown streams and frames are passed over", async () => {
    const answers: Buffer[] = [];
    const { url } = await serve();
    const socket = connectTcp(Number(new URL(url).port), "127.0.0.1");
    socket.write("POST / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: SPDY/3.1\r\n\r\n");
    await new Promise((resolve) => socket.once("data", resolve));
    socket.on("data", (part: Buffer) => answers.push(part));
    socket.write(
      Buffer.concat([
        encodeData(9, true, Buffer.from("x")),
        encodeControl(77, 0, uint32(1)),
        encodeControl(4, 0, uint32(0)),
        encodeControl(9, 0, uint32(1), uint32(1000)),
        encodeControl(6, 0, uint32(7)),
      ]),
    );
    await expect.poll(() => Buffer.concat(answers).toString("hex")).toBe("800300060000000400000007");
    socket.destroy();
  });
});

describe("FrameReader", () => {
  const bytes = Buffer.concat([
    encodeControl(6, 0, uint32(1)),
    encodeData(1, false, Buffer.from("hello")),
    encodeData(1, true, Buffer.alloc(0)),
    encodeControl(7, 0, uint32(0), uint32(0)),
  ]);
  for (const size of [1, 3, 8, 13, bytes.length]) {
    it(`finds the frames in pieces of ${size} bytes`, () => {
      const seen: string[] = [];
      let text = "";
      const reader = new FrameReader({
        onControl: ({ type }) => seen.push(`control ${type}`),
        onData: (_, data, fin) => ((text += data.toString()), fin && seen.push(`end of ${text}`)),
      });
      for (let offset = 0; offset < bytes.length; offset += size) reader.push(bytes.subarray(offset, offset + size));
      expect(seen).toEqual(["control 6", "end of hello", "control 7"]);
    });
  }
});

it("a reset that nobody listens for does not end the process", async () => {
  const socket = new Duplex({ read() {}, write: (_, __, done) => done() });
  const opened: SpdyStream[] = [];
  createSpdyConnection(socket, { role: "server", onStream: (stream) => void opened.push(stream) });
  const headers = new HeaderWriter().write(named("a"));
  socket.push(encodeControl(1, 0, uint32(1), uint32(0), Buffer.from([0, 0]), headers));
  socket.push(encodeControl(3, 0, uint32(1), uint32(6)));
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
  expect(opened.map((stream) => stream.destroyed)).toEqual([true]);
});
