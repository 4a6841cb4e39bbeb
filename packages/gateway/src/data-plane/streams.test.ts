import { createSocket } from "node:dgram";
import { once } from "node:events";
import { connect as connectHttp2 } from "node:http2";
import { connect, createServer, type Server } from "node:net";
import { type ConnectionOptions, connect as connectTls, createServer as createTlsServer } from "node:tls";
import { createAuthority, createClientIdentity, createServerIdentity, encodePrivateKey } from "@coxswain/wire/x509";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ServerCertificate } from "../engine/backend.js";
import type { EnginePort, HttpsListener, TlsPort } from "../engine/engine.js";
import { noChanges } from "../engine/routed-rule.js";
import type { BuiltInEngine } from "./built-in-engine.js";
import {
  backend,
  entry,
  exchange,
  freePort,
  portOf,
  rule,
  runtime,
  service,
  startEngine,
} from "./engine.test.support.js";

const validity = { notBefore: Date.now() - 60_000, notAfter: Date.now() + 3_600_000, random: runtime.random };
const authority = createAuthority({ ...validity, subject: { commonName: "test" } });
const certify = (...hosts: string[]): ServerCertificate => {
  const made = createServerIdentity(authority, { ...validity, subject: { commonName: hosts[0]! }, hosts });
  return { certificate: made.pem, key: encodePrivateKey(made.privateKey) };
};
const client = createClientIdentity(authority, { ...validity, subject: { commonName: "client" } });

let engine: BuiltInEngine;
let ports: { tcp: number; udp: number; tls: number };
let backends: Server[];
let wanted: (certificate: ServerCertificate) => EnginePort[];

/** Answers each connection by its name, then with what it is sent. */
const echo = async (name: string): Promise<Server> => {
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.write(`${name}:`);
    socket.pipe(socket);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return server;
};

beforeAll(async () => {
  const plain = await echo("plain");
  const own = certify("own.test");
  const secure = createTlsServer({ cert: own.certificate, key: own.key }, (socket) => {
    socket.on("error", () => {});
    socket.once("data", () => socket.end("HTTP/1.1 200 OK\r\nContent-Length: 6\r\nConnection: close\r\n\r\nsecure"));
  }).listen(0, "127.0.0.1");
  await once(secure, "listening");
  backends = [plain, secure as unknown as Server];
  ports = { tcp: await freePort(), udp: await freePort(), tls: await freePort() };
  const withTls = (hostname: string, san: string[] = []) => ({
    ...service(portOf(secure)),
    tls: {
      hostname,
      authorities: { kind: "bundle", pem: authority.pem } as const,
      alternativeNames: san.map((name) => ({ kind: "hostname", hostname: name }) as const),
      clientCertificate: undefined,
    },
  });
  const https = (hostname: string, changes: Partial<HttpsListener> = {}): HttpsListener => ({
    kind: "https",
    name: hostname,
    hostname,
    certificates: [certify(hostname)],
    clientValidation: undefined,
    entries: [
      entry("/", rule({ changes: { ...noChanges, redirect: { hostname: `${hostname}.seen` } } })),
      entry("/backend", rule({ backends: [backend(withTls("own.test"))] })),
      entry("/san", rule({ backends: [backend(withTls("other.test", ["own.test"]))] })),
      entry("/wrong", rule({ backends: [backend(withTls("wrong.test"))] })),
    ],
    ...changes,
  });
  const validation = { authorities: authority.pem, mode: "AllowValidOnly" } as const;
  const stay = [https("b.test"), https("client.test", { clientValidation: validation })];
  wanted = (certificate) => {
    const tls: TlsPort = {
      protocol: "tls",
      address: "127.0.0.1",
      port: ports.tls,
      redirectPorts: { http: 80, https: 443 },
      listeners: [
        https("a.test", { certificates: [certificate] }),
        ...stay,
        {
          kind: "passthrough",
          name: "through",
          hostname: "own.test",
          routes: [{ hostname: "", route: "TLSRoute", backends: [backend(service(portOf(secure)))] }],
        },
        {
          kind: "terminate",
          name: "ends",
          hostname: "*.ends.test",
          certificates: [certify("*.ends.test")],
          clientValidation: undefined,
          routes: [{ hostname: "x.ends.test", route: "TLSRoute", backends: [backend(service(portOf(plain)))] }],
        },
      ],
    };
    const to = { address: "127.0.0.1", route: "r", backends: [backend(service(portOf(plain)))] };
    return [{ protocol: "tcp", port: ports.tcp, ...to }, tls];
  };
  engine = await startEngine(wanted(certify("a.test")));
});
afterAll(async () => {
  for (const server of backends) server.close();
  await engine.close();
});

/** What comes of bytes sent through TLS; `refused` if there is no handshake, or no answer. */
async function secureExchange(servername: string, sent: string, options: ConnectionOptions = {}): Promise<string> {
  const socket = connectTls({ host: "127.0.0.1", port: ports.tls, servername, ca: authority.pem, ...options });
  let text = "";
  socket.on("data", (chunk) => {
    text += chunk;
    if (text.includes(":echo")) socket.end();
  });
  socket.once("secureConnect", () => socket.write(sent));
  let isRefused = false;
  socket.on("error", () => (isRefused = true));
  await new Promise((resolve) => socket.once("close", resolve));
  return isRefused || text === "" ? "refused" : text;
}

