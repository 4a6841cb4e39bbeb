import { mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { createServer as createPlainServer, type Http2Session, type ServerHttp2Stream } from "node:http2";
import { type AddressInfo, createServer as createTcpServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createServer as createTlsServer, type TLSSocket } from "node:tls";
import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, it } from "vitest";
import type { TransportRequest, WatchStream } from "../../index.js";
import { bearerToken, type Identity } from "../auth/identity.js";
import {
  createTestCertificates,
  type Http2TestServer,
  readBody,
  startHttp1Server,
  startHttp2Server,
  startRelay,
} from "./http-server.test.support.js";
import { createNodeTransport, type NodeTransport, type NodeTransportOptions } from "./index.js";

const certificates = createTestCertificates();
const get = (path: string, more: Partial<TransportRequest> = {}): TransportRequest => ({
  method: "GET",
  path,
  ...more,
});
const json = (stream: ServerHttp2Stream, value: unknown): void => {
  stream.respond({ ":status": 200, "content-type": "application/json" });
  stream.end(JSON.stringify(value));
};

const stops: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
});

async function start(
  onStream: Parameters<typeof startHttp2Server>[1],
  options: Partial<NodeTransportOptions> = {},
): Promise<{ server: Http2TestServer; transport: NodeTransport }> {
  const server = await startHttp2Server(certificates, onStream);
  stops.push(() => server.stop());
  const transport = createNodeTransport({
    server: server.url,
    tls: () => ({ ca: certificates.ca }),
    environment: {},
    ...options,
  });
  return { server, transport };
}

const valueOf = async (transport: NodeTransport, request: TransportRequest): Promise<unknown> =>
  (await transport.send(request)).value();
const readAll = async (stream: WatchStream): Promise<number> => {
  let events = 0;
  for await (const batch of stream) events += batch.length;
  return events;
};
const added = `${JSON.stringify({ type: "ADDED", object: { kind: "Pod" } })}\n`;

/** Keeps the first stream that arrives. */
function holder() {
  let take: (stream: ServerHttp2Stream) => void = () => {};
  const stream = new Promise<ServerHttp2Stream>((resolve) => (take = resolve));
  return { stream, take: (given: ServerHttp2Stream) => take(given) };
}

