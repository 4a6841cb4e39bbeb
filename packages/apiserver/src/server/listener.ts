import type { Clock } from "@coxswain/apimachinery/clock";
import type { Server as Http1Server } from "node:http";
import type { Http2Server, ServerHttp2Session } from "node:http2";
import type { AddressInfo } from "node:net";
import { createServer, type TLSSocket } from "node:tls";
import { createHttp1Server } from "./http1.js";
import { createHttp2Server } from "./http2.js";
import type { ApiRequest } from "./request.js";
import type { ResponseSink } from "./response-sink.js";

export type RequestSink = (request: ApiRequest, sink: ResponseSink) => void;

export interface ListenOptions {
  /** @default "127.0.0.1" */
  host?: string;
  /** 0: any free port. */
  port: number;
  certificate: string;
  key: string;
  /** Client certificates that chain to this are who they say; others are treated as none. */
  clientAuthority: string;
  ioClock: Clock;
}

export interface Listener {
  readonly port: number;
  /** No new connections, and no new requests on those of HTTP/2; what is under way goes on. */
  stopAccepting(): void;
  /** Ends the connections that are left, and resolves when they are gone. Call it when all requests are answered. */
  close(): Promise<void>;
}

/** One TLS server that hands each socket on by what ALPN agreed: HTTP/2 or HTTP/1.1. */
export async function listen(options: ListenOptions, onRequest: RequestSink): Promise<Listener> {
  const http2 = createHttp2Server(onRequest);
  const http1 = createHttp1Server(onRequest);
  const sessions = new Set<ServerHttp2Session>();
  const sockets = new Set<TLSSocket>();
  http2.on("session", (session) => {
    sessions.add(session);
    session.once("close", () => sessions.delete(session));
  });
  const server = createServer(
    { cert: options.certificate, key: options.key, ca: options.clientAuthority, requestCert: true, rejectUnauthorized: false, ALPNProtocols: ["h2", "http/1.1"], minVersion: "TLSv1.2" },
    (socket) => {
      sockets.add(socket);
      socket.once("close", () => sockets.delete(socket));
      socket.on("error", () => socket.destroy());
      socket.setNoDelay(true);
      serverFor(socket, http2, http1).emit("connection", socket);
    },
  );
  server.on("tlsClientError", () => {}); // a stranger's broken handshake is not our concern
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port, options.host ?? "127.0.0.1", () => {
      server.off("error", reject);
      resolve();
    });
  });
  let closed: Promise<void> | undefined;
  const stopAccepting = (): Promise<void> => {
    closed ??= new Promise((resolve) => server.close(() => resolve()));
    for (const session of sessions) session.close();
    return closed;
  };
  return {
    port: (server.address() as AddressInfo).port,
    stopAccepting: () => void stopAccepting(),
    async close() {
      const done = stopAccepting();
      for (const socket of sockets) if (socket.alpnProtocol !== "h2") socket.end();
      // A client that does not answer our goodbye is not waited for.
      const impatient = options.ioClock.setTimer(longestGoodbyeMs, () => sockets.forEach((socket) => socket.destroy()));
      await done;
      impatient.cancel();
    },
  };
}

const longestGoodbyeMs = 2000;

const serverFor = (socket: TLSSocket, http2: Http2Server, http1: Http1Server): Http2Server | Http1Server => (socket.alpnProtocol === "h2" ? http2 : http1);
