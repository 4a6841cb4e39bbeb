import { createServer as createHttpServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createHttpsServer, type Server as HttpsServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { ByteCollector } from "@coxswain/wire/bytes";
import type { Handler, RunningServer, ServedRequest, Servers } from "../serving/index.js";
import { HeldBodies } from "./held-bodies.js";

/** Larger than any review that an API server sends. */
const maxBodyBytes = 8 * 1024 * 1024;
/** controller-runtime's: a client that sends its headers slowly must not hold a connection. */
const headersTimeoutMs = 32_000;
/** An API server waits for a webhook for 30 seconds at most. */
const requestTimeoutMs = 60_000;

export interface NodeServersOptions {
  /** Receives what handlers throw; clients that leave are no errors. */
  readonly onError?: (error: unknown) => void;
  /** Bytes of bodies that all of these servers hold at once; beyond them the oldest are cut. @default 64 MiB */
  readonly maxHeldBytes?: number;
}

/** Servers over sockets: HTTP, or HTTPS where there are certificates, which are exchanged while serving. */
export function nodeServers({ onError = () => {}, maxHeldBytes = 64 << 20 }: NodeServersOptions = {}): Servers {
  const held = new HeldBodies(maxHeldBytes);
  return {
    async listen({ name, address, handler, certificates }) {
      const { host, port } = parseAddress(address);
      const answer = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
        respond(handler, held, incoming, outgoing)
          .catch((error: unknown) => {
            // Its client has gone, or was cut.
            if (!incoming.destroyed || incoming.complete) onError(error);
            outgoing.destroy();
          })
          .finally(() => held.release(incoming));
      };
      const ending = new AbortController();
      const options = {
        headersTimeout: headersTimeoutMs,
        requestTimeout: requestTimeoutMs,
        keepAliveTimeout: 90_000,
      };
      let server: Server;
      if (certificates) {
        const { certificate: cert, key } = await certificates.current();
        const https: HttpsServer = createHttpsServer({ ...options, cert, key, minVersion: "TLSv1.2" }, answer);
        // A client that gives up in the handshake, or does not trust us yet, is no error of ours.
        https.on("tlsClientError", () => {});
        certificates.watch((next) => https.setSecureContext({ cert: next.certificate, key: next.key }), ending.signal);
        server = https as unknown as Server;
      } else server = createHttpServer(options, answer);
      const sockets = new Set<Socket>();
      server.on("connection", (socket: Socket) => {
        sockets.add(socket);
        socket.once("close", () => sockets.delete(socket));
      });
      await new Promise<void>((resolve, reject) => {
        server.once("error", (error) =>
          reject(new Error(`the ${name} server cannot listen at ${address}`, { cause: error })),
        );
        server.listen(port, host, resolve);
      });
      return running(server, ending);
    },
  };
}

function running(server: Server, ending: AbortController): RunningServer {
  const bound = server.address() as AddressInfo;
  return {
    host: bound.address,
    port: bound.port,
    stop: () =>
      new Promise((resolve) => {
        ending.abort();
        server.close(() => resolve());
        // Requests under way are finished; connections that only wait are not waited for.
        server.closeIdleConnections();
      }),
  };
}

async function respond(
  handler: Handler,
  held: HeldBodies,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const request = await read(incoming, held);
  const response = request && (await handler(request));
  const {
    status = 200,
    contentType = "text/plain; charset=utf-8",
    headers = {},
    body,
  } = response ?? {
    status: request ? 404 : 413,
    body: request ? "404 page not found\n" : "413 request entity too large\n",
  };
  outgoing.writeHead(status, { ...headers, "content-type": contentType, "x-content-type-options": "nosniff" });
  outgoing.end(body);
}

/** Undefined where the body is larger than anything that is served here. */
async function read(incoming: IncomingMessage, held: HeldBodies): Promise<ServedRequest | undefined> {
  const body = new ByteCollector();
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    if (body.length + chunk.length > maxBodyBytes) return undefined;
    body.add(chunk);
    held.add(incoming, chunk.length);
  }
  const url = new URL(
    URL.canParse(incoming.url ?? "/", "http://operator") ? (incoming.url ?? "/") : "/",
    "http://operator",
  );
  const headers = Object.fromEntries(
    Object.entries(incoming.headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(", ") : value]),
  );
  return {
    method: incoming.method ?? "GET",
    path: url.pathname,
    query: url.searchParams,
    headers,
    body: body.take(),
  };
}

/** `:8081`, `127.0.0.1:8081`, `[::1]:8081`, `8081`. @throws Error where it is no address */
export function parseAddress(address: string): { host: string | undefined; port: number } {
  const match = /^(?:\[(?<v6>[^\]]+)\]|(?<host>[^:]*)):(?<port>\d+)$/.exec(address) ?? /^(?<port>\d+)$/.exec(address);
  const port = Number(match?.groups?.["port"]);
  if (match === null || port > 65_535)
    throw new Error(`${JSON.stringify(address)} is no address: write it as host:port or :port`);
  const host = match.groups?.["v6"] ?? match.groups?.["host"];
  return { host: host === "" ? undefined : host, port };
}