describe("over HTTP/2", () => {
  it("many requests share one connection; more than 100 at once take another", async () => {
    let held: ServerHttp2Stream[] = [];
    const { server, transport } = await start((stream) => void held.push(stream));
    const first = transport.send(get("/first"));
    while (held.length < 1) await new Promise(setImmediate);
    json(held[0] as ServerHttp2Stream, {});
    await (await first).value();
    held = [];
    const answers = Promise.all(Array.from({ length: 150 }, (_, i) => valueOf(transport, get(`/${i}`))));
    while (held.length < 150) await new Promise(setImmediate);
    for (const stream of held) json(stream, {});
    await answers;
    expect(server.connections()).toBe(2);
  });

  it("a Unix socket carries HTTP/2 without TLS", async () => {
    const folder = mkdtempSync(join(tmpdir(), "coxswain-unix-"));
    const path = join(folder, "api.sock");
    const server = createPlainServer().on("stream", (stream, headers) => json(stream, { path: headers[":path"] }));
    await new Promise<void>((resolve) => void server.listen(path, resolve));
    stops.push(() => rm(folder, { recursive: true }));
    stops.push(() => new Promise((resolve) => server.close(resolve)));
    const transport = createNodeTransport({
      server: `unix://${path}`,
      environment: { HTTP_PROXY: "http://127.0.0.1:1" },
    });
    expect(await Promise.all([1, 2].map((each) => valueOf(transport, get(`/${each}`))))).toEqual([
      { path: "/1" },
      { path: "/2" },
    ]);
    await transport.close();
  });

  it("method, path below the server's, query, headers and body arrive", async () => {
    const seen: unknown[] = [];
    const { server } = await start((stream, headers) => {
      void readBody(stream).then((body) => {
        seen.push([
          headers[":method"],
          headers[":path"],
          headers["content-type"],
          headers["x-a"],
          headers["accept-encoding"],
          body,
        ]);
        json(stream, { ok: true });
      });
    });
    const transport = createNodeTransport({
      server: `${server.url}/k8s/`,
      tls: () => ({ ca: certificates.ca }),
      environment: {},
      disableCompression: true,
    });
    expect(
      await valueOf(transport, {
        method: "POST",
        path: "/api",
        query: [["a b", "c&d"]],
        headers: { "x-a": "1" },
        body: { as: "value", value: { z: 1 } },
      }),
    ).toEqual({ ok: true });
    expect(seen).toEqual([["POST", "/k8s/api?a%20b=c%26d", "application/json", "1", undefined, '{"z":1}']]);
  });

  it("an answer that is a head alone has an empty body", async () => {
    const { transport } = await start((stream) => stream.respond({ ":status": 401 }, { endStream: true }));
    const response = await transport.send(get("/"));
    expect([response.status, (await response.bytes()).length]).toEqual([401, 0]);
    await transport.close();
  });

  it("compressed answers are unpacked, as values and as streams", async () => {
    const { transport } = await start((stream) => {
      stream.respond({ ":status": 200, "content-encoding": "gzip" });
      stream.end(gzipSync('{"long":"' + "x".repeat(300_000) + '"}'));
    });
    expect(await valueOf(transport, get("/"))).toEqual({ long: "x".repeat(300_000) });
    let length = 0;
    for await (const chunk of (await transport.send(get("/"))).stream()) length += chunk.length;
    expect(length).toBe(300_011);
  });

  it("a connection that breaks inside a watch frame is an error, and the next request takes a new one", async () => {
    const { server, transport } = await start((stream, headers) => {
      if (headers[":path"] !== "/watch") return json(stream, {});
      stream.respond({ ":status": 200 });
      stream.write(added + added.slice(0, 20), () => setImmediate(() => stream.session?.destroy()));
    });
    const stream = await transport.watch(get("/watch"));
    await expect(readAll(stream)).rejects.toMatchObject({ name: "TransportError", kind: "lost" });
    expect(await valueOf(transport, get("/next"))).toEqual({});
    expect(server.connections()).toBe(2);
  });

  it("a half-open connection is found by a ping without an answer", async () => {
    const { server } = await start((stream) => {
      stream.respond({ ":status": 200 });
      stream.write(added);
    });
    const relay = await startRelay(server.url);
    stops.push(() => relay.stop());
    const transport = createNodeTransport({
      server: relay.url,
      tls: () => ({ ca: certificates.ca }),
      environment: {},
      readIdleMs: 30,
      pingTimeoutMs: 30,
    });
    const watching = transport.watch(get("/watch")).then((stream) => {
      relay.freeze();
      return readAll(stream);
    });
    await expect(watching).rejects.toThrow("no answer to a ping within 30 ms");
  });

  it("a quiet watch whose server answers pings stays open", async () => {
    let pings = 0;
    const { server, transport } = await start(
      (stream) => {
        stream.respond({ ":status": 200 });
        stream.write(added);
      },
      { readIdleMs: 10, pingTimeoutMs: 5000 },
    );
    const stream = await transport.watch(get("/watch"));
    for (const session of server.sessions) session.on("ping", () => pings++);
    await expect.poll(() => pings).toBeGreaterThan(2);
    stream.stop();
    expect(await readAll(stream)).toBe(0);
  });

  it("after GOAWAY requests go over a new connection, those under way end on the old one", async () => {
    const held = holder();
    const { server, transport } = await start((stream, headers) =>
      headers[":path"] === "/slow" ? held.take(stream) : json(stream, {}),
    );
    const slow = valueOf(transport, get("/slow"));
    const stream = await held.stream;
    for (const session of server.sessions) session.goaway(0, stream.id);
    while (server.connections() < 2) expect(await valueOf(transport, get("/"))).toEqual({});
    json(stream, { slow: true });
    expect(await slow).toEqual({ slow: true });
  });

  it("a time limit counts to the end of the answer", async () => {
    const { transport } = await start((stream) => {
      stream.respond({ ":status": 200 });
      stream.write("{");
    });
    const reading = transport.send(get("/", { timeoutMs: 50 })).then((response) => response.value());
    await expect(reading).rejects.toMatchObject({ kind: "timeout" });
    await expect(transport.send(get("/", { signal: AbortSignal.abort(new Error("no")) }))).rejects.toThrow("no");
  });

  it("a refused watch is a StatusError, an HTML page of a proxy included", async () => {
    const { transport } = await start((stream) => {
      stream.respond({ ":status": 502, "content-type": "text/html" });
      stream.end("<html>Bad Gateway</html>");
    });
    await expect(transport.watch(get("/api/v1/pods"))).rejects.toMatchObject({
      status: { code: 502, details: { kind: "pods" } },
    });
  });

  it("a server that is not there, and one with another authority, are errors that name the cause", async () => {
    const { server, transport } = await start(() => {});
    await server.stop();
    await expect(transport.send(get("/"))).rejects.toThrow(/cannot connect to 127\.0\.0\.1:\d+: connect ECONNREFUSED/);
    const other = await start(() => {}, { tls: () => ({ ca: createTestCertificates().ca }) });
    await expect(other.transport.send(get("/"))).rejects.toMatchObject({ kind: "connect", neverSent: true });
  });

  it("a server that closes the connection before it speaks HTTP/2 is an error of the request, and of nothing else", async () => {
    const server = createTlsServer({ ...certificates.server, ALPNProtocols: ["h2"] }, (socket) => socket.destroy());
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    stops.push(() => new Promise((resolve) => server.close(resolve)));
    const transport = createNodeTransport({
      server: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
      tls: () => ({ ca: certificates.ca }),
      environment: {},
    });
    await expect(transport.send(get("/"))).rejects.toMatchObject({ name: "TransportError", kind: "connect" });
  });

  it("a server whose own certificate is trusted is trusted, as client-go does", async () => {
    const { transport } = await start((stream) => json(stream, { ok: true }), {
      tls: () => ({ ca: certificates.server.cert }),
    });
    expect(await valueOf(transport, get("/"))).toEqual({ ok: true });
  });

  it("a time limit counts while the connection is made, and credentials that cannot be had are an error", async () => {
    const silent = createTcpServer((socket) => socket.on("error", () => {}).resume()); // accepts, and never answers
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
    stops.push(() => new Promise((resolve) => silent.close(resolve)));
    const server = `https://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    const transport = createNodeTransport({ server, environment: {}, connectTimeoutMs: 300 });
    await expect(transport.send(get("/", { timeoutMs: 20 }))).rejects.toMatchObject({ kind: "timeout" });
    await expect(transport.send(get("/"))).rejects.toThrow("no connection within 300 ms");
    const nobody = createNodeTransport({
      server,
      environment: {},
      identity: { current: () => Promise.reject(new Error("the plugin failed")) },
    });
    await expect(nobody.send(get("/"))).rejects.toMatchObject({
      kind: "connect",
      message: "no credentials: the plugin failed",
    });
  });

  it("the server's name may be another than its address, or not be checked at all", async () => {
    const names: unknown[] = [];
    const { server } = await start((stream) => {
      names.push(
        ((stream.session as Http2Session).socket as unknown as TLSSocket & { servername: unknown }).servername,
      );
      json(stream, {});
    });
    const named = createNodeTransport({
      server: server.url,
      tls: () => ({ ca: certificates.ca, serverName: "api.example.com" }),
      environment: {},
    });
    await valueOf(named, get("/"));
    const wrong = createNodeTransport({
      server: server.url,
      tls: () => ({ ca: certificates.ca, serverName: "other.example.com" }),
      environment: {},
    });
    await expect(wrong.send(get("/"))).rejects.toThrow("other.example.com");
    await valueOf(
      createNodeTransport({ server: server.url, tls: () => ({ insecure: true }), environment: {} }),
      get("/"),
    );
    expect(names).toEqual(["api.example.com", false]);
  });

  it("a rotated client certificate counts from the next request on", async () => {
    const users: unknown[] = [];
    let user: Identity = { headers: {}, certificate: certificates.client("one") };
    const { transport } = await start(
      (stream) => {
        users.push(((stream.session as Http2Session).socket as unknown as TLSSocket).getPeerCertificate().subject?.CN);
        json(stream, {});
      },
      { identity: { current: () => user } },
    );
    await valueOf(transport, get("/"));
    await valueOf(transport, get("/"));
    user = { headers: {}, certificate: certificates.client("two") };
    await valueOf(transport, get("/"));
    expect(users).toEqual(["one", "one", "two"]);
  });

  it("after a 401 the request is sent once more with a renewed identity", async () => {
    const tokens: unknown[] = [];
    let current = bearerToken("old");
    const { transport } = await start(
      (stream, headers) => {
        tokens.push(headers["authorization"]);
        if (headers["authorization"] === "Bearer new") return json(stream, { ok: true });
        stream.respond({ ":status": 401 });
        stream.end("{}");
      },
      {
        identity: {
          current: () => current,
          async renew() {
            current = bearerToken("new");
            return true;
          },
        },
        impersonate: { user: "jane", groups: ["a", "b"] },
      },
    );
    expect(await valueOf(transport, get("/"))).toEqual({ ok: true });
    expect(tokens).toEqual(["Bearer old", "Bearer new"]);
  });

  it("closing waits for answers under way, and takes no more requests", async () => {
    const held = holder();
    const { transport } = await start(held.take);
    const answer = valueOf(transport, get("/"));
    const stream = await held.stream;
    const closing = transport.close();
    json(stream, { late: true });
    expect(await answer).toEqual({ late: true });
    await closing;
    await expect(transport.send(get("/"))).rejects.toThrow("the transport is closed");
  });
});

describe("over HTTP/1.1", () => {
  it("is used with servers that have nothing else, with kept connections, watches and streams", async () => {
    const ports = new Set<number | undefined>();
    const server = await startHttp1Server(certificates, (request, response) => {
      ports.add(request.socket.remotePort);
      if (request.url === "/watch") {
        response.writeHead(200);
        response.write(added);
        return void response.end(added);
      }
      void readBody(request).then((body) => response.end(JSON.stringify({ method: request.method, body })));
    });
    stops.push(() => server.stop());
    const transport = createNodeTransport({
      server: server.url,
      tls: () => ({ ca: certificates.ca }),
      environment: {},
    });
    const post = { method: "POST", path: "/", body: { as: "value", value: {} } } as const;
    for (let i = 0; i < 3; i++) expect(await valueOf(transport, post)).toEqual({ method: "POST", body: "{}" });
    expect(ports.size).toBe(1);
    expect(await readAll(await transport.watch(get("/watch")))).toBe(2);
    await transport.close();
  });

  it("a connection that breaks inside an answer or a watch is an error", async () => {
    const server = await startHttp1Server(certificates, (request, response) => {
      response.writeHead(200, request.url === "/watch" ? {} : { "content-length": "100" });
      response.write(request.url === "/watch" ? added.slice(0, 20) : '{"a":', () =>
        setImmediate(() => request.socket.destroy()),
      );
    });
    stops.push(() => server.stop());
    const transport = createNodeTransport({
      server: server.url,
      tls: () => ({ ca: certificates.ca }),
      environment: {},
    });
    await expect(valueOf(transport, get("/"))).rejects.toMatchObject({ kind: "lost" });
    await expect(readAll(await transport.watch(get("/watch")))).rejects.toMatchObject({ kind: "lost" });
  });

  const closing = [
    { method: "GET", when: "on a kept connection", first: true, answers: "after one resend", requests: 3 },
    { method: "POST", when: "on a kept connection", first: true, answers: "not at all", requests: 2 },
    { method: "GET", when: "on a new connection", first: false, answers: "not at all", requests: 1 },
  ] as const;
  for (const { method, when, first, answers, requests } of closing)
    it(`a ${method} ${when} that the server closes without a byte of an answer is answered ${answers}`, async () => {
      let seen = 0;
      const server = await startHttp1Server(certificates, (request, response) => {
        seen++;
        request.resume();
        if (request.url === "/cut" && seen === (first ? 2 : 1)) request.socket.destroy();
        else response.end("{}");
      });
      stops.push(() => server.stop());
      const transport = createNodeTransport({
        server: server.url,
        tls: () => ({ ca: certificates.ca }),
        environment: {},
      });
      if (first) await valueOf(transport, get("/"));
      const answer = valueOf(transport, { ...get("/cut"), method });
      if (answers === "not at all") await expect(answer).rejects.toMatchObject({ kind: "lost", neverSent: false });
      else expect(await answer).toEqual({});
      expect(seen).toBe(requests);
    });

  it("a POST right after the server closed the kept connections goes over a new one", async () => {
    const server = await startHttp1Server(certificates, (request, response) => {
      request.resume().once("end", () => response.end("{}"));
    });
    stops.push(() => server.stop());
    const transport = createNodeTransport({
      server: server.url,
      tls: () => ({ ca: certificates.ca }),
      environment: {},
    });
    for (let round = 0; round < 20; round++) {
      expect(await valueOf(transport, { ...get("/"), method: "POST" })).toEqual({});
      const ended = [...server.sockets].map((socket) => new Promise((resolve) => socket.once("close", resolve)));
      for (const socket of server.sockets) socket.destroy();
      await Promise.all(ended);
    }
  });

  it("a stopped watch closes its connection", async () => {
    const server = await startHttp1Server(certificates, (_, response) => {
      response.writeHead(200);
      response.write(added);
    });
    stops.push(() => server.stop());
    const transport = createNodeTransport({
      server: server.url,
      tls: () => ({ ca: certificates.ca }),
      environment: {},
    });
    const stream = await transport.watch(get("/watch"));
    stream.stop();
    while (server.sockets.size > 0) await new Promise(setImmediate);
    expect(await readAll(stream)).toBe(0);
  });
});