const get = (host: string, path = "/"): string => `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;

describe("TLS", () => {
  const shown = { cert: client.pem, key: encodePrivateKey(client.privateKey) };
  const rows = [
    { name: "the server name chooses the listener", server: "a.test", sent: get("a.test"), want: /a\.test\.seen/ },
    { name: "and its certificate", server: "b.test", sent: get("b.test"), want: /b\.test\.seen/ },
    { name: "a host of another listener", server: "a.test", sent: get("b.test"), want: /^HTTP\/1\.1 421 / },
    { name: "a host of none", server: "a.test", sent: get("c.test"), want: /^HTTP\/1\.1 404 / },
    { name: "a server name of no listener", server: "none.test", sent: get("none.test"), want: /^refused$/ },
    { name: "no client certificate", server: "client.test", sent: get("client.test"), want: /^refused$/ },
    {
      name: "a client certificate",
      server: "client.test",
      sent: get("client.test"),
      more: shown,
      want: /client\.test\.seen/,
    },
    { name: "passthrough: the backend's own certificate", server: "own.test", sent: get("own.test"), want: /secure$/ },
    { name: "termination for a stream", server: "x.ends.test", sent: "echo", want: /^plain:echo$/ },
    { name: "a stream without a route", server: "y.ends.test", sent: "echo", want: /^refused$/ },
    { name: "TLS to the backend", server: "a.test", sent: get("a.test", "/backend"), want: /secure$/ },
    {
      name: "TLS to the backend, by its alternative name",
      server: "a.test",
      sent: get("a.test", "/san"),
      want: /secure$/,
    },
    {
      name: "a backend with another certificate",
      server: "a.test",
      sent: get("a.test", "/wrong"),
      want: /^HTTP\/1\.1 503 /,
    },
  ];
  for (const { name, server, sent, more = {}, want } of rows)
    it(name, async () => expect(await secureExchange(server, sent, more)).toMatch(want));

  it("HTTP/2 by ALPN", async () => {
    const session = connectHttp2(`https://a.test:${ports.tls}`, {
      createConnection: () =>
        connectTls({
          host: "127.0.0.1",
          port: ports.tls,
          servername: "a.test",
          ca: authority.pem,
          ALPNProtocols: ["h2"],
        }),
    });
    const [headers] = await once(session.request({ ":path": "/", ":authority": "a.test" }), "response");
    session.destroy();
    expect(headers).toMatchObject({ ":status": 302, location: expect.stringContaining("a.test.seen") });
  });

  it("a changed certificate is for the next connection, and none is closed for it", async () => {
    const socket = connectTls({ host: "127.0.0.1", port: ports.tls, servername: "a.test", ca: authority.pem });
    await once(socket, "secureConnect");
    const before = socket.getPeerCertificate().serialNumber;
    await engine.apply(wanted(certify("a.test")));
    socket.write(get("a.test"));
    expect(String((await once(socket, "data"))[0])).toMatch(/a\.test\.seen/);
    const next = connectTls({ host: "127.0.0.1", port: ports.tls, servername: "a.test", ca: authority.pem });
    await once(next, "secureConnect");
    expect(next.getPeerCertificate().serialNumber).not.toBe(before);
    next.destroy();
  });

  const noTls = [
    { name: "HTTP in plain text", sent: Buffer.from(get("a.test")) },
    { name: "a record without an end", sent: Buffer.from([22, 3, 1, 255, 255, 1, 0]) },
    { name: "an empty record", sent: Buffer.from([22, 3, 1, 0, 0]) },
    { name: "a message whose lengths lead beyond its end", sent: Buffer.from([22, 3, 1, 0, 6, 1, 0, 0, 2, 3, 3]) },
    { name: "a hello of 16 MB", sent: Buffer.from([22, 3, 1, 0, 6, 1, 255, 255, 255, 3, 3]) },
  ];
  for (const { name, sent } of noTls)
    it(`${name} is no TLS: the connection is closed`, async () => expect(await exchange(ports.tls, sent)).toBe(""));
});

it("TCP is passed on in both directions, with its ends", async () => {
  const socket = connect({ host: "127.0.0.1", port: ports.tcp, allowHalfOpen: true });
  socket.end("hello");
  let text = "";
  for await (const chunk of socket) text += chunk;
  expect(text).toBe("plain:hello");
});

it("UDP: flows of clients, with answers", async () => {
  const answerer = createSocket("udp4");
  answerer.on("message", (data, { port, address }) => answerer.send(`seen ${data}`, port, address));
  answerer.bind(0, "127.0.0.1");
  await once(answerer, "listening");
  const own = await startEngine([
    {
      protocol: "udp",
      address: "127.0.0.1",
      port: ports.udp,
      route: "r",
      backends: [backend(service(answerer.address().port))],
    },
  ]);
  const sockets = [createSocket("udp4"), createSocket("udp4")];
  for (const [at, socket] of sockets.entries()) {
    const answered = once(socket, "message");
    socket.send(`datagram ${at}`, ports.udp, "127.0.0.1");
    expect(String((await answered)[0])).toBe(`seen datagram ${at}`);
  }
  expect(own.load.connections).toBe(2);
  for (const socket of sockets) socket.close();
  await own.close();
  answerer.close();
});
