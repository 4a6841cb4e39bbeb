import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";
import { encodeHeaders } from "@coxswain/wire/http2";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { BuiltInEngine } from "./built-in-engine.js";
import {
  backend,
  entry,
  exchange,
  freePort,
  httpPort,
  portOf,
  rule,
  service,
  startEngine,
} from "./engine.test.support.js";

/** Whatever a client or a backend does, other routes answer all requests, and what is held for the slower side stays small. */
let engine: BuiltInEngine;
let port: number;
let backends: Server[];
const sockets = new Set<Socket>();
const opened: Socket[] = [];

const listen = async (serve: (socket: Socket) => void): Promise<number> => {
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    serve(socket);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  backends.push(server);
  return portOf(server);
};

const block = Buffer.alloc(64 * 1024, "x");
/** Sends as fast as it is read, and for ever. */
const flood = (socket: Socket): void => {
  const more = (): void => {
    while (!socket.destroyed && socket.write(block));
  };
  socket.once("data", () => {
    socket.write("HTTP/1.1 200 OK\r\n\r\n");
    socket.on("drain", more);
    more();
  });
};

beforeAll(async () => {
  backends = [];
  const good = await listen((socket) =>
    socket.on("data", () => socket.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")),
  );
  const endless = await listen(flood);
  const silent = await listen(() => {});
  const unread = await listen((socket) => socket.pause());
  const garbage = await listen((socket) => socket.once("data", () => socket.write(Buffer.concat([block, block]))));
  const many = await listen((socket) =>
    socket.once("data", () => socket.write(`HTTP/1.1 200 OK\r\n${"X: v\r\n".repeat(5000)}\r\n`)),
  );
  const informing = await listen((socket) => {
    const more = (): void => {
      while (!socket.destroyed && socket.write("HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n".repeat(1000)));
    };
    socket.on("drain", more);
    socket.once("data", more);
  });
  port = await freePort();
  const to = (path: string, at: number) => entry(path, rule({ backends: [backend(service(at))] }));
  engine = await startEngine([
    httpPort(port, [
      to("/", good),
      to("/endless", endless),
      to("/silent", silent),
      to("/unread", unread),
      to("/garbage", garbage),
      to("/many", many),
      to("/informing", informing),
    ]),
  ]);
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  for (const server of backends) server.close();
  await engine.close();
});

const get = (path: string, headers = ""): string => `GET ${path} HTTP/1.1\r\nHost: a\r\n${headers}\r\n`;
const others = (): Promise<string[]> =>
  Promise.all(Array.from({ length: 10 }, () => exchange(port, get("/", "Connection: close\r\n"))));

function open(sent: string | Buffer, { reads = true } = {}): Socket {
  const socket = connect(port, "127.0.0.1", () => socket.write(sent, "latin1"));
  socket.on("error", () => {});
  if (reads) socket.resume();
  opened.push(socket);
  return socket;
}
const openMany = (count: number, sent: string | Buffer, options = {}): Socket[] =>
  Array.from({ length: count }, () => open(sent, options));
/** So that what was sent has been received, and what follows from it has happened. */
const settle = async (): Promise<void> => {
  for (let at = 0; at < 3; at++) await others();
};

afterEach(async () => {
  for (const answer of await others())
    if (!/^HTTP\/1\.1 200 OK\r\n[^]*ok$/.test(answer)) throw new Error(`afterwards another client got ${answer}`);
  for (const socket of opened.splice(0)) socket.destroy();
});

const clients = 20;
/** Of one request: what the sockets of both sides take before they are full, and a chunk on its way. */
const perRequest = 512 * 1024;

describe("slow and greedy ones", { timeout: 60_000 }, () => {
  it("clients that do not read an endless answer", async () => {
    openMany(clients, get("/endless"), { reads: false });
    await settle();
    expect(engine.load.heldBytes).toBeLessThan(clients * perRequest);
    expect(engine.load.heldBytes).toBeGreaterThan(0);
  });

  it("clients that read an endless answer do not stop others", async () => {
    openMany(4, get("/endless"));
    await settle();
    expect(engine.load.heldBytes).toBeLessThan(4 * perRequest);
  });

  it("bodies without an end for a backend that does not read", async () => {
    for (const socket of openMany(clients, `POST /unread HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000000\r\n\r\n`)) {
      const more = (): void => {
        while (!socket.destroyed && socket.write(block));
      };
      socket.on("drain", more);
      more();
    }
    await settle();
    expect(engine.load.heldBytes).toBeLessThan(clients * perRequest);
  });

  it("requests to a backend that never answers, whose clients leave", async () => {
    const waiting = openMany(100, get("/silent"));
    await settle();
    expect(engine.load.backendRequests).toBeGreaterThanOrEqual(100);
    for (const socket of waiting) socket.destroy();
    await expect.poll(() => engine.load.backendRequests).toBeLessThan(50);
  });

  it("no more requests reach one endpoint than it may have", async () => {
    openMany(1100, get("/silent"));
    await expect.poll(() => engine.load.backendRequests, { timeout: 20_000 }).toBeGreaterThanOrEqual(1024);
    expect(await exchange(port, get("/silent"), /\r\n\r\n/)).toMatch(/^HTTP\/1\.1 503 /);
    expect(engine.load.backendRequests).toBeLessThan(1100);
  });

  it("requests without an end on one connection", async () => {
    const socket = open(get("/silent"));
    const more = (): void => {
      while (!socket.destroyed && socket.write(get("/").repeat(1000)));
    };
    socket.on("drain", more);
    more();
    await settle();
    expect(engine.load.heldBytes).toBeLessThan(perRequest);
  });

  for (const path of ["/garbage", "/many", "/informing"])
    it(`an answer that is none: ${path}`, async () =>
      expect(await exchange(port, get(path, "Connection: close\r\n"))).toMatch(/^HTTP\/1\.1 502 /));

  it("heads that stay without an end", async () => {
    openMany(clients, `GET / HTTP/1.1\r\nHost: a\r\n${"X: v\r\n".repeat(200)}`);
    await settle();
    expect(engine.load.heldBytes).toBeLessThan(clients * 4096);
  });
});

const preface = Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
const frame = (type: number, flags: number, stream: number, payload: Buffer = Buffer.alloc(0)): Buffer => {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head[3] = type;
  head[4] = flags;
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
};
const settings = frame(4, 0, 0);
const request = (path: string): Buffer =>
  encodeHeaders([
    [":method", "GET"],
    [":scheme", "http"],
    [":authority", "a"],
    [":path", path],
  ]);
const repeat = (times: number, of: (stream: number) => Buffer): Buffer =>
  Buffer.concat(Array.from({ length: times }, (_, at) => of(2 * at + 1)));
const [endHeaders, endStream] = [4, 1];

const floods = [
  {
    name: "requests that are reset at once (CVE-2023-44487)",
    bytes: repeat(5_000, (id) =>
      Buffer.concat([
        frame(1, endHeaders | endStream, id, request("/silent")),
        frame(3, 0, id, Buffer.from([0, 0, 0, 8])),
      ]),
    ),
  },
  {
    name: "a head without an end (CVE-2024-27983)",
    bytes: Buffer.concat([
      frame(1, endStream, 1, request("/")),
      repeat(5_000, () => frame(9, 0, 1, request("/").subarray(0, 1))),
    ]),
  },
  { name: "pings", bytes: repeat(20_000, () => frame(6, 0, 0, Buffer.alloc(8))) },
  { name: "settings", bytes: repeat(20_000, () => settings) },
  {
    name: "empty frames of a body",
    bytes: Buffer.concat([frame(1, endHeaders, 1, request("/")), repeat(20_000, () => frame(0, 0, 1))]),
  },
  {
    name: "more requests at once than it may",
    bytes: repeat(2000, (id) => frame(1, endHeaders | endStream, id, request("/silent"))),
  },
  {
    name: "answers without an end, and windows of nothing",
    bytes: repeat(90, (id) => frame(1, endHeaders | endStream, id, request("/endless"))),
  },
];

describe("floods of HTTP/2", { timeout: 60_000 }, () => {
  for (const { name, bytes } of floods)
    for (const reads of [true, false])
      it(`${name}${reads ? "" : ", by a client that does not read"}`, async () => {
        const socket = open(Buffer.concat([preface, settings, bytes]), { reads });
        await settle();
        // 90 endless answers of a connection hold a window's worth each.
        expect(engine.load.heldBytes).toBeLessThan(100 * perRequest);
        socket.destroy();
      });
});
