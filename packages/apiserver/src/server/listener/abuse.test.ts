import { connect as connectTls } from "node:tls";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { startTestListener } from "./test-listener.test.support.js";

/** Whatever a client does to its own connection, others keep being answered. */
describe("abuse", { timeout: 30_000 }, () => {
  let server: Awaited<ReturnType<typeof startTestListener>>;
  beforeAll(async () => {
    server = await startTestListener();
  });
  afterAll(() => server.stop());

  const get = (path: string): Promise<number> =>
    new Promise((resolve) => {
      const session = server.session();
      const stream = session.request({ ":path": path });
      stream.on("response", (headers) => {
        resolve(headers[":status"] ?? 0);
        session.destroy();
      });
      stream.on("error", () => resolve(0));
    });
  afterEach(async () => {
    const status = await get("/api/v1/namespaces/default");
    if (status !== 200) throw new Error(`afterwards another client was answered ${status}`);
  });

  const post = (send: (stream: ReturnType<ReturnType<typeof server.session>["request"]>) => void): Promise<number> =>
    new Promise((resolve) => {
      const session = server.session();
      const stream = session.request({
        ":method": "POST",
        ":path": "/api/v1/namespaces/default/configmaps",
        "content-type": "application/json",
      });
      stream.on("response", (headers) => {
        resolve(headers[":status"] ?? 0);
        session.destroy();
      });
      stream.on("error", () => resolve(0));
      send(stream);
    });

  it("a body without an end is refused at 3 MiB, and not kept", async () => {
    const before = process.memoryUsage().rss;
    const chunk = Buffer.alloc(1 << 20, " ");
    const status = await post((stream) => {
      const more = (): void => {
        while (!stream.destroyed && stream.write(chunk));
      };
      stream.on("drain", more);
      more();
    });
    expect(status).toBe(413);
    expect(process.memoryUsage().rss - before).toBeLessThan(200 << 20);
  });

  it("a body that never comes is answered with nothing, and holds up nobody", async () => {
    const session = server.session();
    const stream = session.request({
      ":method": "POST",
      ":path": "/api/v1/namespaces/default/configmaps",
      "content-type": "application/json",
    });
    stream.on("error", () => {});
    stream.write("{");
    await get("/readyz");
    session.destroy();
  });

  const bodies = [
    { name: "an empty one", body: Buffer.alloc(0) },
    { name: "one that is no UTF-8", body: Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]) },
    { name: "100,000 levels of nesting", body: Buffer.from(`{"data":${"[".repeat(100_000)}`) },
    {
      name: "a number beyond all numbers",
      body: Buffer.from('{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"n","generation":1e999}}'),
    },
    {
      name: "members called like the prototype's",
      body: Buffer.from('{"apiVersion":"v1","kind":"ConfigMap","__proto__":{"a":1},"metadata":{"constructor":{}}}'),
    },
  ];
  for (const { name, body } of bodies) {
    it(`a body with ${name} is a mistake of the client's`, async () => {
      const status = await post((stream) => stream.end(body));
      expect(status).toBeGreaterThanOrEqual(400);
      expect(status).toBeLessThan(500);
    });
  }

  it("a thousand streams opened and reset at once", async () => {
    const session = server.session();
    await new Promise((resolve) => session.once("connect", resolve));
    for (let at = 0; at < 1000; at++) {
      const stream = session.request({ ":path": "/api/v1/namespaces" });
      stream.on("error", () => {});
      stream.close(8);
    }
    await get("/readyz");
    session.destroy();
  });

  it("a thousand watches whose clients vanish", async () => {
    const session = server.session();
    await new Promise((resolve) => session.once("connect", resolve));
    for (let at = 0; at < 500; at++) session.request({ ":path": "/api/v1/configmaps?watch=1" }).on("error", () => {});
    await get("/readyz");
    session.destroy();
  });

  const rawly = (alpn: string, text: string): Promise<string> =>
    new Promise((resolve) => {
      let seen = "";
      const socket = connectTls({ port: server.port, host: "127.0.0.1", ALPNProtocols: [alpn], ...server.tls() }, () =>
        socket.write(text),
      );
      socket.on("data", (chunk) => (seen += String(chunk)));
      socket.on("error", () => {});
      socket.on("close", () => resolve(seen));
    });

  it("ten thousand header lines", async () => {
    const lines = Array.from({ length: 10_000 }, (_, at) => `x-h${at}: ${"v".repeat(200)}\r\n`).join("");
    expect(await rawly("http/1.1", `GET /readyz HTTP/1.1\r\nhost: a\r\n${lines}\r\n`)).toMatch(/^$|^HTTP\/1\.1 4\d\d/);
  });
  it("words that are no HTTP/1.1", async () =>
    expect(await rawly("http/1.1", "\x00\x01\x02 nonsense\r\n\r\n")).toMatch(/^$|^HTTP\/1\.1 400/));
  it("words that are no HTTP/2", () =>
    expect(rawly("h2", "this is no HTTP/2 preface, and it goes on for a while\r\n\r\n")).resolves.toBeDefined());
  it("a frame that claims more than it has", () =>
    expect(rawly("h2", `PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n${"\xff".repeat(64)}`)).resolves.toBeDefined());
});
