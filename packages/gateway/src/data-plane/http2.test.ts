import { once } from "node:events";
import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect,
  createServer,
  type Http2Server,
  type IncomingHttpHeaders,
} from "node:http2";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { noChanges } from "../engine/routed-rule.js";
import type { BuiltInEngine } from "./built-in-engine.js";
import {
  answering,
  backend,
  entry,
  exchange,
  freePort,
  httpPort,
  portOf,
  rule,
  service,
  startEngine,
  startRawBackend,
} from "./engine.test.support.js";

let engine: BuiltInEngine;
let raw: Awaited<ReturnType<typeof startRawBackend>>;
let server: Http2Server;
let client: ClientHttp2Session;
let port: number;
let seen: IncomingHttpHeaders = {};

beforeAll(async () => {
  raw = await startRawBackend();
  server = createServer();
  server.on("stream", (stream, headers) => {
    seen = headers;
    stream.on("error", () => {});
    if (headers[":path"] === "/grpc/only-trailers")
      return stream.respond(
        { ":status": 200, "content-type": "application/grpc", "grpc-status": "5" },
        { endStream: true },
      );
    stream.on("wantTrailers", () => stream.sendTrailers({ "grpc-status": "0" }));
    stream.respond({ ":status": 200, "content-type": "application/grpc" }, { waitForTrailers: true });
    stream.pipe(stream);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  port = await freePort();
  const h2 = { ...service(portOf(server)), protocol: "h2" as const };
  const none = { ...service(), target: { ...service().target, service: "" } };
  engine = await startEngine([
    httpPort(port, [
      entry("/grpc", rule({ protocol: "grpc", backends: [backend(h2)] })),
      entry("/nobody", rule({ protocol: "grpc", backends: [backend(none)] })),
      entry(
        "/raw",
        rule({ backends: [backend(service(raw.port))], changes: { ...noChanges, requestHeaders: [split] } }),
      ),
      entry("/cookie", rule({ backends: [backend(h2)], session: { ...session, name: "a b" } })),
    ]),
  ]);
  client = connect(`http://127.0.0.1:${port}`);
});
afterAll(async () => {
  client.destroy();
  server.close();
  raw.close();
  await engine.close();
});

/** What the Gateway API's definitions allow, and HTTP does not. */
const split = { set: [{ name: "X-Split", value: "a\r\nX-Other: b" }] };
const session = { name: "at", carrier: "header", absoluteTimeoutMs: 0, lifetime: "Session" } as const;

interface Answered {
  readonly headers: IncomingHttpHeaders;
  readonly trailers: IncomingHttpHeaders;
  readonly body: string;
}

async function read(stream: ClientHttp2Stream): Promise<Answered> {
  let trailers: IncomingHttpHeaders = {};
  stream.on("trailers", (sent) => (trailers = sent));
  const [headers] = (await once(stream, "response")) as [IncomingHttpHeaders];
  let body = "";
  for await (const chunk of stream) body += chunk;
  return { headers, trailers, body };
}

const call = (path: string): ClientHttp2Stream =>
  client.request({ ":path": path, ":method": "POST", "content-type": "application/grpc", te: "trailers" });

describe("gRPC", () => {
  it("is streamed in both directions, with trailers", async () => {
    const stream = call("/grpc/echo");
    const answered = read(stream);
    stream.write("one");
    const [first] = await once(stream, "data");
    expect(String(first)).toBe("one");
    stream.end("two");
    expect(await answered).toMatchObject({ headers: { ":status": 200 }, trailers: { "grpc-status": "0" } });
    expect(seen).toMatchObject({ te: "trailers", "x-forwarded-proto": "http", ":authority": `127.0.0.1:${port}` });
  });
  it("an answer of trailers alone stays one", async () => {
    const stream = call("/grpc/only-trailers");
    const [headers, flags] = (await once(stream.end(), "response")) as [IncomingHttpHeaders, number];
    expect(headers).toMatchObject({ ":status": 200, "grpc-status": "5" });
    expect(flags & 1).toBe(1);
  });
  const failures = [
    { name: "without a route is unimplemented", path: "/other", want: { ":status": 200, "grpc-status": "12" } },
    { name: "without an endpoint is unavailable", path: "/nobody", want: { ":status": 200, "grpc-status": "14" } },
  ];
  for (const { name, path, want } of failures)
    it(name, async () => expect((await read(call(path).end())).headers).toMatchObject(want));
});

describe("HTTP/2 to a backend of HTTP/1.1", () => {
  const chunks = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\nX-Sum: 1\r\n\r\n";
  it("a body in chunks and its trailers", async () => {
    expect(await read(client.request({ ":path": answering(chunks) }))).toMatchObject({
      headers: { ":status": 200 },
      body: "abc",
      trailers: { "x-sum": "1" },
    });
  });
  it("a request with a body of unknown length becomes chunks", async () => {
    const path = answering("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
    const stream = client.request({ ":path": path, ":method": "POST", cookie: ["a=1", "b=2"] as never });
    stream.end("hello");
    expect((await read(stream)).headers).toMatchObject({ ":status": 200 });
    const text = raw.received.find((one) => one.includes(`POST ${path}`)) ?? "";
    expect(text).toContain("cookie: a=1; b=2\r\n");
    expect(text).toMatch(/Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n$/);
  });
  it("a header of a filter that would be two lines is left out", async () => {
    const path = answering("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nleft");
    expect((await read(client.request({ ":path": path }))).headers).toMatchObject({ ":status": 200 });
    expect(raw.received.find((one) => one.includes(path))).not.toMatch(/X-Split|X-Other/);
  });
  it("a session whose header has no name costs its requests and nothing else", async () => {
    expect((await read(client.request({ ":path": "/cookie" }))).headers).toMatchObject({ ":status": 502 });
  });
  it("an answer that breaks off resets the stream", async () => {
    const path = `${answering("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc")}/end`;
    await expect(read(client.request({ ":path": path }))).rejects.toThrow(/NGHTTP2_INTERNAL_ERROR/);
  });
});

it("HTTP/1.1 to a backend of HTTP/2, with trailers", async () => {
  const got = await exchange(
    port,
    "POST /grpc/x HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 2\r\n\r\nhi",
  );
  expect(got).toMatch(
    /^HTTP\/1\.1 200 OK\r\n[^]*Transfer-Encoding: chunked\r\n[^]*\r\n2\r\nhi\r\n0\r\ngrpc-status: 0\r\n\r\n$/,
  );
});
