import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { ClientConnection } from "../clients/client-connection.js";
import { Http1Connection } from "../clients/http1-connection.js";
import { serveHttp2 } from "../clients/http2-connection.js";
import { type ConnectionServer, clientAddressOf } from "./connection-server.js";
import { type HttpService, serveCall } from "./http-service.js";

export interface ServedConnection {
  readonly server: ConnectionServer;
  readonly service: HttpService;
  /** Of the client, and what is read and written: the same without TLS. */
  readonly socket: Socket;
  readonly stream: Duplex;
  readonly protocol: "http1" | "h2";
  readonly first: Buffer | undefined;
  /** The hostname of the listener that the connection was opened for; undefined: it has no TLS. */
  readonly listener: string | undefined;
}

/** Serves requests of one connection. */
export function serveConnection(served: ServedConnection): void {
  const { server, service, socket, stream, protocol, first, listener } = served;
  const options = {
    socket: stream,
    first,
    sweeper: service.context.sweeper,
    scheme: listener === undefined ? ("http" as const) : ("https" as const),
    clientAddress: clientAddressOf(socket),
    onCall: (call: Parameters<typeof serveCall>[1]) => serveCall(service, call, listener),
    onClosed: () => {},
  };
  const connection: ClientConnection =
    protocol === "h2" ? serveHttp2(service.context.runtime, options) : new Http1Connection(options);
  server.adopt(socket, connection);
}

const preface = Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "latin1");
/** Enough of HTTP/2's preface to know it: no method begins so. */
const known = preface.subarray(0, 4);

/** Which protocol a connection without TLS begins with; undefined: more bytes are needed. */
export function protocolOf(bytes: Buffer): "http1" | "h2" | undefined {
  const length = Math.min(bytes.length, known.length);
  if (known.compare(bytes, 0, length, 0, length) !== 0) return "http1";
  return length < known.length ? undefined : "h2";
}
