import type { IncomingMessage, RequestListener } from "node:http";
import { createSecureServer, type Http2SecureServer, type Http2Session, type ServerHttp2Stream } from "node:http2";
import { createServer as createHttpsServer } from "node:https";
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { systemRandom } from "@coxswain/runtime/random";
import { createAuthority, createClientIdentity, createServerIdentity, encodePrivateKey } from "@coxswain/wire/x509";

const dayMs = 24 * 3600_000;

/** A CA with a server's certificate for loopback and clients' certificates. PEM. */
export function createTestCertificates() {
  const common = { notBefore: Date.now() - dayMs, notAfter: Date.now() + dayMs, random: systemRandom };
  const authority = createAuthority({ ...common, subject: { commonName: "test-ca" } });
  const server = createServerIdentity(authority, {
    ...common,
    subject: { commonName: "server" },
    hosts: ["127.0.0.1", "localhost", "api.example.com"],
  });
  return {
    ca: authority.pem,
    server: { cert: server.pem, key: encodePrivateKey(server.privateKey) },
    client(commonName: string) {
      const client = createClientIdentity(authority, { ...common, subject: { commonName } });
      return { cert: client.pem, key: encodePrivateKey(client.privateKey) };
    },
  };
}

export type TestCertificates = ReturnType<typeof createTestCertificates>;

export interface Http2TestServer {
  readonly url: string;
  readonly sessions: Set<Http2Session>;
  /** How many connections there have been. */
  connections(): number;
  stop(): Promise<void>;
}

export async function startHttp2Server(
  certificates: TestCertificates,
  onStream: (stream: ServerHttp2Stream, headers: Record<string, string>) => void,
): Promise<Http2TestServer> {
  const server: Http2SecureServer = createSecureServer({
    ...certificates.server,
    ca: certificates.ca,
    requestCert: true,
    rejectUnauthorized: false,
  });
  const sessions = new Set<Http2Session>();
  const sockets = new Set<Socket>();
  let stopping = false;
  let connections = 0;
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    if (stopping) socket.destroy();
  });
  server.on("session", (session) => {
    connections++;
    sessions.add(session);
    session.once("close", () => sessions.delete(session));
    session.on("error", () => {});
  });
  server.on("stream", (stream, headers) => {
    stream.on("error", () => {});
    onStream(stream, headers as Record<string, string>);
  });
  const url = await listening(server);
  return {
    url,
    sessions,
    connections: () => connections,
    stop: () =>
      new Promise((resolve) => {
        stopping = true;
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}

/** A server that speaks only HTTP/1.1. */
export async function startHttp1Server(certificates: TestCertificates, onRequest: RequestListener) {
  const server = createHttpsServer(certificates.server, onRequest);
  const sockets = new Set<Duplex>();
  server.on("secureConnection", (socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  const url = await listening(server);
  return {
    url,
    sockets,
    stop: () =>
      new Promise<void>((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}

const listening = (server: Http2SecureServer | ReturnType<typeof createHttpsServer>): Promise<string> =>
  new Promise((resolve) =>
    server.listen(0, "127.0.0.1", () => resolve(`https://127.0.0.1:${(server.address() as AddressInfo).port}`)),
  );

/** Carries bytes to `url` until `freeze`: then connections stay open and nothing passes. */
export async function startRelay(url: string) {
  const target = new URL(url);
  const sockets = new Set<Socket>();
  const relay = createTcpServer((socket) => {
    const onward = connect(Number(target.port), target.hostname);
    for (const one of [socket, onward]) {
      sockets.add(one);
      one.on("error", () => {});
    }
    socket.pipe(onward);
    onward.pipe(socket);
  });
  await new Promise<void>((resolve) => relay.listen(0, "127.0.0.1", resolve));
  return {
    url: `https://127.0.0.1:${(relay.address() as AddressInfo).port}`,
    freeze() {
      for (const socket of sockets) socket.unpipe().pause();
    },
    stop: () =>
      new Promise<void>((resolve) => {
        for (const socket of sockets) socket.destroy();
        relay.close(() => resolve());
      }),
  };
}

export const readBody = async (request: IncomingMessage | Duplex): Promise<string> => {
  let body = "";
  for await (const part of request) body += String(part);
  return body;
};
