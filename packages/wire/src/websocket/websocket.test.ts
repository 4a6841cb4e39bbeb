import { createServer, type IncomingMessage, type Server } from "node:http";
import { type AddressInfo, connect as connectTcp } from "node:net";
import { Duplex } from "node:stream";
import { afterEach, describe, expect, it } from "vitest";
import { WebSocket as TheirClient, WebSocketServer as TheirServer } from "ws";
import { refuseUpgrade } from "../upgrade/index.js";
import { encodeFrame, opcode } from "./frame.js";
import {
  acceptWebSocket,
  type Channels,
  channelProtocols,
  connectWebSocket,
  createWebSocket,
  openChannels,
  planHandshake,
  tunnelThrough,
  type WebSocketConnection,
} from "./index.js";

const clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  setTimer(ms: number, fire: () => void) {
    const handle = setTimeout(fire, ms);
    return { cancel: () => clearTimeout(handle) };
  },
};
const random = { bytes: (length: number) => crypto.getRandomValues(new Uint8Array(length)) };
const settings = { clock, random, closeTimeoutMs: 500 };
const open: { close(): unknown }[] = [];
afterEach(() => open.splice(0).forEach((thing) => thing.close()));

/** A server that hands each accepted connection to `onSocket`. */
async function serve(
  onSocket: (websocket: WebSocketConnection) => void,
  supported = ["", "echo"],
  maxMessageBytes?: number,
): Promise<string> {
  const server: Server = createServer((_, response) => void response.writeHead(404).end("not here"));
  server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const plan = planHandshake(request.headers, supported);
    if (plan.kind === "refuse") return refuseUpgrade(socket, plan.status, plan.message, plan.headers);
    onSocket(
      acceptWebSocket(socket, head, plan, { ...settings, ...(maxMessageBytes !== undefined && { maxMessageBytes }) }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  open.push({ close: () => (server.closeAllConnections(), server.close()) });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

const echo = (websocket: WebSocketConnection): void =>
  websocket.listen({ onMessage: (data, text) => void websocket.send(text ? data.toString() : data) });
const closeOf = (socket: TheirClient): Promise<[number, string]> =>
  new Promise((resolve) => socket.once("close", (code, reason) => resolve([code, reason.toString()])));

describe("a server, with another's client", () => {
  it("echoes messages of all sizes, whole and fragmented", async () => {
    const url = await serve(echo);
    const client = new TheirClient(url, "echo");
    await new Promise((resolve) => client.once("open", resolve));
    expect(client.protocol).toBe("echo");
    for (const size of [0, 1, 125, 126, 65_535, 65_536, 1_000_000]) {
      const data = Buffer.alloc(size, "abc");
      const answer = new Promise<Buffer>((resolve) =>
        client.once("message", (received) => resolve(received as Buffer)),
      );
      if (size === 65_536) {
        client.send(data.subarray(0, 10), { fin: false });
        client.send(data.subarray(10, 20), { fin: false });
        client.ping();
        client.send(data.subarray(20), { fin: true });
      } else client.send(data);
      expect((await answer).equals(data)).toBe(true);
    }
    const text = new Promise<[string, boolean]>((resolve) =>
      client.once("message", (received, binary) => resolve([received.toString(), binary])),
    );
    client.send("grüße");
    expect(await text).toEqual(["grüße", false]);
    const pong = new Promise((resolve) => client.once("pong", (data) => resolve(data.toString())));
    client.ping("hi");
    expect(await pong).toBe("hi");
    client.close(4001, "done");
    expect(await closeOf(client)).toEqual([4001, ""]);
  });

  it("exchanges Close frames", async () => {
    const url = await serve((websocket) => {
      websocket.listen({ onMessage: () => websocket.close(1008, "enough") });
    });
    const client = new TheirClient(url);
    client.once("open", () => client.send("x"));
    expect(await closeOf(client)).toEqual([1008, "enough"]);
  });

  it("ends the connection at a message over the limit", async () => {
    const url = await serve(echo, [""], 1000);
    const client = new TheirClient(url);
    client.once("open", () => client.send(Buffer.alloc(1001)));
    expect((await closeOf(client))[0]).toBe(1009);
  });

  it("refuses what it does not speak", async () => {
    const url = await serve(echo, ["echo"]);
    const client = new TheirClient(url, ["other"]);
    const error = await new Promise<Error>((resolve) => client.once("error", resolve));
    expect(error.message).toContain("400");
  });
});

describe("a client, with another's server", () => {
  it("echoes messages, masked", async () => {
    const server = new TheirServer({
      port: 0,
      host: "127.0.0.1",
      handleProtocols: (names) => [...names].at(-1) ?? false,
    });
    open.push(server);
    server.on("connection", (socket) => socket.on("message", (data, binary) => socket.send(data, { binary })));
    await new Promise((resolve) => server.once("listening", resolve));
    const client = await connectWebSocket({
      url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}/`,
      protocols: ["a", "b"],
      ...settings,
    });
    expect(client.protocol).toBe("b");
    const received: [number, boolean][] = [];
    let done: () => void;
    const all = new Promise<void>((resolve) => (done = resolve));
    let how: unknown;
    client.listen({
      onMessage(data, text) {
        received.push([data.length, text]);
        if (received.length === 3) done();
      },
      onClose: (closed) => (how = closed),
    });
    client.send("hi");
    client.send(Buffer.alloc(70_000));
    client.send(Buffer.alloc(0));
    await all;
    expect(received).toEqual([
      [2, true],
      [70_000, false],
      [0, false],
    ]);
    client.close(1000, "bye");
    await expect.poll(() => how).toEqual({ code: 1000, reason: "bye", wasClean: true });
  });

  it("reports why it was refused", async () => {
    const url = await serve(echo, ["echo"]);
    await expect(connectWebSocket({ url, protocols: ["x"], ...settings })).rejects.toMatchObject({
      name: "UpgradeRefused",
      status: 400,
      message: expect.stringMatching(/not supported: x; supports echo/) as string,
    });
  });
});

describe("bad frames", () => {
  const mask = Uint8Array.of(1, 2, 3, 4);
  const frame = (kind: number, payload: string | Buffer, final = true): Buffer =>
    encodeFrame({ opcode: kind, final, payload: Buffer.from(payload) }, mask);
  const cases = [
    {
      name: "a frame that is not masked",
      bytes: encodeFrame({ opcode: opcode.text, final: true, payload: Buffer.from("x") }),
      code: 1002,
    },
    { name: "an unknown opcode", bytes: frame(3, "x"), code: 1002 },
    {
      name: "a reserved bit",
      bytes: Buffer.concat([Buffer.from([0xc1]), frame(opcode.text, "x").subarray(1)]),
      code: 1002,
    },
    { name: "a fragmented ping", bytes: frame(opcode.ping, "x", false), code: 1002 },
    { name: "a long ping", bytes: frame(opcode.ping, "x".repeat(126)), code: 1002 },
    { name: "a continuation of nothing", bytes: frame(opcode.continuation, "x"), code: 1002 },
    {
      name: "a message inside another",
      bytes: Buffer.concat([frame(opcode.text, "x", false), frame(opcode.text, "y")]),
      code: 1002,
    },
    { name: "text that is not UTF-8", bytes: frame(opcode.text, Buffer.from([0xff])), code: 1007 },
    { name: "a close with one byte", bytes: frame(opcode.close, "x"), code: 1002 },
    { name: "a close with an illegal code", bytes: frame(opcode.close, Buffer.from([1, 0])), code: 1002 },
    {
      name: "a length beyond all bounds",
      bytes: Buffer.concat([Buffer.from([0x82, 0xff]), Buffer.alloc(8, 0x7f), mask]),
      code: 1009,
    },
    {
      name: "a message of frames without bytes",
      bytes: Buffer.concat([
        frame(opcode.binary, "", false),
        ...Array.from({ length: 1000 }, () => frame(opcode.continuation, "", false)),
      ]),
      code: 1008,
    },
    {
      name: "a message over the limit, byte by byte,",
      bytes: Buffer.concat([
        frame(opcode.binary, "", false),
        ...Array.from({ length: 1001 }, () => frame(opcode.continuation, "x", false)),
      ]),
      code: 1009,
      maxMessageBytes: 1000,
    },
  ];
  for (const { name, bytes, code, maxMessageBytes } of cases) {
    it(`${name} ends the connection with ${code}`, async () => {
      const url = new URL(await serve(echo, undefined, maxMessageBytes));
      const socket = connectTcp(Number(url.port), "127.0.0.1");
      socket.write(
        "GET / HTTP/1.1\r\nHost: x\r\nConnection: keep-alive, Upgrade\r\nUpgrade: WebSocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
      );
      const parts: Buffer[] = [];
      socket.on("data", (part: Buffer) => parts.push(part));
      await expect.poll(() => Buffer.concat(parts).toString()).toContain("s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
      const greeting = Buffer.concat(parts).indexOf("\r\n\r\n") + 4;
      socket.write(bytes);
      await new Promise((resolve) => socket.once("end", resolve));
      const answer = Buffer.concat(parts).subarray(greeting);
      expect([answer[0], answer.readUInt16BE(2)]).toEqual([0x88, code]);
      socket.destroy();
    });
  }
});

describe("what a peer sends without need", () => {
  /** Counts what is written to it, and never drains. */
  function stuckSocket(): { socket: Duplex; written: () => number } {
    let written = 0;
    const socket = new StuckSocket(() => written++);
    return { socket, written: () => written };
  }
  const masked = (kind: number, payload: string): Buffer =>
    encodeFrame({ opcode: kind, final: true, payload: Buffer.from(payload) }, Uint8Array.of(0, 0, 0, 0));

  it("a refused handshake closes the socket of a client that goes on sending", async () => {
    const sockets: Duplex[] = [];
    const server = createServer();
    server.on("upgrade", (_, socket: Duplex) => (sockets.push(socket), refuseUpgrade(socket, 403, "")));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    open.push({ close: () => (server.closeAllConnections(), server.close()) });
    const client = connectTcp((server.address() as AddressInfo).port, "127.0.0.1");
    client.on("error", () => {});
    client.write("GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n");
    client.write(Buffer.alloc(1_000_000));
    await expect.poll(() => sockets.map(({ destroyed }) => destroyed)).toEqual([true]);
    client.destroy();
  });

  it("pings are not answered while the pongs are not read", () => {
    const { socket, written } = stuckSocket();
    createWebSocket(socket, { role: "server", protocol: "", ...settings }).listen({ onMessage() {} });
    for (let at = 0; at < 100; at++) socket.emit("data", Buffer.concat(Array(1000).fill(masked(opcode.ping, "x"))));
    expect(written() + socket.writableLength).toBeLessThan(100_000);
    socket.destroy();
  });

  it("data behind a frame that ended the connection is not kept", () => {
    const { socket } = stuckSocket();
    createWebSocket(socket, { role: "server", protocol: "", ...settings }).listen({ onMessage() {} });
    socket.emit("data", masked(3, "unknown"));
    const slab = Buffer.alloc(1_000_000);
    const before = process.memoryUsage().arrayBuffers;
    for (let at = 0; at < 100; at++) socket.emit("data", slab);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(50_000_000);
    socket.destroy();
  });
});

class StuckSocket extends Duplex {
  readonly #onWrite: () => void;

  constructor(onWrite: () => void) {
    super();
    this.#onWrite = onWrite;
  }

  override _read(): void {}

  override _write(): void {
    this.#onWrite();
  }
}

describe("planHandshake", () => {
  const good = {
    connection: "Upgrade",
    upgrade: "websocket",
    "sec-websocket-version": "13",
    "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
  };
  const cases = [
    {
      name: "no protocol where that is fine",
      headers: good,
      supported: ["", "a"],
      plan: { kind: "accept", protocol: "" },
    },
    {
      name: "the client's first that is supported",
      headers: { ...good, "sec-websocket-protocol": "x, b,a" },
      supported: ["a", "b"],
      plan: { kind: "accept", protocol: "b" },
    },
    { name: "no protocol where one is needed", headers: good, supported: ["a"], plan: { kind: "refuse", status: 400 } },
    {
      name: "another version",
      headers: { ...good, "sec-websocket-version": "8" },
      supported: [""],
      plan: { kind: "refuse", status: 426 },
    },
    {
      name: "no key",
      headers: { ...good, "sec-websocket-key": "x" },
      supported: [""],
      plan: { kind: "refuse", status: 400 },
    },
    {
      name: "no upgrade",
      headers: { ...good, connection: "close" },
      supported: [""],
      plan: { kind: "refuse", status: 400 },
    },
  ];
  for (const { name, headers, supported, plan } of cases)
    it(name, () => expect(planHandshake(headers, supported)).toMatchObject(plan));
});

describe("channels", () => {
  const pair = async (protocol: string): Promise<{ server: Channels; client: Channels; raw: WebSocketConnection }> => {
    let accept: (channels: Channels) => void;
    const accepted = new Promise<Channels>((resolve) => (accept = resolve));
    const url = await serve(
      (websocket) => accept(openChannels(websocket, channelProtocols[websocket.protocol]!, 3)),
      [protocol],
    );
    const raw = await connectWebSocket({ url, protocols: protocol === "" ? [] : [protocol], ...settings });
    return { client: openChannels(raw, channelProtocols[protocol]!, 3), server: await accepted, raw };
  };
  const all = async (stream: Duplex): Promise<string> => {
    const parts: Buffer[] = [];
    for await (const part of stream) parts.push(part as Buffer);
    return Buffer.concat(parts).toString();
  };

  for (const protocol of ["", "channel.k8s.io", "base64.channel.k8s.io", "v4.channel.k8s.io", "v5.channel.k8s.io"]) {
    it(`carry bytes each way over ${protocol || "no protocol"}`, async () => {
      const { client, server } = await pair(protocol);
      client.channel(0).write("in");
      const [received] = (await new Promise((resolve) =>
        server.channel(0).once("data", (data: Buffer) => resolve([data.toString()])),
      )) as [string];
      expect(received).toBe("in");
      server.channel(1).write("out 1 ");
      server.channel(2).write("error");
      server.channel(1).write("out 2");
      const texts = [all(client.channel(1)), all(client.channel(2))];
      await server.close();
      expect(await Promise.all(texts)).toEqual(["out 1 out 2", "error"]);
      expect(await client.closed).toMatchObject({ code: 1000, wasClean: true });
    });
  }

  it("end one by one in the fifth version", async () => {
    const { client, server } = await pair("v5.channel.k8s.io");
    client.channel(0).end("all of it");
    expect(await all(server.channel(0))).toBe("all of it");
    server.channel(1).write("still open");
    expect(
      await new Promise((resolve) => client.channel(1).once("data", (data: Buffer) => resolve(data.toString()))),
    ).toBe("still open");
    await client.close();
  });

  it("hold back a sender that is too quick, and lose nothing", async () => {
    const { client, server } = await pair("v4.channel.k8s.io");
    const size = 30_000_000;
    let sent = 0;
    const sending = (async () => {
      for (; sent < size; sent += 100_000)
        if (!server.channel(1).write(Buffer.alloc(100_000)))
          await new Promise((resolve) => server.channel(1).once("drain", resolve));
      await server.close();
    })();
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(sent).toBeLessThan(size);
    let received = 0;
    client.channel(1).on("data", (data: Buffer) => (received += data.length));
    await sending;
    await expect.poll(() => received).toBe(size);
  });
});

it("a tunnel is a plain stream of bytes", async () => {
  const url = await serve((websocket) => {
    const tunnel = tunnelThrough(websocket);
    tunnel.pipe(tunnel);
  });
  const tunnel = tunnelThrough(await connectWebSocket({ url, ...settings }));
  const data = Buffer.alloc(3_000_000, "0123456789");
  const parts: Buffer[] = [];
  let length = 0;
  tunnel.on("data", (part: Buffer) => (parts.push(part), (length += part.length)));
  for (let offset = 0; offset < data.length; offset += 50_000) tunnel.write(data.subarray(offset, offset + 50_000));
  await expect.poll(() => length, { timeout: 5000 }).toBe(data.length);
  expect(Buffer.concat(parts).equals(data)).toBe(true);
  tunnel.destroy();
});
